//! The times at which a chaser steps, for the peers that leave this to the app.

use crate::scene::MOVE_TICKS;

/// The time of a chaser's next step. A step that it misses it takes as soon as it can.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    next: u32,
}

impl Pace {
    /// Returns the pace of a chaser, so that each tick has a fourth of all steps.
    pub fn staggered(number: u32) -> Self {
        Self {
            next: number % MOVE_TICKS,
        }
    }

    /// Whether a step is due in this tick.
    pub fn is_due(self, tick: u32) -> bool {
        tick >= self.next
    }

    /// Notes a step.
    pub fn step(&mut self, tick: u32) {
        self.next = tick + MOVE_TICKS;
    }
}
