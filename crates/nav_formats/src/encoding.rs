//! Encodings of text.

/// Returns whether text is in UTF-16, by its byte order mark or by the zeros between its letters.
///
/// Readers of text refuse such files by name. Editors on Windows save it as "Unicode".
pub fn is_utf16(bytes: &[u8]) -> bool {
    match *bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => [a == 0, b == 0] == [c == 0, d == 0] && (a == 0) != (b == 0),
        _ => false,
    }
}

/// Sentence of the refusal.
pub(crate) const REFUSAL: &str =
    "the text is in UTF-16; expected UTF-8: save it with that encoding";
