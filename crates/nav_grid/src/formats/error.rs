//! What is wrong with a map file, and where.

use crate::Grid;
use std::fmt;

/// A map file cannot be read.
///
/// Prints as one sentence, such as `line 9: row has 17 cells, expected 20 as in the first row`.
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, 1 for the first. One past the last where something is missing at the end.
    pub line: usize,
    /// Column, 1 for the first; `None` where the whole line is meant.
    pub column: Option<usize>,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

// No source: the problem is part of this error's own sentence and would be printed twice.
impl std::error::Error for ParseError {}

/// What is wrong with a line of a map file.
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// A side is given twice.
    #[error("{side} is given twice")]
    SideTwice {
        /// `height` or `width`.
        side: &'static str,
    },
    /// A side is not a whole number.
    #[error("{side} '{found}' is not a whole number; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideNotANumber {
        /// `height` or `width`.
        side: &'static str,
        /// What stands in the number's place.
        found: String,
    },
    /// A side is 0 or larger than a map may be.
    #[error("{side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    SideOutOfRange {
        /// `height` or `width`.
        side: &'static str,
        /// The number, which may have any number of digits.
        found: String,
    },
}

impl Problem {
    /// This problem with a whole line.
    pub(super) fn on_line(self, line: usize) -> ParseError {
        ParseError {
            line,
            column: None,
            problem: self,
        }
    }

    /// This problem with one character.
    pub(super) fn at(self, line: usize, column: usize) -> ParseError {
        ParseError {
            line,
            column: Some(column),
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
