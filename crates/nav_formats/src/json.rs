//! JSON documents of map editors.

use crate::{error::Position, quote::said};
use serde::Deserialize;

/// Parses a document. Of invalid JSON it returns where it is wrong, and what the parser said.
pub(crate) fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, (Position, String)> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The sentence of the parser ends with the position, which has its own field.
        let sentence = error.to_string();
        let words = sentence.split(" at line ").next().unwrap_or_default();
        let position = Position::Line {
            line: error.line().max(1),
            column: Some(error.column().max(1)),
        };
        (position, said(words))
    })
}
