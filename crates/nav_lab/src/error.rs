//! [`LabError`]: all errors of the program.

use crate::scen::SizeError;
use chase::{Error, cli::Failure};
use nav_formats::ParseError;
use std::path::PathBuf;

/// An error of the program. The message tells what is wrong and what is expected.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file, a scenario or an option is wrong, or a run failed.
    #[error(transparent)]
    Chase(#[from] Error),
    /// A file is no scenario of the `MovingAI` benchmarks.
    #[error("{}: {source}", path.display())]
    Scen {
        /// The file.
        path: PathBuf,
        /// The error and its place.
        source: Box<ParseError>,
    },
    /// A scenario file of the `MovingAI` benchmarks belongs to another map.
    #[error("{}: {source}", path.display())]
    ScenSize {
        /// The file.
        path: PathBuf,
        /// The line, and both sizes.
        source: SizeError,
    },
    /// Search methods answered a scenario file of the `MovingAI` benchmarks wrongly.
    #[error(
        "{}: wrong answers: {count}, the first to {first}{}",
        path.display(),
        about_another(another.as_deref())
    )]
    WrongAnswers {
        /// The file.
        path: PathBuf,
        /// Number of wrong answers.
        count: usize,
        /// Line, method and error of the first one.
        first: String,
        /// The map named by the file, if it is another one.
        another: Option<String>,
    },
    /// A run in a child process failed.
    #[error("chasers {chasers}, threads {threads}: {reason}")]
    Child {
        /// Number of chasers.
        chasers: u32,
        /// Number of threads.
        threads: u32,
        /// The message of the child.
        reason: String,
    },
    /// A crowd cannot run with its disturbance.
    #[error("{name}: {source}")]
    Cliff {
        /// The name of the cliff, or of the undisturbed crowd.
        name: &'static str,
        /// The error of the run.
        source: Box<Error>,
    },
    /// A moving picture cannot be read or written, or a contact sheet of one.
    #[error("{}: {source}", path.display())]
    Film {
        /// The file.
        path: PathBuf,
        /// The error.
        source: std::io::Error,
    },
    /// Nothing moves in moving pictures, which this names, for too long.
    #[error("{0}")]
    StillFilms(String),
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
