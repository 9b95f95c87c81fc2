//! Chance, from a seed.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// Draws whatever a scene is made of.
#[derive(Clone)]
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// Chance from a seed: equal seeds draw alike.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end as u32) as usize
    }

    /// A number of a range, ends included.
    pub fn number(&mut self, first: u16, last: u16) -> u16 {
        self.0.random_range(first..=last)
    }

    /// Whether something happens that does so in so many cases of a hundred.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100_u32) < percent
    }

    /// One of some.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of some that come with weights.
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

    /// A seed for another maker.
    pub fn seed(&mut self) -> u64 {
        self.0.random_range(0..=u64::MAX)
    }
}
