//! JSON documents of map editors.

use crate::{
    error::{ParseError, Position, Problem},
    quote::said,
};
use nav_grid::map::text::skip_mark;
use serde::Deserialize;

/// Returns whether a text begins with two parts, blanks and a byte order mark aside.
pub(crate) fn starts_with(bytes: &[u8], first: &str, second: &str) -> bool {
    let bytes = skip_mark(bytes).trim_ascii_start();
    let rest = bytes.strip_prefix(first.as_bytes());
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(second.as_bytes()))
}

/// Parses a document.
///
/// # Errors
///
/// The JSON is invalid, with its position and the words of the parser.
pub(crate) fn parse_json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, ParseError> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The sentence of the parser ends with the position, which has its own field.
        let sentence = error.to_string();
        let words = sentence.split(" at line ").next().unwrap_or_default();
        let problem = Problem::Syntax(format!("the JSON cannot be read: {}", said(words)));
        problem.at(Position::Line {
            line: error.line().max(1),
            column: Some(error.column().max(1)),
        })
    })
}
