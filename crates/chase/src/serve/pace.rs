//! The moments at which ticks are due.

use crate::clock::Stopwatch;
use std::time::Duration;

/// A host that is so far behind does not run after what it lost.
const STALL: Duration = Duration::from_secs(1);

/// The moments at which ticks are due, counted from the first one, so that nothing drifts.
pub(super) struct Pace {
    clock: Stopwatch,
    /// When the next tick is due, on that clock.
    next: Duration,
    period: Duration,
    /// Ticks that began later than they were due.
    late: u64,
}

impl Pace {
    /// Ticks of so many a second at `speed` times real time, the first one at once.
    pub(super) fn new(hz: u32, speed: f64) -> Self {
        Self {
            clock: Stopwatch::start(),
            next: Duration::ZERO,
            period: period(hz, speed),
            late: 0,
        }
    }

    /// Another speed from now on.
    pub(super) fn set(&mut self, hz: u32, speed: f64) {
        self.period = period(hz, speed);
        self.next = self.clock.elapsed();
    }

    /// How long it is until the next tick is due; nothing if it is.
    pub(super) fn until_next(&self) -> Option<Duration> {
        let left = self.next.checked_sub(self.clock.elapsed())?;
        (!left.is_zero()).then_some(left)
    }

    /// Notes that the tick which is due begins.
    pub(super) fn begin_tick(&mut self) {
        let now = self.clock.elapsed();
        let behind = now.saturating_sub(self.next);
        self.late += u64::from(behind > self.period / 2);
        self.next = if behind > STALL { now } else { self.next } + self.period;
    }

    /// Ticks that began more than half a period after they were due.
    pub(super) const fn late(&self) -> u64 {
        self.late
    }
}

fn period(hz: u32, speed: f64) -> Duration {
    Duration::from_secs_f64(1.0 / (f64::from(hz.max(1)) * speed.clamp(0.01, 100.0)))
}
