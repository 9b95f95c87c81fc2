//! A window as rows of machine words, and its places.

use crate::{bits::around_in, cell::Direction, rules::Footprint};

/// The largest radius of a window whose rows fit in words: 57 columns, and 7 more that a body of
/// 8×8 cells at the right edge covers.
pub(crate) const RADIUS_MAX: u16 = 28;

/// The rows of a window, a word each, with zeros before and behind: for the neighbours of the
/// outermost ones, and up to a multiple of four, which is how many rows waves take at a time.
pub(crate) type WindowRows = [u64; 72];

/// The place of the cell in the middle of every window, on the map or not.
pub(crate) const CENTER: WindowPlace = WindowPlace {
    row: 32,
    column: RADIUS_MAX as u32,
};

/// A cell of a window by column and row index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WindowPlace {
    pub(crate) row: usize,
    pub(crate) column: u32,
}

impl WindowPlace {
    /// Whether the bit of the place is set.
    #[inline]
    pub(crate) fn is_in(self, rows: &WindowRows) -> bool {
        rows[self.row] >> self.column & 1 == 1
    }

    /// The neighbour in a direction, which must be in the window.
    #[inline]
    pub(crate) fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self {
            row: self.row.wrapping_add_signed(dy as isize),
            column: self.column.wrapping_add_signed(dx),
        }
    }

    /// The bits around the place, as a move table index.
    #[inline]
    pub(crate) fn around(self, rows: &WindowRows) -> usize {
        // One place further left, so that column 0 has a left neighbour.
        let three = |row: usize| (rows[row] << 1 >> self.column & 0b111) as u16;
        around_in([three(self.row - 1), three(self.row), three(self.row + 1)])
    }
}

/// Leaves the bits of those upper left corners at which a body covers set bits only.
pub(crate) fn shrink(rows: &mut WindowRows, footprint: Footprint) {
    let side = usize::from(footprint.side());
    for row in rows.iter_mut() {
        let cells = *row;
        for column in 1..side {
            *row &= cells >> column;
        }
    }
    for row in 0..rows.len() {
        for below in 1..side {
            rows[row] &= rows.get(row + below).copied().unwrap_or(0);
        }
    }
}
