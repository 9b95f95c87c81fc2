//! Errors of reading a scenario.

use super::field::FieldError;
use crate::FileError;
use std::path::PathBuf;

/// The error of a scenario that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is neither a file nor a scenario of this name.
    #[error(
        "{}: there is no such file, and no scenario of this name in the program; it has {known}",
        name.display()
    )]
    Unknown {
        /// The name.
        name: PathBuf,
        /// The scenarios of the program.
        known: String,
    },
    /// A file is no scenario.
    #[error("{}: line {line}, column {column}: {code}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The error there.
        code: ron::Error,
    },
    /// A field of a scenario file has an impossible value.
    #[error("{}: {source}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        source: FieldError,
    },
}
