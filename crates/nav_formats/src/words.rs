//! Blanks in a line, and the words between them.

/// Part of a line, and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) bytes: &'a [u8],
    /// Column in the line, 1 for the first.
    pub(crate) column: usize,
}

/// Whether a byte is a space or a tab.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a line has nothing in it but spaces and tabs.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_space(byte))
}

/// `part` without the spaces and tabs at both ends; `offset` bytes of the line stand before it.
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
