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

/// The time since 1970, by which processes on several machines agree on what tick it is.
#[cfg(feature = "zones")]
#[expect(
    clippy::disallowed_methods,
    reason = "zones that run in real time have nothing else in common"
)]
pub(crate) fn since_1970() -> Duration {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
}
