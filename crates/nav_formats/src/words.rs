//! Words of a line, and numbers in headers of map files.

use super::error::{ParseError, Problem, refuse};
use nav_grid::{
    Grid,
    map::text::{Lines, quote},
};

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

/// Returns the words of a line, which spaces and tabs separate.
pub(crate) fn list(line: &[u8]) -> impl DoubleEndedIterator<Item = Word<'_>> {
    let parts = line.split(|&byte| is_space(byte));
    parts.filter(|word| !word.is_empty()).map(|bytes| Word {
        bytes,
        column: bytes.as_ptr().addr() - line.as_ptr().addr() + 1,
    })
}

/// Reads a header line as words between blanks.
pub(crate) fn read_header<'a, T>(
    lines: &mut Lines<'a>,
    expected: &'static str,
    read: impl FnOnce(&[&'a [u8]]) -> Option<T>,
) -> Result<T, ParseError> {
    // One word more than any valid header line, which is enough to see that a line differs.
    const WORDS_MAX: usize = 3;
    let number = lines.number();
    let Some(line) = lines.next() else {
        return Err(header_ends(expected).on_line(number));
    };
    let words: Vec<&[u8]> = list(line).map(|it| it.bytes).take(WORDS_MAX).collect();
    read(&words).ok_or_else(|| header_line(line, expected).on_line(number))
}

/// Reads the side of a map, 1 to [`Grid::SIDE_MAX`].
pub(crate) fn side(name: &str, value: &[u8]) -> Result<u16, Problem> {
    let (found, most) = (quote(value), Grid::SIDE_MAX);
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        refuse!(
            Value,
            "{name} '{found}' is not a whole number; expected 1 to {most}"
        );
    }
    // The value consists of digits, so that it can only fail by being too large.
    let number = whole(value).and_then(|number| u16::try_from(number).ok());
    number.filter(|it| (1..=most).contains(it)).ok_or_else(|| {
        Problem::Value(format!(
            "{name} {found} is out of range; expected 1 to {most}"
        ))
    })
}

/// Returns the problem of a line that is not one of the header expected at its place.
pub(crate) fn header_line(line: &[u8], expected: &str) -> Problem {
    let found = quote(line);
    Problem::Syntax(format!(
        "unknown header line '{found}'; expected {expected}"
    ))
}

/// Returns the problem of a file that ends inside its header.
pub(crate) fn header_ends(expected: &str) -> Problem {
    Problem::Syntax(format!(
        "the file ends inside the header; expected {expected}"
    ))
}

/// Returns the problem of a line of the header that is repeated.
pub(crate) fn given_twice(name: &str) -> Problem {
    Problem::Value(format!("{name} is given twice"))
}

/// Returns the problem of a file that ends before the number of rows in its header.
pub(crate) fn missing_rows(found: usize, expected: u16) -> Problem {
    Problem::Value(format!(
        "the file ends after {found} rows, expected {expected} as in the header"
    ))
}

/// Returns the problem of a file that continues after the number of rows in its header.
pub(crate) fn extra_rows(expected: u16) -> Problem {
    Problem::Value(format!(
        "text after the last row; expected {expected} rows as in the header"
    ))
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
