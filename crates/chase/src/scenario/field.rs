//! Checks of single fields.

use std::{fmt::Display, ops::RangeInclusive};

/// A field of a scenario has a value that it must not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {expected}, not {value}")]
pub struct FieldError {
    /// The field, with the block it is in: `chaser.radius`.
    pub field: &'static str,
    /// What would be right.
    pub expected: String,
    /// The value it has.
    pub value: String,
}

/// Checks that a value lies in a range. NaN lies in none.
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

/// Whether a value is greater than 0 and at most `max`. NaN is not.
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
