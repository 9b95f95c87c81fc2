//! Results of pursuits as numbers.

use serde::{Deserialize, Serialize};

/// Results of pursuits, summed over ticks and chasers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// Chasers beside the target, at most as many as its ring can hold.
    pub beside: u64,
    /// The same for imagined ghosts.
    pub ghosts: u64,
    /// The same for an imagined pack with bodies.
    pub pack: u64,
    /// Chasers that the ring can hold.
    pub room: u64,
    /// Searches.
    pub searches: u64,
    /// Steps.
    pub steps: u64,
    /// Steps straight back to the previous cell.
    pub back: u64,
    /// Steps of the imagined pack.
    pub pack_steps: u64,
    /// Those of them straight back.
    pub pack_back: u64,
    /// Seconds, summed over chasers.
    pub seconds: u64,
}

impl Shares {
    /// Adds the results of another pursuit.
    pub const fn add(&mut self, other: Self) {
        self.beside += other.beside;
        self.ghosts += other.ghosts;
        self.pack += other.pack;
        self.room += other.room;
        self.searches += other.searches;
        self.steps += other.steps;
        self.back += other.back;
        self.pack_steps += other.pack_steps;
        self.pack_back += other.pack_back;
        self.seconds += other.seconds;
    }

    /// Returns the time beside the target as a share of that of imagined ghosts in the same ring.
    pub fn of_ghosts(&self) -> f64 {
        ratio(self.beside, self.ghosts)
    }

    /// Returns the time beside the target as a share of that of an imagined pack.
    pub fn of_pack(&self) -> f64 {
        ratio(self.beside, self.pack)
    }

    /// Returns the time beside the target as a share of that of a full ring.
    pub fn of_ring(&self) -> f64 {
        ratio(self.beside, self.room)
    }

    /// Returns the searches per second of one chaser.
    pub fn searches_a_second(&self) -> f64 {
        ratio(self.searches, self.seconds)
    }

    /// Returns the share of steps straight back.
    pub fn back(&self) -> f64 {
        ratio(self.back, self.steps)
    }

    /// Returns the share of steps straight back of the imagined pack. With a target that trembles
    /// between two cells, bodies that know all turn back, too.
    pub fn pack_back(&self) -> f64 {
        ratio(self.pack_back, self.pack_steps)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
