//! What is wrong with a map file, and where.

#[cfg(feature = "binary")]
use super::binary_problem::BinaryProblem;
#[cfg(feature = "png")]
use super::picture_problem::PictureProblem;
use super::position::Position;
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

/// A map file cannot be read.
///
/// Prints as one sentence, such as `line 9: row has 17 cells, expected 20 as in the first row`.
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParseError {
    /// Where it is.
    pub position: Position,
    /// What is wrong there.
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

/// What is wrong with a map file.
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// What is wrong with rows of characters.
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
    /// The file goes on after the number of rows in its header.
    #[error("text after the last row; expected {expected} rows as in the header")]
    ExtraRows {
        /// Rows in the header.
        expected: u16,
    },
    /// A line of the header is not the one that belongs there.
    #[error("unknown header line '{found}'; expected {expected}")]
    HeaderLine {
        /// The line.
        found: String,
        /// The lines that may stand here.
        expected: &'static str,
    },
    /// The file ends inside the header.
    #[error("the file ends inside the header; expected {expected}")]
    HeaderEnds {
        /// The lines that may stand here.
        expected: &'static str,
    },
    /// A line of the header is given twice.
    #[error("{name} is given twice")]
    GivenTwice {
        /// What the line sets, such as `height`.
        name: &'static str,
    },
    /// A side is not a whole number.
    #[error("{side} '{found}' is not a whole number; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideNotANumber {
        /// Which side, such as `height`.
        side: &'static str,
        /// What stands in the number's place.
        found: String,
    },
    /// A side is 0 or larger than a map may be.
    #[error("{side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideOutOfRange {
        /// Which side, such as `height`.
        side: &'static str,
        /// The number, which may have any number of digits.
        found: String,
    },
    /// A line ends where more must follow.
    #[error("the line ends here; expected {expected}")]
    LineEnds {
        /// The characters that may stand here.
        expected: &'static str,
    },
    /// A place in the world is not three numbers.
    #[error("{name} '{found}' is not a point; expected three numbers such as (-30, 0, 30)")]
    NotAPoint {
        /// What the point is.
        name: &'static str,
        /// What stands in its place.
        found: String,
    },
    /// A size is not a positive number.
    #[error("{name} '{found}' is not a size; expected a number above 0")]
    NotPositive {
        /// What the size is.
        name: &'static str,
        /// What stands in its place.
        found: String,
    },
    /// The numbers of the header make no frame.
    #[error("{0}")]
    Frame(FrameError),
    /// A line has more or fewer fields than it must have.
    #[error("line has {found} fields, expected {expected}")]
    Fields {
        /// Fields in the line.
        found: usize,
        /// Fields that it must have.
        expected: usize,
    },
    /// A field is not a whole number in its range.
    #[error("{name} '{found}' is not a whole number from {min} to {max}")]
    WholeNumber {
        /// The field.
        name: &'static str,
        /// What stands in its place.
        found: String,
        /// The least number that it may be.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// A field is not the length of a path.
    #[error("{name} '{found}' is not a length; expected a number of at least 0")]
    NotALength {
        /// The field.
        name: &'static str,
        /// What stands in its place.
        found: String,
    },
    /// A field is not a name.
    #[error("{name} '{found}' is not a name; expected UTF-8 without control characters")]
    NotAName {
        /// The field.
        name: &'static str,
        /// What stands in its place.
        found: String,
    },
    /// What is wrong with a binary map.
    #[cfg(feature = "binary")]
    #[error(transparent)]
    Binary(BinaryProblem),
    /// What is wrong with a picture.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Picture(PictureProblem),
    /// What is wrong with a map of the Tiled editor.
    #[cfg(feature = "tiled")]
    #[error(transparent)]
    Tiled(TiledProblem),
}

impl Problem {
    /// This problem with a whole line.
    pub(crate) fn on_line(self, line: usize) -> ParseError {
        ParseError {
            position: Position::Line { line, column: None },
            problem: self,
        }
    }

    /// This problem with one character.
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
