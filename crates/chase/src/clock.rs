//! Wall clock time: the one place where the program looks at a clock.

use std::time::{Duration, Instant};

/// Measures how long something takes.
///
/// What it says may be reported and must not steer a simulation, which would no longer give
/// the same answers on every machine.
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

    /// Time since the start; starts anew.
    pub fn lap(&mut self) -> Duration {
        let next = Self::start();
        let elapsed = next.started.duration_since(self.started);
        *self = next;
        elapsed
    }
}
