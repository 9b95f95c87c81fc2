//! Seeded random numbers, the same on every machine.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// A generator from which only whole numbers of fixed width are drawn.
///
/// The ranges are made here and not by `rand`, whose way of doing it may change between
/// versions and with it every map.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 to `bound` - 1; 0 if `bound` is 0. Uneven by less than `bound` in 2³².
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// An index into `len` things, which must fit 32 bits.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// Whether something happens that does in `percent` of all cases.
    pub(crate) fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < u32::from(percent)
    }

    /// Puts things in any order.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.index(last + 1);
            things.swap(last, other);
        }
    }
}
