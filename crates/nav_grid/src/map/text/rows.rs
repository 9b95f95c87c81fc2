//! Rows of characters, one a cell: what plain-text formats have in common.

use super::{
    error::{TextError, TextProblem, quote_first},
    lines::Lines,
};
use crate::{
    cell::Cell,
    map::{grid::Grid, size::GridError},
};

/// Which characters mean a cell.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// Those of walkable cells.
    pub walkable: &'static [u8],
    /// Those of blocked cells.
    pub blocked: &'static [u8],
    /// All of them in words, for errors.
    pub expected: &'static str,
}

impl Alphabet {
    /// Checks that every character of a row means a cell.
    ///
    /// # Errors
    ///
    /// [`TextError`] at the first one that does not.
    pub fn check(&self, row: &[u8], line: usize) -> Result<(), TextError> {
        let known = |byte| self.walkable.contains(byte) || self.blocked.contains(byte);
        match row.iter().position(|byte| !known(byte)) {
            None => Ok(()),
            Some(index) => Err(TextProblem::UnknownCharacter {
                found: quote_first(&row[index..]),
                expected: self.expected,
            }
            .at(line, index + 1)),
        }
    }
}

/// How wide rows must be, and what says so.
#[derive(Clone, Copy, Debug)]
pub struct RowWidth {
    /// Number of cells.
    pub cells: u16,
    /// What sets it, for errors: `first row` or `header`.
    pub authority: &'static str,
}

/// Rows of equal width whose every character means a cell.
///
/// Holds slices of the input, so that a grid is made only after all of its cells were seen.
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
                return Err(TextProblem::RowWidth {
                    found: row.len(),
                    expected: width.cells,
                    authority: width.authority,
                }
                .on_line(line));
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

    /// The cells as a grid.
    ///
    /// # Errors
    ///
    /// [`GridError`] when there is no grid of so many columns and rows.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        Grid::from_fn(self.width.cells, self.list.len() as u16, |cell| {
            let byte = self.list[usize::from(cell.y)][usize::from(cell.x)];
            self.alphabet.walkable.contains(&byte)
        })
    }
}

/// Appends the ground floor, each row ended by LF.
pub fn write_rows(grid: &Grid, walkable: char, blocked: char, out: &mut String) {
    out.reserve(usize::from(grid.height()) * (usize::from(grid.width()) + 1));
    for y in 0..grid.height() {
        out.extend((0..grid.width()).map(|x| {
            if grid.is_walkable(Cell::new(x, y)) {
                walkable
            } else {
                blocked
            }
        }));
        out.push('\n');
    }
}
