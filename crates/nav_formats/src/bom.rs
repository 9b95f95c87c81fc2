//! Byte order mark, which editors of Windows put at the start of text.

const UTF_8: &[u8] = b"\xef\xbb\xbf";

/// Removes a byte order mark of UTF-8. Positions in errors do not count it.
pub(crate) fn strip(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF_8).unwrap_or(bytes)
}
