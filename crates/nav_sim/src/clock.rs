//! A stopwatch: the only place where the program reads a wall clock.

use std::time::{Duration, Instant};

/// Measures durations.
///
/// They may be reported. They must not steer a simulation, which would then differ between
/// machines.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts a stopwatch.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring cost is what this program is for; the result is only reported"
    )]
    pub fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the time since the start, and starts again from 0.
    pub fn lap(&mut self) -> Duration {
        let next = Self::start();
        let elapsed = next.started.duration_since(self.started);
        *self = next;
        elapsed
    }
}
