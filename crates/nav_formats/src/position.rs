//! Places in files.

use std::fmt;

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
