//! Errors of plain-text maps, and text of a file as errors print it.

use crate::map::{grid::Grid, size::GridError};
use std::fmt;

/// A plain-text map cannot be read. Prints as one sentence with the line, such as
/// `line 9: row has 17 cells, expected 20 as in the first row`.
///
/// Bytes of the file appear in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextError {
    /// Line, 1 for the first; one past the last where something is missing at the end.
    pub line: usize,
    /// Column in bytes, 1 for the first; `None` where the whole line is meant.
    pub column: Option<usize>,
    /// What is wrong there.
    pub problem: TextProblem,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}, column {column}: {}", self.line, self.problem),
            None => write!(f, "line {}: {}", self.line, self.problem),
        }
    }
}

// No source: the problem is part of this error's own sentence and would be printed twice.
impl std::error::Error for TextError {}

/// What is wrong with the rows of a plain-text map.
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextProblem {
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
    /// There is no map with so many columns and rows.
    #[error(transparent)]
    Size(GridError),
}

impl TextProblem {
    /// This problem with a whole line.
    pub(crate) fn on_line(self, line: usize) -> TextError {
        TextError {
            line,
            column: None,
            problem: self,
        }
    }

    /// This problem with one character.
    pub(crate) fn at(self, line: usize, column: usize) -> TextError {
        TextError {
            line,
            column: Some(column),
            problem: self,
        }
    }
}

/// Text of a file as an error prints it: what is neither printable nor UTF-8 is escaped, and
/// text of more than 40 characters is cut.
pub fn quote(bytes: &[u8]) -> String {
    const CHARACTERS_MAX: usize = 40;
    let mut rest = characters(bytes);
    let mut text: String = rest.by_ref().take(CHARACTERS_MAX).collect();
    if rest.next().is_some() {
        text.push_str("...");
    }
    text
}

/// The first character of `bytes` as an error prints it.
pub fn quote_first(bytes: &[u8]) -> String {
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
