//! [`LabError`]: every way in which the program can fail.

use crate::scen::SizeError;
use chase::{Error, cli::Failure};
use nav_formats::ParseError;
use std::path::PathBuf;

/// What went wrong, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file, a scenario or an option is wrong, or a run failed.
    #[error(transparent)]
    Chase(#[from] Error),
    /// A file is not a scenario of the `MovingAI` benchmarks.
    #[error("{}: {source}", path.display())]
    Scen {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: Box<ParseError>,
    },
    /// A scenario file of the `MovingAI` benchmarks is about another map.
    #[error("{}: {source}", path.display())]
    ScenSize {
        /// The file.
        path: PathBuf,
        /// The line, and the sizes.
        source: SizeError,
    },
    /// Search methods gave wrong answers to a scenario file of the `MovingAI` benchmarks.
    #[error(
        "{}: wrong answers: {count}, the first to {first}{}",
        path.display(),
        about_another(another.as_deref())
    )]
    WrongAnswers {
        /// The file.
        path: PathBuf,
        /// How many.
        count: usize,
        /// Line, method, and what is wrong.
        first: String,
        /// The map that the file names, if that is another one.
        another: Option<String>,
    },
    /// A run in a process of its own failed.
    #[error("chasers {chasers}, threads {threads}: {reason}")]
    Child {
        /// Number of chasers.
        chasers: u32,
        /// Number of threads.
        threads: u32,
        /// Its message.
        reason: String,
    },
    /// A plot cannot be drawn.
    #[error("the plot cannot be drawn: {0}")]
    Plot(String),
}

impl Failure for LabError {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Chase(error) if error.is_broken_pipe())
    }
}

fn about_another(map: Option<&str>) -> String {
    map.map_or(String::new(), |map| format!("; the file is about {map}"))
}
