//! Numbers in headers of map files.

use super::error::Problem;
use nav_grid::Grid;
use nav_grid::map::text::quote;

/// Reads the side of a map, 1 to [`Grid::SIDE_MAX`].
pub(crate) fn side(name: &'static str, value: &[u8]) -> Result<u16, Problem> {
    let found = || quote(value);
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(Problem::SideNotANumber {
            side: name,
            found: found(),
        });
    }
    // The value consists of digits, so that it can only fail by being too large.
    whole(value)
        .and_then(|number| u16::try_from(number).ok())
        .filter(|number| (1..=Grid::SIDE_MAX).contains(number))
        .ok_or_else(|| Problem::SideOutOfRange {
            side: name,
            found: found(),
        })
}

/// Parses digits as a number. `None` for anything else, and for numbers of more than 32 bits.
pub(crate) fn whole(value: &[u8]) -> Option<u32> {
    // The parser of the standard library also accepts a sign.
    if !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(value).ok()?.parse().ok()
}

/// Parses a finite number and ignores blanks around it.
pub(crate) fn finite(value: &[u8]) -> Option<f64> {
    let number: f64 = str::from_utf8(value.trim_ascii()).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}
