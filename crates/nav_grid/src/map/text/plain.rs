//! Reading and writing plain-text maps.

use super::{
    error::{TextError, TextProblem},
    lines::Lines,
    rows::{Alphabet, CellRows, RowWidth, write_rows},
};
use crate::map::grid::Grid;

const ALPHABET: Alphabet = Alphabet {
    walkable: b".",
    blocked: b"#",
    expected: "'.' or '#'",
};

/// Whether the first line that is not blank is a comment or starts with a cell.
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
        // A stray character says more about a file that is no map at all than its width does.
        ALPHABET.check(first, lines.number())?;
        let found = first.len();
        return Err(TextProblem::RowTooWide { found }.on_line(lines.number()));
    }
    let width = RowWidth {
        cells: first.len() as u16,
        authority: "first row",
    };
    let rows = CellRows::take(&mut lines, Grid::SIDE_MAX, width, &ALPHABET)?;
    let after = lines.number();
    match lines.next() {
        None => rows
            .to_grid()
            .map_err(|error| TextProblem::Size(error).on_line(after)),
        Some(_) => Err(TextProblem::TooManyRows.on_line(after)),
    }
}

/// Moves `lines` to the first row and returns that row.
fn skip_comments<'a>(lines: &mut Lines<'a>) -> Result<&'a [u8], TextError> {
    loop {
        let here = lines.clone();
        match lines.next() {
            None => return Err(TextProblem::NoRows.on_line(here.number())),
            Some([] | [b';', ..]) => {}
            Some(row) => {
                *lines = here;
                return Ok(row);
            }
        }
    }
}

/// Writes the ground floor of a map, each line of `comment` on top behind `; `.
///
/// [`read`] gives back an equal grid.
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
