//! Positions in files, as errors name them.

use std::fmt;

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
