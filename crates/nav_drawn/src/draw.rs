//! Random choices from a seed.

use nav_grid::{Area, Cell, Size};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// A source of random choices.
#[derive(Clone)]
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// Makes a source from a seed: equal seeds draw equal values.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws a number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end as u32) as usize
    }

    /// Draws a number of a range, ends included.
    pub fn number(&mut self, first: u16, last: u16) -> u16 {
        self.0.random_range(first..=last)
    }

    /// Draws true with a probability of `percent` in a hundred.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100_u32) < percent
    }

    /// Draws one of some choices.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Draws one of some choices by their weights.
    pub fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = self.0.random_range(0..total);
        for &(weight, choice) in choices {
            if at < weight {
                return choice;
            }
            at -= weight;
        }
        unreachable!("below the sum of all weights")
    }

    /// Draws a cell of a map.
    pub(super) fn cell(&mut self, size: Size) -> Cell {
        let (x, y) = self.column_and_row(size);
        Cell::new(x, y).on_floor(self.below(size.floors.into()) as u8)
    }

    fn column_and_row(&mut self, size: Size) -> (u16, u16) {
        let x = self.number(0, size.width - 1);
        (x, self.number(0, size.height - 1))
    }

    /// Draws a cell at most `far` columns and rows from another one, which may be beyond the map.
    pub(super) fn near(&mut self, cell: Cell, far: u16) -> Cell {
        Cell {
            x: (cell.x + self.number(0, 2 * far)).saturating_sub(far),
            y: (cell.y + self.number(0, 2 * far)).saturating_sub(far),
            ..cell
        }
    }

    /// Draws an area of a map, of at most `more` cells besides the first in each direction.
    pub(super) fn area(&mut self, size: Size, more: u16) -> Area {
        let (x, y) = self.column_and_row(size);
        let last = Cell::new(x + self.number(0, more), y + self.number(0, more));
        let floor = self.below(size.floors.into()) as u8;
        Area::new(Cell::new(x, y).on_floor(floor), last).clipped(size)
    }

    /// Draws a seed for another source.
    pub fn seed(&mut self) -> u64 {
        self.0.random_range(0..=u64::MAX)
    }
}
