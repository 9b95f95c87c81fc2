//! The times at which ticks are due.

use nav_sim::clock::Stopwatch;
use std::time::Duration;

/// Delay above which lost ticks are skipped instead of caught up. A guess.
const STALL: Duration = Duration::from_secs(1);

/// The times at which ticks are due, counted from the first tick, so that there is no drift.
pub(crate) struct Pace {
    clock: Stopwatch,
    /// The time of the next tick, by that clock.
    next: Duration,
    period: Duration,
    /// Ticks that began late.
    late: u64,
}

impl Pace {
    /// Creates a pace of `hz` ticks per second at `speed` times real time. The first tick is due at
    /// once.
    pub(crate) fn new(hz: u32, speed: f64) -> Self {
        Self {
            clock: Stopwatch::start(),
            next: Duration::ZERO,
            period: period(hz, speed),
            late: 0,
        }
    }

    /// Changes the speed.
    pub(crate) fn set(&mut self, hz: u32, speed: f64) {
        self.period = period(hz, speed);
        self.next = self.clock.elapsed();
    }

    /// Returns the time until the next tick; `None` if it is due.
    pub(crate) fn until_next(&self) -> Option<Duration> {
        let left = self.next.checked_sub(self.clock.elapsed())?;
        (!left.is_zero()).then_some(left)
    }

    /// Records the start of the tick that is due.
    pub(crate) fn begin_tick(&mut self) {
        let now = self.clock.elapsed();
        let behind = now.saturating_sub(self.next);
        self.late += u64::from(behind > self.period / 2);
        self.next = if behind > STALL { now } else { self.next } + self.period;
    }

    /// Returns the number of ticks that began more than half a period late.
    pub(crate) const fn late(&self) -> u64 {
        self.late
    }
}

fn period(hz: u32, speed: f64) -> Duration {
    Duration::from_secs_f64(1.0 / (f64::from(hz.max(1)) * speed.clamp(0.01, 100.0)))
}
