//! Checks of single fields.

use std::{fmt::Display, ops::RangeInclusive};

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
    Err(FieldError {
        field,
        expected: format!("{} to {}", range.start(), range.end()),
        value: value.to_string(),
    })
}

/// Checks that a value is greater than 0 and at most `max`. NaN is not.
pub(super) fn above_zero(field: &'static str, value: f64, max: f64) -> Result<(), FieldError> {
    if value > 0.0 && value <= max {
        return Ok(());
    }
    Err(FieldError {
        field,
        expected: format!("above 0 and at most {max}"),
        value: value.to_string(),
    })
}
