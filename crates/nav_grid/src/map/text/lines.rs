//! A file as numbered lines.

/// The lines of a file without their ends (LF or CRLF) and without the blank lines at the end
/// of the file.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// What is left, or `None` once the last line is taken.
    rest: Option<&'a [u8]>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        let length = bytes
            .iter()
            .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
            .map_or(0, |last| last + 1);
        Self {
            rest: (length > 0).then_some(&bytes[..length]),
            number: 1,
        }
    }

    /// The number of the next line, 1 for the first; one past the last at the end.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let line = if let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            self.rest = Some(&rest[end + 1..]);
            &rest[..end]
        } else {
            self.rest = None;
            rest
        };
        self.number += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}
