//! Errors of reading a map file.

use super::{files::MissingFile, quote::quoted};
use nav_grid::map::text::{TextError, TextProblem};
use std::fmt;

/// Error of reading a map file: a problem and its position.
///
/// Prints as one sentence, such as `line 9: row has 17 cells, expected 20 as in the first row`.
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// Position in the file.
    pub position: Position,
    /// Problem at that position.
    pub problem: Problem,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::Unknown => self.problem.fmt(f),
            position => write!(f, "{position}: {}", self.problem),
        }
    }
}

// No source: the problem is part of this error's own sentence and would be printed twice.
impl std::error::Error for ParseError {}

/// Problem of a map file, by what a program can do about it.
///
/// A `String` is the sentence for a person: what is wrong, in which layer, object or pixel, and
/// what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Rows of characters that are no map.
    #[error(transparent)]
    Rows(TextProblem),
    /// The file breaks the rules of its language, is damaged, or ends too early.
    #[error("{0}")]
    Syntax(String),
    /// A part of the file is missing, out of range, or contradicts another part.
    #[error("{0}")]
    Value(String),
    /// The file is stored in a way that its editor knows and this reader does not.
    #[error("{0}")]
    Unsupported(String),
    /// The file has more of something than a reader takes: see the limits of each format.
    #[error("{0}")]
    TooMuch(String),
    /// The map cannot do without a file that its reader did not get.
    #[error("{user}: {file}")]
    Missing {
        /// Part of the map, such as `layer 'cost' needs its tileset`.
        user: String,
        /// File.
        file: MissingFile,
    },
    /// A file that the map refers to is invalid.
    #[error("the file '{path}': {error}")]
    InFile {
        /// Path in the map as printed: escaped, and cut short if long.
        path: String,
        /// Problem and its position in that file.
        error: Box<ParseError>,
    },
    /// The text is in another encoding than UTF-8.
    #[error("the text is in UTF-16; expected UTF-8: save it with that encoding")]
    Utf16,
}

/// Returns a problem of a kind from the function, with a formatted sentence.
macro_rules! refuse {
    ($kind:ident, $($sentence:tt)*) => {
        return Err($crate::error::Problem::$kind(format!($($sentence)*)).into())
    };
}
pub(crate) use refuse;

impl Problem {
    /// Returns the problem of a part that the map refuses, in the words of the map.
    pub(crate) fn refused(error: impl fmt::Display) -> Self {
        Self::Value(error.to_string())
    }

    /// Returns the problem of a part that cannot do without a file.
    pub(crate) fn missing(user: impl fmt::Display, file: &MissingFile) -> Self {
        let (user, file) = (user.to_string(), file.clone());
        Self::Missing { user, file }
    }

    /// Returns the problem of a map that refers to an invalid file.
    pub(crate) fn in_file(path: &str, error: ParseError) -> Self {
        let (path, error) = (quoted(path), Box::new(error));
        Self::InFile { path, error }
    }

    /// Returns an error with this problem at a position.
    pub(crate) fn at(self, position: Position) -> ParseError {
        ParseError {
            position,
            problem: self,
        }
    }

    /// Returns an error with this problem on a whole line.
    pub(crate) fn on_line(self, line: usize) -> ParseError {
        self.at(Position::Line { line, column: None })
    }

    /// Returns an error with this problem at a character.
    pub(crate) fn in_line(self, line: usize, column: usize) -> ParseError {
        let column = Some(column);
        self.at(Position::Line { line, column })
    }

    /// Returns an error with this problem at a byte of a file without lines.
    pub(crate) fn at_byte(self, offset: usize) -> ParseError {
        self.at(Position::Byte(offset as u64))
    }
}

impl From<TextError> for ParseError {
    fn from(error: TextError) -> Self {
        let (line, column) = (error.line, error.column);
        Problem::Rows(error.problem).at(Position::Line { line, column })
    }
}

impl From<Problem> for ParseError {
    /// Creates an error at no position, as those of editors have: the sentence names a layer or an
    /// object.
    fn from(problem: Problem) -> Self {
        problem.at(Position::Unknown)
    }
}

/// Position in a file. Prints as `line 2`, `line 2, column 5` or `byte 17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Position in a file of lines.
    Line {
        /// Line, starting at 1. One past the last line if something is missing at the end.
        line: usize,
        /// Column in bytes, starting at 1; `None` for the whole line.
        column: Option<usize>,
    },
    /// Offset in bytes in a file without lines.
    Byte(u64),
    /// Unknown position, or none in particular. Prints nothing.
    Unknown,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, column: None } => write!(f, "line {line}"),
            Self::Line {
                line,
                column: Some(column),
            } => write!(f, "line {line}, column {column}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Unknown => Ok(()),
        }
    }
}
