//! Random numbers that random cases are drawn with.

use nav_grid::{Cell, Size};

/// A small generator of random numbers.
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The generator of a seed; that of an even one is that of the next.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % end
    }

    /// One of some, of which there must be one.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    /// A cell of maps of a size.
    pub fn cell(&mut self, size: Size) -> Cell {
        Cell {
            x: self.below(size.width.into()) as u16,
            y: self.below(size.height.into()) as u16,
            floor: self.below(size.floors.into()) as u8,
        }
    }
}
