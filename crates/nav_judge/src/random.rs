//! Random numbers for random cases.

use nav_grid::{Cell, Size};

/// Small generator of random numbers.
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// Creates a generator. An even seed gives the same numbers as the next odd one.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % end
    }

    /// Returns one of some values, which must not be empty.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    /// Returns a random cell of maps of this size.
    pub fn cell(&mut self, size: Size) -> Cell {
        Cell {
            x: self.below(size.width.into()) as u16,
            y: self.below(size.height.into()) as u16,
            floor: self.below(size.floors.into()) as u8,
        }
    }
}
