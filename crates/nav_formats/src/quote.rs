//! Text of files and of libraries in errors.

use nav_grid::map::text::quote;
use std::fmt;

/// Formats text of the file for an error.
pub(crate) fn quoted(text: impl fmt::Display) -> String {
    quote(text.to_string().as_bytes())
}

/// Formats the message of a library for an error, with enough room for its own words.
pub(crate) fn said(error: impl fmt::Display) -> String {
    // Two lines of a terminal. A message may repeat text of the file.
    const CHARACTERS_MAX: usize = 200;
    let sentence: String = error.to_string().chars().take(CHARACTERS_MAX).collect();
    sentence.replace(char::is_control, "\u{fffd}")
}
