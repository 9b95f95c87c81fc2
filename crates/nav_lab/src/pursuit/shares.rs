//! What became of pursuits, in numbers.

use serde::{Deserialize, Serialize};

/// What became of pursuits, summed over ticks and chasers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// Chasers beside the target, as many as its ring can hold.
    pub beside: u64,
    /// The same of imagined ghosts.
    pub ghosts: u64,
    /// The same of an imagined pack with bodies.
    pub pack: u64,
    /// What the ring can hold.
    pub room: u64,
    /// Searches.
    pub searches: u64,
    /// Steps.
    pub steps: u64,
    /// Steps straight back to where the step before came from.
    pub back: u64,
    /// Chaser seconds.
    pub seconds: u64,
}

impl Shares {
    /// Adds another pursuit.
    pub const fn add(&mut self, other: Self) {
        self.beside += other.beside;
        self.ghosts += other.ghosts;
        self.pack += other.pack;
        self.room += other.room;
        self.searches += other.searches;
        self.steps += other.steps;
        self.back += other.back;
        self.seconds += other.seconds;
    }

    /// Time beside the target, by that of imagined ghosts in as much ring as there is.
    pub fn of_ghosts(&self) -> f64 {
        ratio(self.beside, self.ghosts)
    }

    /// Time beside the target, by that of an imagined pack.
    pub fn of_pack(&self) -> f64 {
        ratio(self.beside, self.pack)
    }

    /// Time beside the target, by that of a ring that is always full.
    pub fn of_ring(&self) -> f64 {
        ratio(self.beside, self.room)
    }

    /// Searches a second of one chaser.
    pub fn searches_a_second(&self) -> f64 {
        ratio(self.searches, self.seconds)
    }

    /// The share of steps straight back.
    pub fn back(&self) -> f64 {
        ratio(self.back, self.steps)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
