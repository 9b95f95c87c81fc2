//! A connection that delays, reorders and loses messages, from a seed.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The quality of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// Lost messages of a hundred.
    pub loss: u32,
    /// The most ticks that a message takes; later ones may overtake it.
    pub delay: u64,
}

impl Quality {
    pub const PERFECT: Self = Self { loss: 0, delay: 0 };
    pub const BAD: Self = Self { loss: 10, delay: 5 };
}

/// One direction of a connection.
pub struct Link<T> {
    pub quality: Quality,
    random: Xoshiro256PlusPlus,
    /// The messages by the tick of their arrival, and a random number.
    under_way: Vec<(u64, u32, T)>,
    pub lost: u32,
}

impl<T> Link<T> {
    pub fn new(quality: Quality, seed: u64) -> Self {
        Self {
            quality,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            under_way: Vec::new(),
            lost: 0,
        }
    }

    pub fn send(&mut self, message: T, tick: u64) {
        if self.random.random_range(0..100) < self.quality.loss {
            self.lost += 1;
            return;
        }
        let arrival = tick + self.random.random_range(0..=self.quality.delay);
        self.under_way
            .push((arrival, self.random.random_range(0..u32::MAX), message));
    }

    /// Returns the messages that arrive in a tick, in any order.
    pub fn receive(&mut self, tick: u64) -> Vec<T> {
        let due = |(arrival, ..): &mut (u64, u32, T)| *arrival <= tick;
        let mut arrived: Vec<_> = self.under_way.extract_if(.., due).collect();
        arrived.sort_by_key(|&(_, number, _)| number);
        arrived.into_iter().map(|(.., message)| message).collect()
    }
}
