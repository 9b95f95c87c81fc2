//! Seeded random numbers, the same on every machine.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// A generator that draws only whole numbers of fixed width.
///
/// Ranges are computed here and not by `rand`, whose method may change between versions and would
/// change every map.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a number from 0 to `bound` - 1; 0 if `bound` is 0. Biased by less than `bound` in
    /// 2³².
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// Returns an index into `len` elements, which must fit 32 bits.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// Returns a number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    /// Returns `true` with a probability of `percent`.
    pub(crate) fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < u32::from(percent)
    }

    /// Shuffles a slice.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.index(last + 1);
            things.swap(last, other);
        }
    }
}
