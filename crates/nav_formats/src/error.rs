//! Errors of reading a map file.

#[cfg(feature = "binary")]
use super::binary_problem::BinaryProblem;
#[cfg(feature = "ldtk")]
use super::ldtk::LdtkProblem;
use super::picture_problem::PictureProblem;
#[cfg(feature = "tiled")]
use super::tiled::{TiledError, TiledProblem};
use nav_grid::{
    Grid,
    map::{
        FrameError,
        text::{TextError, TextProblem},
    },
};
use std::fmt;

/// Error of reading a map file: a problem and its position.
///
/// Prints as one sentence, such as `line 9: row has 17 cells, expected 20 as in the first row`.
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq)]
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

/// Problem of a map file.
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Invalid rows of characters.
    #[error(transparent)]
    Rows(TextProblem),
    /// The file ends before the number of rows in its header.
    #[error("the file ends after {found} rows, expected {expected} as in the header")]
    MissingRows {
        /// Rows in the file.
        found: usize,
        /// Rows in the header.
        expected: u16,
    },
    /// The file continues after the number of rows in its header.
    #[error("text after the last row; expected {expected} rows as in the header")]
    ExtraRows {
        /// Rows in the header.
        expected: u16,
    },
    /// A line of the header is not one of those expected at its place.
    #[error("unknown header line '{found}'; expected {expected}")]
    HeaderLine {
        /// Line in the file.
        found: String,
        /// Lines that are allowed here.
        expected: &'static str,
    },
    /// The file ends inside the header.
    #[error("the file ends inside the header; expected {expected}")]
    HeaderEnds {
        /// Lines that are allowed here.
        expected: &'static str,
    },
    /// A line of the header is repeated.
    #[error("{name} is given twice")]
    GivenTwice {
        /// Value that the line sets, such as `height`.
        name: &'static str,
    },
    /// A side is not a whole number.
    #[error("{side} '{found}' is not a whole number; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideNotANumber {
        /// Name of the side, such as `height`.
        side: &'static str,
        /// Text in the file.
        found: String,
    },
    /// A side is 0 or larger than a map may be.
    #[error("{side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideOutOfRange {
        /// Name of the side, such as `height`.
        side: &'static str,
        /// Number in the file, of any number of digits.
        found: String,
    },
    /// A line ends too early.
    #[error("the line ends here; expected {expected}")]
    LineEnds {
        /// Characters that are allowed here.
        expected: &'static str,
    },
    /// A point is not three numbers.
    #[error("{name} '{found}' is not a point; expected three numbers such as (-30, 0, 30)")]
    NotAPoint {
        /// Name of the point.
        name: &'static str,
        /// Text in the file.
        found: String,
    },
    /// A size is not a positive number.
    #[error("{name} '{found}' is not a size; expected a number above 0")]
    NotPositive {
        /// Name of the size.
        name: &'static str,
        /// Text in the file.
        found: String,
    },
    /// The numbers of the header form no valid frame.
    #[error("{0}")]
    Frame(FrameError),
    /// A line has more or fewer fields than expected.
    #[error("line has {found} fields, expected {expected}")]
    Fields {
        /// Fields in the line.
        found: usize,
        /// Expected number of fields.
        expected: usize,
    },
    /// A field is not a whole number in its range.
    #[error("{name} '{found}' is not a whole number from {min} to {max}")]
    WholeNumber {
        /// Name of the field.
        name: &'static str,
        /// Text in the file.
        found: String,
        /// Lowest valid number.
        min: u32,
        /// Highest valid number.
        max: u32,
    },
    /// A field is not the length of a path.
    #[error("{name} '{found}' is not a length; expected a number of at least 0")]
    NotALength {
        /// Name of the field.
        name: &'static str,
        /// Text in the file.
        found: String,
    },
    /// A field is not a name.
    #[error("{name} '{found}' is not a name; expected UTF-8 without control characters")]
    NotAName {
        /// Name of the field.
        name: &'static str,
        /// Text in the file.
        found: String,
    },
    /// The text is in another encoding than UTF-8.
    #[error("the text is in UTF-16; expected UTF-8: save it with that encoding")]
    Utf16,
    /// Problem of a binary map.
    #[cfg(feature = "binary")]
    #[error(transparent)]
    Binary(BinaryProblem),
    /// Problem of a picture.
    #[error(transparent)]
    Picture(PictureProblem),
    /// Problem of a project of the `LDtk` editor.
    #[cfg(feature = "ldtk")]
    #[error(transparent)]
    Ldtk(LdtkProblem),
    /// Problem of a map of the Tiled editor.
    #[cfg(feature = "tiled")]
    #[error(transparent)]
    Tiled(TiledProblem),
}

impl Problem {
    /// Returns an error with this problem on a whole line.
    pub(crate) fn on_line(self, line: usize) -> ParseError {
        ParseError {
            position: Position::Line { line, column: None },
            problem: self,
        }
    }

    /// Returns an error with this problem at a character.
    pub(crate) fn at(self, line: usize, column: usize) -> ParseError {
        ParseError {
            position: Position::Line {
                line,
                column: Some(column),
            },
            problem: self,
        }
    }
}

impl From<TextError> for ParseError {
    fn from(error: TextError) -> Self {
        Self {
            position: Position::Line {
                line: error.line,
                column: error.column,
            },
            problem: Problem::Rows(error.problem),
        }
    }
}

#[cfg(feature = "tiled")]
impl From<TiledError> for ParseError {
    fn from(error: TiledError) -> Self {
        Self {
            position: error.position.unwrap_or(Position::Unknown),
            problem: Problem::Tiled(error.problem),
        }
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
