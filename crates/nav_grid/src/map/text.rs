//! Maps drawn in plain text: [`read`], [`write`](write()), [`looks_like`].
//!
//! Lines that start with `;` are comments. Comments and blank lines may precede the map. The rows
//! follow, all equally wide: `.` is a walkable cell, `#` a blocked one. Lines end in LF or CRLF.
//! Blank lines at the end of the file and a byte order mark are skipped.
//!
//! ```text
//! ; A yard with one gate.
//! #####
//! #...#
//! ##.##
//! ```
//!
//! [`Lines`], [`CellRows`], [`Alphabet`] and [`RowWidth`] serve readers of other plain-text
//! formats too. These report [`TextError`]s.

use super::{grid::Grid, size::GridError};
use crate::cell::Cell;
use std::fmt;

const ALPHABET: Alphabet = Alphabet {
    walkable: b".",
    blocked: b"#",
    expected: "'.' or '#'",
};

/// Whether the first line that is not blank is a comment or starts with a cell, as [`read`]
/// expects.
pub fn looks_like(bytes: &[u8]) -> bool {
    Lines::new(bytes)
        .find(|line| !line.is_empty())
        .is_some_and(|line| matches!(line.first(), Some(b';' | b'.' | b'#')))
}

/// Reads a map.
///
/// # Errors
///
/// [`TextError`] when there is no row, a character is neither `.` nor `#`, rows differ in
/// width, or a side exceeds [`Grid::SIDE_MAX`].
pub fn read(bytes: &[u8]) -> Result<Grid, TextError> {
    let mut lines = Lines::new(bytes);
    let first = skip_comments(&mut lines)?;
    if first.len() > usize::from(Grid::SIDE_MAX) {
        // In a file that is no map, a stray character explains more than the width of the line.
        ALPHABET.check(first, lines.number())?;
        let found = first.len();
        return Err(TextProblem::RowTooWide { found }.at(lines.number(), None));
    }
    let width = RowWidth {
        cells: first.len() as u16,
        authority: "first row",
    };
    let rows = CellRows::take(&mut lines, Grid::SIDE_MAX, width, &ALPHABET)?;
    let after = lines.number();
    if lines.next().is_some() {
        return Err(TextProblem::TooManyRows.at(after, None));
    }
    rows.to_grid()
        .map_err(|error| TextProblem::Size(error).at(after, None))
}

/// Moves `lines` to the first row and returns that row.
fn skip_comments<'a>(lines: &mut Lines<'a>) -> Result<&'a [u8], TextError> {
    loop {
        let here = lines.clone();
        match lines.next() {
            None => return Err(TextProblem::NoRows.at(here.number(), None)),
            Some([] | [b';', ..]) => {}
            Some(row) => {
                *lines = here;
                return Ok(row);
            }
        }
    }
}

/// Writes the ground floor of a map below `comment`, each line of which gets the prefix `; `.
///
/// [`read`] returns an equal grid.
pub fn write(grid: &Grid, comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        out.push_str("; ");
        out.push_str(line);
        // No space at the end of an empty comment line.
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    write_rows(grid, '.', '#', &mut out);
    out
}

/// Appends the ground floor in the form of this [module](self), each row ended by LF.
pub fn write_rows(grid: &Grid, walkable: char, blocked: char, out: &mut String) {
    out.reserve(usize::from(grid.height()) * (usize::from(grid.width()) + 1));
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let is_walkable = grid.is_walkable(Cell::new(x, y));
            out.push(if is_walkable { walkable } else { blocked });
        }
        out.push('\n');
    }
}

/// The characters that mean a cell.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// The characters of walkable cells.
    pub walkable: &'static [u8],
    /// The characters of blocked cells.
    pub blocked: &'static [u8],
    /// All of them in words, for errors.
    pub expected: &'static str,
}

impl Alphabet {
    /// Checks that every character of a row means a cell.
    ///
    /// # Errors
    ///
    /// [`TextError`] at the first other character.
    pub fn check(&self, row: &[u8], line: usize) -> Result<(), TextError> {
        let unknown = row
            .iter()
            .position(|byte| !(self.walkable.contains(byte) || self.blocked.contains(byte)));
        let Some(index) = unknown else {
            return Ok(());
        };
        let problem = TextProblem::UnknownCharacter {
            found: quote_first(&row[index..]),
            expected: self.expected,
        };
        Err(problem.at(line, Some(index + 1)))
    }
}

/// The required width of rows, and the part of the file that sets it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RowWidth {
    /// Number of cells.
    pub cells: u16,
    /// The source of the number, for errors: `first row` or `header`.
    pub authority: &'static str,
}

/// Rows of equal width whose every character means a cell.
///
/// Holds slices of the input, so no memory is allocated for a grid before all rows are checked.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct CellRows<'a> {
    list: Vec<&'a [u8]>,
    width: RowWidth,
    alphabet: &'a Alphabet,
}

impl<'a> CellRows<'a> {
    /// Takes up to `rows_max` rows from `lines`.
    ///
    /// # Errors
    ///
    /// [`TextError`] at the first row of another width, or with a character that means no cell.
    pub fn take(
        lines: &mut Lines<'a>,
        rows_max: u16,
        width: RowWidth,
        alphabet: &'a Alphabet,
    ) -> Result<Self, TextError> {
        let mut list = Vec::new();
        while list.len() < usize::from(rows_max) {
            let line = lines.number();
            let Some(row) = lines.next() else { break };
            alphabet.check(row, line)?;
            if row.len() != usize::from(width.cells) {
                let problem = TextProblem::RowWidth {
                    found: row.len(),
                    expected: width.cells,
                    authority: width.authority,
                };
                return Err(problem.at(line, None));
            }
            list.push(row);
        }
        Ok(Self {
            list,
            width,
            alphabet,
        })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Makes a grid of the cells.
    ///
    /// # Errors
    ///
    /// [`GridError`] when a grid cannot have this size.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        Grid::from_fn(self.width.cells, self.list.len() as u16, |cell| {
            let byte = self.list[usize::from(cell.y)][usize::from(cell.x)];
            self.alphabet.walkable.contains(&byte)
        })
    }
}

/// The lines of a file without their ends (LF or CRLF) and without the blank lines at the end
/// of the file.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// The unread part, or `None` after the last line.
    rest: Option<&'a [u8]>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a file. A byte order mark of UTF-8 before the first one is skipped, and columns
    /// do not count it.
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = skip_mark(bytes);
        let last = bytes
            .iter()
            .rposition(|byte| !matches!(byte, b'\n' | b'\r'));
        Self {
            rest: last.map(|last| &bytes[..=last]),
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
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.rest = end.map(|end| &rest[end + 1..]);
        self.number += 1;
        let line = &rest[..end.unwrap_or(rest.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// Why a [plain-text map](self) cannot be read, and where.
///
/// Prints as one sentence with the line, such as
/// `line 9: row has 17 cells, expected 20 as in the first row`. Bytes of the file appear in it
/// escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextError {
    /// Line, 1 for the first; one past the last where something is missing at the end.
    pub line: usize,
    /// Column in bytes, 1 for the first; `None` where the whole line is meant.
    pub column: Option<usize>,
    /// The problem found there.
    pub problem: TextProblem,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}, column {column}: {}", self.line, self.problem),
            None => write!(f, "line {}: {}", self.line, self.problem),
        }
    }
}

// No source: the problem is part of this error's own sentence and would be printed twice.
impl std::error::Error for TextError {}

/// A problem with the rows of a [plain-text map](self).
///
/// `found` is text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextProblem {
    /// The file ends before the first row of cells.
    #[error("no rows; expected at least one row of cells")]
    NoRows,
    /// A character in a row means no cell.
    #[error("unknown character '{found}'; expected {expected}")]
    UnknownCharacter {
        /// The character, or the byte if it is not UTF-8.
        found: String,
        /// The characters that mean a cell.
        expected: &'static str,
    },
    /// A row is longer or shorter than the others.
    #[error("row has {found} cells, expected {expected} as in the {authority}")]
    RowWidth {
        /// Cells in the row.
        found: usize,
        /// Cells in every other row.
        expected: u16,
        /// The source of the width: `first row` or `header`.
        authority: &'static str,
    },
    /// The first row is longer than a map may be wide.
    #[error("row has {found} cells; expected 1 to {max}", max = Grid::SIDE_MAX)]
    RowTooWide {
        /// Cells in the row.
        found: usize,
    },
    /// The file has more rows than a map may be high.
    #[error("too many rows; expected 1 to {max}", max = Grid::SIDE_MAX)]
    TooManyRows,
    /// A map cannot have this number of columns and rows.
    #[error(transparent)]
    Size(GridError),
}

impl TextProblem {
    /// This problem at a place: a column, or the whole line.
    fn at(self, line: usize, column: Option<usize>) -> TextError {
        TextError {
            line,
            column,
            problem: self,
        }
    }
}

/// A text for [`read`] without the byte order mark of UTF-8, which editors of Windows put before
/// it.
pub fn skip_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Text of a file as a [`TextError`] prints it: bytes that are unprintable or not UTF-8 are
/// escaped, and text of more than 40 characters is cut.
pub fn quote(bytes: &[u8]) -> String {
    // Long enough to recognize the place, short enough for one line of a log.
    const CHARACTERS_MAX: usize = 40;
    let mut rest = characters(bytes);
    let mut text: String = rest.by_ref().take(CHARACTERS_MAX).collect();
    if rest.next().is_some() {
        text.push_str("...");
    }
    text
}

/// The first character of `bytes` as a [`TextError`] prints it.
pub fn quote_first(bytes: &[u8]) -> String {
    characters(bytes).next().unwrap_or_default()
}

fn characters(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let characters = chunk.valid().chars();
        let valid = characters.map(|character| character.escape_debug().to_string());
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        valid.chain(invalid)
    })
}
