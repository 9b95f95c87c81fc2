//! What is wrong with a map file, and where.

use crate::{FrameError, Grid};
use std::fmt;

/// A map file cannot be read.
///
/// Prints as one sentence, such as `line 9: row has 17 cells, expected 20 as in the first row`.
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq)]
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

/// A place in a file. Prints as `line 2`, `line 2, column 5` or `byte 17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In a file of lines.
    Line {
        /// Line, 1 for the first. One past the last where something is missing at the end.
        line: usize,
        /// Column in bytes, 1 for the first; `None` where the whole line is meant.
        column: Option<usize>,
    },
    /// In a file without lines: so many bytes stand before the place.
    Byte(u64),
    /// Nowhere in particular, or nobody knows; prints nothing.
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

/// What is wrong with a map file.
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file ends before the first row of cells.
    #[error("no rows; expected at least one row of cells")]
    NoRows,
    /// A character stands in a row that means no cell.
    #[error("unknown character '{found}'; expected {expected}")]
    UnknownCharacter {
        /// The character, or the byte if it is not UTF-8.
        found: String,
        /// The characters that mean a cell.
        expected: &'static str,
    },
    /// A row is longer or shorter than the others.
    #[error("row has {found} cells, expected {expected} as in the {authority}")]
    RowWidth {
        /// Cells in the row.
        found: usize,
        /// Cells in every other row.
        expected: u16,
        /// What set the width: `first row` or `header`.
        authority: &'static str,
    },
    /// The first row is longer than a map may be wide.
    #[error("row has {found} cells; expected 1 to {max}", max = Grid::SIDE_MAX)]
    RowTooWide {
        /// Cells in the row.
        found: usize,
    },
    /// The file has more rows than a map may be high.
    #[error("too many rows; expected 1 to {max}", max = Grid::SIDE_MAX)]
    TooManyRows,
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
    Binary(super::binary::BinaryProblem),
    /// What is wrong with a picture.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Picture(super::png::PictureProblem),
    /// What is wrong with a map of the Tiled editor.
    #[cfg(feature = "tiled")]
    #[error(transparent)]
    Tiled(super::tiled::TiledProblem),
}

impl Problem {
    /// This problem with a whole line.
    pub(super) fn on_line(self, line: usize) -> ParseError {
        ParseError {
            position: Position::Line { line, column: None },
            problem: self,
        }
    }

    /// This problem with one character.
    pub(super) fn at(self, line: usize, column: usize) -> ParseError {
        ParseError {
            position: Position::Line {
                line,
                column: Some(column),
            },
            problem: self,
        }
    }
}

/// Text of a file as an error prints it: what is neither printable nor UTF-8 is escaped, and
/// long text is cut.
pub(super) fn quote(bytes: &[u8]) -> String {
    const CHARACTERS_MAX: usize = 40;
    let mut rest = characters(bytes);
    let mut text: String = rest.by_ref().take(CHARACTERS_MAX).collect();
    if rest.next().is_some() {
        text.push_str("...");
    }
    text
}

/// The first character of `bytes` as an error prints it.
pub(super) fn quote_first(bytes: &[u8]) -> String {
    characters(bytes).next().unwrap_or_default()
}

fn characters(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk
            .valid()
            .chars()
            .map(|character| character.escape_debug().to_string());
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        valid.chain(invalid)
    })
}
