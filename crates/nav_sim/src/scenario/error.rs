//! Errors of reading a scenario, and the checks of its fields.

use super::mistake::Mistake;
use nav_cli::FileError;
use std::{fmt::Display, ops::RangeInclusive, path::PathBuf};

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
    #[error("{}: {source}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The first mistake.
        source: Mistake,
    },
    /// A file is a map.
    #[error("{}: this is a map, not a scenario: use `chase run --map {}`", path.display(), path.display())]
    IsMap {
        /// The file.
        path: PathBuf,
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

/// The error of a field with a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {expected}, not {value}")]
pub struct FieldError {
    /// The field with its block, such as `chaser.radius`.
    pub field: &'static str,
    /// The expected values.
    pub expected: String,
    /// The value found.
    pub value: String,
}

impl FieldError {
    pub(super) fn new(
        field: &'static str,
        expected: impl Into<String>,
        value: impl Display,
    ) -> Self {
        Self {
            field,
            expected: expected.into(),
            value: value.to_string(),
        }
    }
}

/// The error of a scenario with a field that options of a program set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("command line: {0}")]
pub struct OptionsError(pub FieldError);

/// Checks that a value is in a range. NaN is in none.
///
/// # Errors
///
/// The field, the range and the value.
pub fn within<T: PartialOrd + Display + Copy>(
    field: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), FieldError> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("{} to {}", range.start(), range.end());
    Err(FieldError::new(field, expected, value))
}

/// Checks that a value is greater than 0 and at most `max`. NaN is not.
pub(super) fn above_zero(field: &'static str, value: f64, max: f64) -> Result<(), FieldError> {
    if value > 0.0 && value <= max {
        return Ok(());
    }
    let expected = format!("above 0 and at most {max}");
    Err(FieldError::new(field, expected, value))
}
