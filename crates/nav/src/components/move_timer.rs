//! When a chaser may step.

use crate::{NavTime, Period};
use bevy_ecs::prelude::*;
use nav_grid::rules::Cost;

/// When a chaser may take its next step.
///
/// The moment it comes is its *move tick*; it advances at most one waypoint per move tick and
/// at most once per run of the schedule, however long that took. Time lost to a slow tick is
/// not made up for: bodies do not dash.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct MoveTimer {
    /// The next move tick.
    pub next_step: NavTime,
    /// Time between move ticks while there is something to follow, or the target within reach moved
    /// within the last second; 250 ms by default.
    pub chasing: Period,
    /// Time between move ticks otherwise; 500 ms by default. Also the longest that a chaser with nothing
    /// to follow takes to set off. One that rests within reach sets off when its target does: at its
    /// next [`chasing`](Self::chasing) beat, or in that very tick if at most 32 chase the target. One that
    /// waited [seven times](super::NavTimer::waits) for others who wait looks half as often: the first of them
    /// that leaves wakes it.
    pub idle: Period,
}

impl Default for MoveTimer {
    fn default() -> Self {
        Self {
            next_step: NavTime::default(),
            chasing: Period::from_millis(250),
            idle: Period::from_millis(500),
        }
    }
}

impl MoveTimer {
    /// Chasers in a row that [`staggered`](Self::staggered) has step at the same time.
    pub const TURN: u64 = 512;

    /// Later by a part of the [chasing period](Self::chasing), for chaser `number` of many that
    /// are spawned at once: so that each tick has its share of their steps.
    ///
    /// [`TURN`](Self::TURN) in a row share a moment. They lie side by side in memory, and a tick
    /// costs up to a fifth less if it takes all of some stretches rather than some of all. Number
    /// those after one target in a row for the same reason.
    ///
    /// # Examples
    ///
    /// ```
    /// # use nav::{MoveTimer, NavTime};
    /// let timer = MoveTimer::default();
    /// assert_eq!(timer.staggered(511), timer);
    /// assert!(timer.staggered(512).next_step > timer.next_step);
    /// assert!(timer.staggered(512).next_step < timer.next_step.after(timer.chasing));
    /// ```
    #[must_use]
    pub const fn staggered(self, number: u64) -> Self {
        Self {
            next_step: self.next_step.put_off(number / Self::TURN, self.chasing),
            ..self
        }
    }

    /// The moment that does not come: see [`Paused`](super::Paused).
    const NEVER: NavTime = NavTime(u64::MAX);

    /// Puts the next move tick off until the game ends the pause.
    pub(crate) const fn pause(&mut self) {
        self.next_step = Self::NEVER;
    }

    /// Whether nothing but the end of its pause brings the next move tick.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.next_step == Self::NEVER
    }

    /// Whether this is a move tick.
    #[inline]
    pub fn is_due(&self, now: NavTime) -> bool {
        now >= self.next_step
    }

    /// Whether this is a move tick; if so, sets the next one. `previous` is the moment of the
    /// tick before.
    pub(crate) fn tick(&mut self, now: NavTime, previous: NavTime, chasing: bool) -> bool {
        if now < self.next_step {
            return false;
        }
        let period = if chasing { self.chasing } else { self.idle };
        let in_phase = self.next_step.after(period);
        // Keeps the phase as long as it is not lost, so that periods which are not a multiple
        // of the tick come out right on average. Nobody kept it who could have stepped a tick
        // ago: a phase from before the chase would bring the second step too early.
        self.next_step = if self.next_step > previous && in_phase > now {
            in_phase
        } else {
            now.after(period)
        };
        true
    }

    /// Puts the next move tick off by an idle period.
    pub(crate) fn skip_idle_period(&mut self) {
        self.next_step = self.next_step.after(self.idle);
    }

    /// The longest wait of a chaser that others keep from its step: an idle period, and one that is
    /// [skipped](Self::skip_idle_period).
    pub(crate) fn longest_wait(&self) -> Period {
        self.idle.times(2)
    }

    /// The next move tick after a step by [`Pace::ByCost`](super::Pace::ByCost), of a timer that was put
    /// on by one period for it. It costs `cost` where a straight step onto the best ground costs
    /// `straight`: all of it takes as many periods as such steps make up its cost.
    pub fn prolonged(&self, cost: Cost, straight: Cost) -> NavTime {
        let period = u128::from(self.chasing.nanos());
        let further =
            period * u128::from(cost.saturating_sub(straight)) / u128::from(straight.max(1));
        let further = u64::try_from(further).unwrap_or(u64::MAX);
        NavTime(self.next_step.0.saturating_add(further))
    }

    /// Ends a wait: the next move tick is the first one of its phase.
    pub fn wake(&mut self, now: NavTime) {
        self.keep_phase(now, Period::from_micros(1));
    }

    /// Sets the next move tick to the first moment of its phase that comes `least` or more after
    /// `now`: a chaser that sleeps wakes in its own phase. Bodies in a row that keep theirs are
    /// visited together, however often they stood; a crowd in which each has a phase of its own
    /// costs a third more. Those that are paused do not wake.
    pub(crate) fn keep_phase(&mut self, now: NavTime, least: Period) {
        if self.is_paused() {
            return;
        }
        let period = self.chasing.nanos().max(1);
        let earliest = now.after(least).0;
        let next = self.next_step.0;
        self.next_step = NavTime(match next.checked_sub(earliest) {
            Some(ahead) => earliest + ahead % period,
            None => next.saturating_add((earliest - next).div_ceil(period).saturating_mul(period)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_period_that_is_no_multiple_of_the_tick_holds_on_average() {
        let mut timer = MoveTimer {
            chasing: Period::from_millis(120),
            ..MoveTimer::default()
        };
        let steps = (1..=1200)
            .filter(|tick| timer.tick(NavTime(tick * 50 * MS), NavTime((tick - 1) * 50 * MS), true))
            .count();
        assert!(
            (499..=501).contains(&steps),
            "{steps} steps in a minute at 120 ms"
        );
    }

    #[test]
    fn a_crowd_that_is_staggered_is_spread_evenly_over_the_period() {
        let timer = MoveTimer::default();
        let mut counts = [0; 5];
        for turn in 0..1000 {
            let first = timer.staggered(turn * MoveTimer::TURN).next_step;
            let last = timer.staggered((turn + 1) * MoveTimer::TURN - 1).next_step;
            assert_eq!(first, last, "turn {turn}");
            counts[(first.0 / (50 * MS)) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (198..=202).contains(count)),
            "{counts:?}"
        );
        let longest = MoveTimer {
            chasing: Period::from_micros(u32::MAX),
            ..timer
        };
        let put_off = (0..1000).map(|turn| longest.staggered(turn * MoveTimer::TURN).next_step);
        assert!(put_off.max() < Some(NavTime(0).after(longest.chasing)));
    }

    #[test]
    fn a_step_takes_as_many_periods_as_it_costs() {
        let after = |cost, straight| {
            let mut timer = MoveTimer::default();
            assert!(timer.tick(NavTime(0), NavTime(0), true));
            timer.prolonged(cost, straight)
        };
        assert_eq!(after(1, 1), NavTime(250 * MS));
        assert_eq!(after(3, 1), NavTime(750 * MS));
        assert_eq!(
            (after(10, 10), after(28, 10)),
            (NavTime(250 * MS), NavTime(700 * MS))
        );
        assert_eq!(after(3363, 2378), NavTime(353_553_406));
        let slowest = MoveTimer {
            chasing: Period::from_micros(u32::MAX),
            ..MoveTimer::default()
        };
        assert!(slowest.prolonged(Cost::MAX, 1) > NavTime(u64::MAX / 2));
    }

    #[test]
    fn a_long_stall_gives_one_step_and_a_new_phase() {
        let mut timer = MoveTimer::default();
        assert!(timer.tick(NavTime(0), NavTime(0), true));
        assert!(timer.tick(NavTime(10_000 * MS), NavTime(0), true));
        assert!(!timer.tick(NavTime(10_001 * MS), NavTime(10_000 * MS), true));
        assert_eq!(timer.next_step, NavTime(10_250 * MS));
    }

    #[test]
    fn who_wakes_keeps_its_phase() {
        let phase = |next: u64, now: u64, least: u32| {
            let mut timer = MoveTimer {
                next_step: NavTime(next * MS),
                ..MoveTimer::default()
            };
            timer.keep_phase(NavTime(now * MS), Period::from_millis(least));
            timer.next_step.0 / MS
        };
        // It stepped at 100 and was to look again at 600.
        assert_eq!((phase(600, 100, 1), phase(600, 150, 1)), (350, 350));
        assert_eq!((phase(600, 350, 1), phase(600, 550, 1)), (600, 600));
        // Pushed: a whole period on at least.
        assert_eq!((phase(600, 150, 250), phase(600, 350, 250)), (600, 600));
        assert_eq!((phase(600, 400, 250), phase(100, 1000, 250)), (850, 1350));
        let mut still = MoveTimer {
            chasing: Period::from_micros(0),
            ..MoveTimer::default()
        };
        still.keep_phase(NavTime(5), Period::from_micros(0));
        assert_eq!(still.next_step, NavTime(5));
    }

    #[test]
    fn a_phase_that_nobody_kept_is_lost() {
        let mut timer = MoveTimer::default();
        // Due at 0, asked for the first time at 200 ms.
        assert!(timer.tick(NavTime(200 * MS), NavTime(150 * MS), true));
        assert_eq!(timer.next_step, NavTime(450 * MS));
    }

    #[test]
    fn a_period_of_one_tick_steps_every_tick() {
        let tick = std::time::Duration::from_secs(1) / 60;
        let mut timer = MoveTimer {
            chasing: tick.into(),
            ..MoveTimer::default()
        };
        let tick = tick.as_nanos() as u64;
        let moment = |n: u64| NavTime(n * tick);
        assert!((0..10_000).all(|n| timer.tick(moment(n), moment(n.saturating_sub(1)), true)));
    }
}
