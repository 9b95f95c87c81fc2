//! The cell that a body stands on and its footprint, in one word.

use nav_grid::{Cell, Footprint};

/// A cell and the footprint of a body there, in the lowest 48 bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footing(u64);

impl Footing {
    /// How many bits it has.
    pub(crate) const BITS: u32 = 48;

    /// Where the side of the footprint is.
    const SIDE: u32 = 40;

    #[inline]
    pub(crate) const fn new(cell: Cell, footprint: Footprint) -> Self {
        let cell = (cell.x as u64) | (cell.y as u64) << 16 | (cell.floor as u64) << 32;
        Self(cell | (footprint.side() as u64) << Self::SIDE)
    }

    /// That of the lowest bits of a word.
    #[inline]
    pub(crate) const fn from_word(word: u64) -> Self {
        Self(word & ((1 << Self::BITS) - 1))
    }

    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) const fn cell(self) -> Cell {
        Cell {
            x: self.0 as u16,
            y: (self.0 >> 16) as u16,
            floor: (self.0 >> 32) as u8,
        }
    }

    #[inline]
    pub(crate) fn footprint(self) -> Footprint {
        Footprint::new((self.0 >> Self::SIDE) as u8).unwrap_or_default()
    }
}
