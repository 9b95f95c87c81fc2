//! A stopwatch: the only place where the program reads a wall clock.

use std::time::{Duration, Instant};

/// Measures how long something takes.
///
/// Its times may be reported. They must not steer a simulation, which would then give other
/// answers on other machines.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// A stopwatch that runs from now on.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring cost is what this program is for; the result is only reported"
    )]
    pub fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the start; starts again from 0.
    pub fn lap(&mut self) -> Duration {
        let next = Self::start();
        let elapsed = next.started.duration_since(self.started);
        *self = next;
        elapsed
    }
}
