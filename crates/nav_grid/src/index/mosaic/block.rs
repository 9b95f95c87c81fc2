//! Blocks of uniform ground, and the rings of cells around them.

use crate::cell::Cell;

/// Rows and columns of the largest block, as a power of two: a whole tile.
pub(crate) const LEVEL_MAX: u8 = 6;

/// The greatest number of cells on the ring of a block.
pub(crate) const RING_MAX: usize = 4 * 63;

/// A square of `2^level` columns and rows, at a multiple of its side.
///
/// Its *ring* is the outermost cells, clockwise from the upper left one. Its four *sides* also run
/// clockwise, each from one corner to the next. So a quarter turn maps each side to the next, and
/// one rule serves all four. Two sides share each corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) origin: Cell,
    pub(crate) level: u8,
}

impl Block {
    /// The block of this level that holds a cell.
    #[inline]
    pub(crate) const fn around(cell: Cell, level: u8) -> Self {
        let mask = u16::MAX << level;
        let origin = Cell::new(cell.x & mask, cell.y & mask).on_floor(cell.floor);
        Self { origin, level }
    }

    #[inline]
    pub(crate) const fn side(self) -> u16 {
        1 << self.level
    }

    /// The lower right cell.
    pub(crate) const fn last(self) -> Cell {
        let further = self.side() - 1;
        self.origin.moved(further, further)
    }

    #[inline]
    pub(crate) fn contains(self, cell: Cell) -> bool {
        Self::around(cell, self.level) == self
    }

    /// The number of cells on the ring.
    #[inline]
    pub(crate) const fn ring_len(self) -> usize {
        match self.level {
            0 => 1,
            _ => 4 * (self.side() as usize - 1),
        }
    }

    /// The cell of the ring with a number below [`Block::ring_len`].
    #[inline]
    pub(crate) const fn ring_cell(self, index: usize) -> Cell {
        if self.level == 0 {
            return self.origin;
        }
        let further = self.side() - 1;
        let side = index as u16 / further;
        self.side_cell(side as usize, index as u16 % further)
    }

    /// The cell `along` cells into one of the sides: top, right, bottom, left.
    #[inline]
    pub(crate) const fn side_cell(self, side: usize, along: u16) -> Cell {
        let further = self.side() - 1;
        let (dx, dy) = match side {
            0 => (along, 0),
            1 => (further, along),
            2 => (further - along, further),
            _ => (0, further - along),
        };
        self.origin.moved(dx, dy)
    }

    /// The number in the ring of the cell `along` cells into a side.
    #[inline]
    pub(crate) const fn side_index(self, side: usize, along: usize) -> usize {
        let index = side * (self.side() as usize - 1) + along;
        if index == self.ring_len() { 0 } else { index }
    }

    /// The number in the ring of a cell of the ring.
    #[inline]
    pub(crate) const fn ring_index(self, cell: Cell) -> usize {
        if self.level == 0 {
            return 0;
        }
        let further = self.side() as usize - 1;
        let (dx, dy) = (cell.x - self.origin.x, cell.y - self.origin.y);
        let (dx, dy) = (dx as usize, dy as usize);
        if dy == 0 {
            dx
        } else if dx == further {
            further + dy
        } else if dy == further {
            3 * further - dx
        } else {
            4 * further - dy
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_run_clockwise() {
        for level in 0..=LEVEL_MAX {
            let block = Block::around(Cell::new(75, 140), level);
            assert!(block.contains(Cell::new(75, 140)));
            let ring: Vec<Cell> = (0..block.ring_len())
                .map(|index| block.ring_cell(index))
                .collect();
            assert_eq!(ring[0], block.origin);
            for (index, &cell) in ring.iter().enumerate() {
                assert!(block.contains(cell));
                assert_eq!(block.ring_index(cell), index);
                let next = ring[(index + 1) % ring.len()];
                assert_eq!(cell.manhattan(next), u32::from(level > 0));
            }
            for side in (0..4).filter(|_| level > 0) {
                for along in 0..block.side() {
                    let cell = block.side_cell(side, along);
                    assert_eq!(block.side_index(side, along.into()), block.ring_index(cell));
                }
            }
        }
    }
}
