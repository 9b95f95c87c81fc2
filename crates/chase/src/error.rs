//! [`Error`]: all errors of the program.

use crate::{
    FileError,
    picture::{FilmError, SceneTooLarge},
    scenario::{FieldError, ScenarioError},
    sim::SimError,
};
use mapgen::{GenerateError, KindError};
use nav_formats::{ParseError, WriteError};
use nav_grid::{Cell, Size, rules::Class};
use nav_trace::TraceError;
use std::{
    io,
    path::{Path, PathBuf},
};

/// An error of the program. The message tells what is wrong and what is expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Standard output cannot be written. If its reader has closed it, the program ends with
    /// success.
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
    /// The system does not give as many threads.
    #[error("{threads} threads: the system gives no more than {given}: {source}")]
    Threads {
        /// Threads asked for.
        threads: u32,
        /// Threads that could be begun.
        given: u32,
        /// The reason.
        source: io::Error,
    },
    /// The ending of a file name is not that of a map format.
    #[error("{}: the name of a map file must end in {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The known endings.
        known: String,
    },
    /// A file is no map.
    #[error("{}: {source}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// The error and its place.
        source: Box<ParseError>,
    },
    /// A map cannot be written in a format.
    #[error("{}: {source}", path.display())]
    Convert {
        /// The file to write.
        path: PathBuf,
        /// The reason.
        source: WriteError,
    },
    /// A scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The options make the scenario impossible.
    #[error("command line: {0}")]
    Options(FieldError),
    /// An end of the requested path is not on the map.
    #[error(
        "the {end} {cell} is outside {}: {}",
        map.display(),
        ranges(*cell, size)
    )]
    OutsideMap {
        /// Which end it is.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// The map file.
        map: PathBuf,
        /// The sides of the map.
        size: Size,
    },
    /// The requested floor does not exist.
    #[error("--floor {floor} is not in {}: it has floors 0 to {}", map.display(), floors - 1)]
    NoSuchFloor {
        /// The floor.
        floor: u8,
        /// The map file.
        map: PathBuf,
        /// Number of floors of the map.
        floors: u8,
    },
    /// An end of the requested path is a wall.
    #[error(
        "the {end} {cell} is inside a wall of {}: a path starts and ends on floor",
        map.display()
    )]
    InsideWall {
        /// Which end it is.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// The map file.
        map: PathBuf,
    },
    /// The walker may not enter the terrain class of an end of the requested path.
    #[error(
        "the {end} {cell} of {} is of terrain class {class}, which --classes forbids",
        map.display()
    )]
    ForbiddenClass {
        /// Which end it is.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// The map file.
        map: PathBuf,
        /// Its class.
        class: Class,
    },
    /// A body does not fit at an end of the requested path.
    #[error(
        "the {end} {cell} of {} has no room for a body of {side}x{side} cells, \
        which covers as many columns and rows from there on",
        map.display()
    )]
    NoRoom {
        /// Which end it is.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// The map file.
        map: PathBuf,
        /// Side of the body in cells.
        side: u8,
    },
    /// No path can be drawn, because a body fits nowhere.
    #[error("{}: a body of {side}x{side} cells fits nowhere: use another map or --size", map.display())]
    NoPlace {
        /// The map file.
        map: PathBuf,
        /// Side of the body in cells.
        side: u8,
    },
    /// A map cannot be generated as requested.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// There is no such kind of map.
    #[error(transparent)]
    Kind(#[from] KindError),
    /// A picture cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: png::EncodingError,
    },
    /// A film cannot be written.
    #[error("{}: {source}", path.display())]
    Film {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: FilmError,
    },
    /// A map is too large for a picture with agents.
    #[error(transparent)]
    Scene(#[from] SceneTooLarge),
    /// A file is no trace, or cannot be replayed.
    #[error("{}: {source}", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TraceError,
    },
    /// The requested tick does not exist.
    #[error("{}: there is no tick {tick} to dump: it has {ticks}", path.display())]
    NoSuchTick {
        /// The file.
        path: PathBuf,
        /// The tick.
        tick: u64,
        /// Ticks of the trace.
        ticks: u64,
    },
    /// The run failed.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// This build has no web server.
    #[cfg(not(feature = "serve"))]
    #[error("this build cannot serve: run `cargo run --release --features serve -- serve`")]
    CannotServe,
    /// The environment variable that controls the server is invalid.
    #[error("CHASE_CONTROL: {0}")]
    Control(String),
    /// A scenario cannot be served.
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Serve(#[from] crate::serve::ServeError),
}

impl Error {
    /// Creates the error of a file that cannot be read.
    pub fn read(path: &Path, source: io::Error) -> Self {
        FileError::read(path, source).into()
    }

    /// Creates the error of a file that cannot be written.
    pub fn write(path: &Path, source: io::Error) -> Self {
        FileError::write(path, source).into()
    }

    /// Creates the error of a trace that cannot be written or replayed. `io` creates the error if
    /// its file fails.
    pub fn trace(path: &Path, error: TraceError, io: fn(&Path, io::Error) -> Self) -> Self {
        match error {
            TraceError::Io(source) => io(path, source),
            source => Self::Trace {
                path: path.to_owned(),
                source,
            },
        }
    }

    /// Returns the message as exactly one line, whatever file names and library messages contain.
    pub fn one_line(&self) -> String {
        one_line(&self.to_string())
    }
}

/// Returns in words which cells a map has, where a cell is not among them.
fn ranges(cell: Cell, size: &Size) -> String {
    let (x, y, floor) = (size.width - 1, size.height - 1, size.floors - 1);
    let plane = format!("columns are 0 to {x}, rows 0 to {y}");
    match (floor, cell.floor) {
        (0, 0) => plane,
        (0, _) => format!("{plane}, and the only floor is 0"),
        _ => format!("{plane}, floors 0 to {floor}"),
    }
}

/// Joins lines, and escapes control characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let (word, space) = match word.strip_suffix(char::is_whitespace) {
            Some(word) => (word, " "),
            None => (word, ""),
        };
        for character in word.chars() {
            if character.is_control() {
                line.extend(character.escape_default());
            } else {
                line.push(character);
            }
        }
        if !(line.ends_with(' ') && word.is_empty()) {
            line.push_str(space);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        assert_eq!(one_line("a\n  b\r\nc \u{1b}[0m\n"), "a b c \\u{1b}[0m");
        assert_eq!(one_line("plain words"), "plain words");
    }
}
