//! Rows of characters, one a cell: what the plain formats have in common.

use super::{ParseError, Problem, error::quote_first, lines::Lines};
use crate::{Cell, Grid};

/// Which characters mean a cell.
pub(super) struct Alphabet {
    pub(super) walkable: &'static [u8],
    pub(super) blocked: &'static [u8],
    /// All of them in words, for errors.
    pub(super) expected: &'static str,
}

impl Alphabet {
    pub(super) fn check(&self, row: &[u8], line: usize) -> Result<(), ParseError> {
        let known = |byte| self.walkable.contains(byte) || self.blocked.contains(byte);
        match row.iter().position(|byte| !known(byte)) {
            None => Ok(()),
            Some(index) => Err(Problem::UnknownCharacter {
                found: quote_first(&row[index..]),
                expected: self.expected,
            }
            .at(line, index + 1)),
        }
    }
}

/// How wide rows must be, and what says so.
pub(super) struct Width {
    pub(super) cells: u16,
    pub(super) authority: &'static str,
}

/// Rows of equal width whose every character means a cell.
///
/// Holds slices of the input, so that a grid is made only after all of its cells were seen.
pub(super) struct Rows<'a> {
    list: Vec<&'a [u8]>,
    width: Width,
    alphabet: &'a Alphabet,
}

impl<'a> Rows<'a> {
    /// Takes up to `rows_max` rows from `lines`.
    pub(super) fn take(
        lines: &mut Lines<'a>,
        rows_max: u16,
        width: Width,
        alphabet: &'a Alphabet,
    ) -> Result<Self, ParseError> {
        let mut list = Vec::new();
        while list.len() < usize::from(rows_max) {
            let line = lines.number();
            let Some(row) = lines.next() else { break };
            alphabet.check(row, line)?;
            if row.len() != usize::from(width.cells) {
                return Err(Problem::RowWidth {
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

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The cells as a grid. Both sides must be in range, which the formats check where they
    /// learn them.
    pub(super) fn to_grid(&self) -> Grid {
        Grid::from_fn(self.width.cells, self.list.len() as u16, |cell| {
            let byte = self.list[usize::from(cell.y)][usize::from(cell.x)];
            self.alphabet.walkable.contains(&byte)
        })
        .expect("the reader checked both sides")
    }
}

/// Appends the ground floor, each row ended by LF.
pub(super) fn write(grid: &Grid, walkable: char, blocked: char, out: &mut String) {
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
