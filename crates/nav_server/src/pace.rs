//! The times at which ticks are due, and what changes them: pauses, single steps and the speed.

use nav_sim::clock::Stopwatch;
use std::time::Duration;

/// Delay above which lost ticks are skipped instead of caught up. A guess.
const STALL: Duration = Duration::from_secs(1);

/// The times at which ticks are due, counted from the first tick, so that there is no drift.
pub(crate) struct Pace {
    hz: u32,
    clock: Stopwatch,
    /// The time of the next tick, by that clock.
    next: Duration,
    /// Ticks begun, and those of them that began late.
    tick: u64,
    late: u64,
    /// Multiple of real time.
    speed: f64,
    is_paused: bool,
    /// Ticks to run while it is paused.
    steps: u16,
}

impl Pace {
    /// Creates a pace of `hz` ticks per second. The first tick is due at once.
    pub(crate) fn new(hz: u32) -> Self {
        Self {
            hz,
            clock: Stopwatch::start(),
            next: Duration::ZERO,
            tick: 0,
            late: 0,
            speed: 1.0,
            is_paused: false,
            steps: 0,
        }
    }

    /// Pauses or resumes. Single ticks that are left do not run any more.
    pub(crate) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.steps = 0;
        self.next = self.clock.elapsed();
    }

    /// Adds ticks to run, if it is paused.
    pub(crate) const fn step(&mut self, ticks: u16) {
        if self.is_paused {
            self.steps = self.steps.saturating_add(ticks);
        }
    }

    /// Changes the speed. An error is a sentence.
    pub(crate) fn set_speed(&mut self, speed: f64) -> Result<(), String> {
        if !(0.1..=10.0).contains(&speed) {
            return Err(format!("the speed must be 0.1 to 10, not {speed}"));
        }
        self.speed = speed;
        self.next = self.clock.elapsed();
        Ok(())
    }

    /// Returns the time until the next tick; `None` if it is due. No tick is due while it [stands
    /// still](Self::is_still).
    pub(crate) fn until_next(&self) -> Option<Duration> {
        if self.is_still() {
            return Some(Duration::MAX);
        }
        let left = self.next.checked_sub(self.clock.elapsed())?;
        (!left.is_zero()).then_some(left)
    }

    /// Begins the tick that is due.
    pub(crate) fn begin_tick(&mut self) {
        let now = self.clock.elapsed();
        let period = Duration::from_secs_f64(1.0 / (f64::from(self.hz.max(1)) * self.speed));
        let behind = now.saturating_sub(self.next);
        self.late += u64::from(behind > period / 2);
        self.next = if behind > STALL { now } else { self.next } + period;
        self.steps = self.steps.saturating_sub(1);
        self.tick += 1;
    }

    /// Returns whether it is paused, with no tick left to run.
    pub(crate) const fn is_still(&self) -> bool {
        self.is_paused && self.steps == 0
    }

    pub(crate) const fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub(crate) const fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns the number of ticks begun.
    pub(crate) const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the number of ticks that began more than half a period late.
    pub(crate) const fn late(&self) -> u64 {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_ticks_belong_to_a_pause() {
        let mut pace = Pace::new(20);
        pace.step(5);
        pace.pause(true);
        assert!(pace.is_still(), "asked for before the pause");
        pace.step(2);
        pace.begin_tick();
        assert!(!pace.is_still());
        pace.begin_tick();
        assert!(pace.is_still());
        pace.step(3);
        pace.pause(false);
        pace.pause(true);
        assert!(pace.is_still(), "left from the pause before");
    }
}
