//! Text of files and of libraries in errors.

use nav_grid::map::text::quote;
use std::fmt;

/// Formats text of the file for an error.
pub(crate) fn quoted(text: impl fmt::Display) -> String {
    quote(text.to_string().as_bytes())
}

/// Formats the message of a library for an error, with enough room for its own words.
pub(crate) fn said(error: impl fmt::Display) -> String {
    // A guess.
    const CHARACTERS_MAX: usize = 200;
    let printable = |character: char| match character {
        it if it.is_control() => char::REPLACEMENT_CHARACTER,
        it => it,
    };
    let sentence = error.to_string();
    sentence
        .chars()
        .take(CHARACTERS_MAX)
        .map(printable)
        .collect()
}
