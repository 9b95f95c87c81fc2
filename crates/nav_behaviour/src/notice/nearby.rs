//! Where somebody may be near: a coarse look, before the one at who it is.

use nav_grid::Cell;

/// The blocks of 8×8 cells near anybody who can be noticed, on whatever map and floor: of an agent in
/// another block nothing is read but its place and its range.
///
/// A grid of bits for each class of ranges that is in use, small enough for the nearest cache. Blocks
/// 256 apart share a bit, so that maps of any size do with it.
pub(super) struct Nearby {
    bits: Vec<u64>,
    /// For how many ticks nobody asked that was near somebody, for each class; at the most, its grid is
    /// full and nothing is marked.
    unasked: [u16; CLASSES],
}

/// Cells from one class of ranges to the next, as a shift.
const GRAIN: u16 = 2;

/// Classes of which there are grids; those of greater ranges, beyond 32 cells, share one that is full.
const CLASSES: usize = 9;

/// Columns and rows of a block, as a shift.
const BLOCK: u16 = 3;

/// Columns and rows of blocks of a grid.
const SIDE: usize = 256;

/// Words of a grid.
const WORDS: usize = SIDE * SIDE / 64;

/// After so many ticks in which nobody asked, nothing is marked.
const UNASKED_MAX: u16 = 1024;

impl Default for Nearby {
    fn default() -> Self {
        Self {
            bits: vec![u64::MAX; WORDS * (CLASSES + 1)],
            unasked: [UNASKED_MAX; CLASSES],
        }
    }
}

/// The class of a range.
fn class(range: u16) -> usize {
    usize::from(range).div_ceil(1 << GRAIN).min(CLASSES)
}

/// The word and the bit of a block in a grid.
const fn bit(column: u16, row: u16) -> (usize, u32) {
    let (column, row) = (column as usize % SIDE, row as usize % SIDE);
    (row * (SIDE / 64) + column / 64, column as u32 % 64)
}

impl Nearby {
    /// Marks the surroundings of cells for the classes of ranges that were asked for, by their numbers.
    pub(super) fn update(
        &mut self,
        cells: impl Iterator<Item = Cell> + Clone,
        asked: AskedClasses,
    ) {
        for (class, unasked) in self.unasked.iter_mut().enumerate() {
            let grid = &mut self.bits[class * WORDS..][..WORDS];
            let before = *unasked;
            *unasked = if asked.0 >> class & 1 != 0 {
                0
            } else {
                (before + 1).min(UNASKED_MAX)
            };
            if *unasked < UNASKED_MAX {
                grid.fill(0);
                let reach = (class as u16) << GRAIN;
                cells.clone().for_each(|cell| mark(grid, cell, reach));
            } else if before < UNASKED_MAX {
                grid.fill(u64::MAX);
            }
        }
    }

    /// Whether anybody may be within range of a cell; notes the class of the range then.
    #[inline]
    pub(super) fn may_be(&self, cell: Cell, range: u16, asked: &mut AskedClasses) -> bool {
        let class = class(range);
        let (word, bit) = bit(cell.x >> BLOCK, cell.y >> BLOCK);
        let may_be = self.bits[class * WORDS + word] >> bit & 1 != 0;
        if may_be {
            asked.0 |= 1 << class;
        }
        may_be
    }
}

/// Marks the blocks of all cells within so many columns and rows of one.
fn mark(grid: &mut [u64], cell: Cell, reach: u16) {
    let span = |at: u16| at.saturating_sub(reach) >> BLOCK..=at.saturating_add(reach) >> BLOCK;
    for row in span(cell.y) {
        for column in span(cell.x) {
            let (word, bit) = bit(column, row);
            grid[word] |= 1 << bit;
        }
    }
}

/// The classes of ranges of which somebody may have been near somebody, a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct AskedClasses(u16);

impl AskedClasses {
    /// These and others.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_within_range_may_be_near_and_others_mostly_not() {
        let cells = [
            Cell::new(3, 700),
            Cell::new(2047, 2049),
            Cell::new(65535, 9),
        ];
        for range in [0, 1, 4, 9, 16, 31, 32, 33, 500] {
            let mut nearby = Nearby::default();
            let mut asked = AskedClasses::default();
            assert!(
                nearby.may_be(Cell::new(1000, 1000), range, &mut asked),
                "unmarked"
            );
            nearby.update(cells.into_iter(), asked);
            for y in (0..3000).step_by(7).chain([65535]) {
                for x in (0..3000).step_by(5).chain([65535]) {
                    let at = Cell::new(x, y);
                    let is_near = cells.iter().any(|cell| cell.chebyshev(at) <= range);
                    let may_be = nearby.may_be(at, range, &mut AskedClasses::default());
                    assert!(may_be || !is_near, "{at}, {range}");
                }
            }
            let far = nearby.may_be(Cell::new(1000, 1000), range, &mut AskedClasses::default());
            assert_eq!(far, range > 32, "{range}");
        }
        let mut asked = AskedClasses::default();
        let mut nearby = Nearby::default();
        assert!(nearby.may_be(Cell::new(1000, 1000), 9, &mut asked));
        nearby.update(cells.into_iter(), asked);
        assert!(!nearby.may_be(Cell::new(1000, 1000), 9, &mut asked));
        for _ in 0..=UNASKED_MAX {
            nearby.update(cells.into_iter(), AskedClasses::default());
        }
        assert!(nearby.may_be(Cell::new(1000, 1000), 9, &mut AskedClasses::default()));
    }
}
