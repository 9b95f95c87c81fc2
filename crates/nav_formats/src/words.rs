//! Words of a line.

/// Part of a line with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) bytes: &'a [u8],
    /// Column in the line, starting at 1.
    pub(crate) column: usize,
}

/// Returns whether a byte is a space or a tab.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns whether a line contains only spaces and tabs.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_space(byte))
}

/// Trims spaces and tabs from both ends of `part`, before which the line has `offset` bytes.
pub(crate) fn trim(part: &[u8], offset: usize) -> Word<'_> {
    let start = part.iter().take_while(|&&byte| is_space(byte)).count();
    let end = part
        .iter()
        .rposition(|&byte| !is_space(byte))
        .map_or(start, |last| last + 1);
    Word {
        bytes: &part[start..end],
        column: offset + start + 1,
    }
}
