//! Why a scenario cannot be read.

use super::field::FieldError;
use crate::FileError;
use std::path::PathBuf;

/// A scenario cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// Its file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A name is neither that of a file nor that of a scenario of the program.
    #[error(
        "{}: there is no such file, and no scenario of this name in the program; it has {known}",
        name.display()
    )]
    Unknown {
        /// The name.
        name: PathBuf,
        /// The scenarios there are.
        known: String,
    },
    /// A file is not a scenario.
    #[error("{}: line {line}, column {column}: {code}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        code: ron::Error,
    },
    /// A scenario file asks for something impossible.
    #[error("{}: {source}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        source: FieldError,
    },
}
