//! The time of a chaser's next step.

use crate::{NavTime, Period};
use bevy_ecs::{entity::EntityHashMap, lifecycle::HookContext, prelude::*, world::DeferredWorld};
use nav_grid::rules::Cost;

/// The time of a chaser's next step.
///
/// The moment when it is due is a *move tick*. A chaser takes at most one step per move tick and
/// per run of the schedule, however long that took. Time lost to a slow tick is not made up for:
/// chasers do not dash. So a period shorter than a tick, 0 among them, is a step in every tick.
///
/// An inserted timer is due no earlier than the timer that it replaces, or that was removed before.
/// To make a chaser step earlier, write [`next_step`](Self::next_step) in place.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_insert = inserted, on_discard = discarded)]
pub struct MoveTimer {
    /// The next move tick.
    pub next_step: NavTime,
    /// The time between move ticks while there is something to follow, or the target within reach
    /// moved in the last second; 250 ms by default. 0 is a step in every tick.
    pub chasing: Period,
    /// The time between move ticks otherwise; 500 ms by default, and 0 for every tick. It is also
    /// the longest time that a chaser with nothing to follow takes to set off.
    ///
    /// A chaser within reach sets off with its target: at its next [`chasing`](Self::chasing) beat,
    /// or in the same tick if at most 32 chase the target. A chaser that waited [seven
    /// times](super::Crowding::waits) for others that wait too checks half as often. The first of
    /// them that leaves wakes it.
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
    setters! {
        /// Replaces the time between move ticks of a chase.
        with_chasing(chasing: impl Into<Period>);
        /// Replaces the time between move ticks of an idle chaser.
        with_idle(idle: impl Into<Period>);
    }

    /// The number of consecutive chasers that [`staggered`](Self::staggered) gives one moment. A
    /// guess between even ticks and long stretches of memory.
    pub const TURN: u64 = 512;

    /// Later by a part of the [chasing period](Self::chasing), for chaser `number` of many that are
    /// spawned at once, so that each tick has its share of their steps.
    ///
    /// [`TURN`](Self::TURN) consecutive chasers share a moment. They are neighbours in memory, and
    /// a tick costs up to a fifth less if it visits all of some stretches rather than some of all.
    /// For the same reason, number the chasers of one target consecutively.
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
    pub fn staggered(self, number: u64) -> Self {
        Self {
            next_step: self.next_step.put_off(number / Self::TURN, self.chasing),
            ..self
        }
    }

    /// The move tick of a [paused](super::Paused) chaser.
    const NEVER: NavTime = NavTime(u64::MAX);

    /// Puts off the next move tick until the game ends the pause.
    pub(crate) const fn pause(&mut self) {
        self.next_step = Self::NEVER;
    }

    /// Whether the chaser is [paused](super::Paused).
    #[inline]
    pub fn is_paused(&self) -> bool {
        self.next_step == Self::NEVER
    }

    /// Whether this is a move tick.
    #[inline]
    pub fn is_due(&self, now: NavTime) -> bool {
        now >= self.next_step
    }

    /// Returns whether this is a move tick, and if so sets the next one. `previous` is the moment
    /// of the previous tick.
    pub(crate) fn tick(&mut self, now: NavTime, previous: NavTime, chasing: bool) -> bool {
        if now < self.next_step {
            return false;
        }
        let period = if chasing { self.chasing } else { self.idle };
        let in_phase = self.next_step.after(period);
        // Keeps the phase, so that periods that are no multiple of the tick are right on average.
        // Not if the step was due a tick ago: then the phase is from before the chase, and would
        // bring the second step too early.
        self.next_step = if self.next_step > previous && in_phase > now {
            in_phase
        } else {
            now.after(period)
        };
        true
    }

    /// Puts off the next move tick by an idle period.
    pub(crate) fn skip_idle_period(&mut self) {
        self.next_step = self.next_step.after(self.idle);
    }

    /// The longest wait of a blocked chaser: an idle period, and a
    /// [skipped](Self::skip_idle_period) one.
    pub(crate) fn longest_wait(&self) -> Period {
        self.idle.times(2)
    }

    /// The next move tick after a step by [`Pace::ByCost`](super::Pace::ByCost), for a timer that
    /// already added one period.
    ///
    /// The step takes `cost` / `straight` periods, where `straight` is the cost of a straight step
    /// onto the best ground.
    pub fn prolonged(&self, cost: Cost, straight: Cost) -> NavTime {
        let period = u128::from(self.chasing.nanos());
        let further =
            period * u128::from(cost.saturating_sub(straight)) / u128::from(straight.max(1));
        let further = u64::try_from(further).unwrap_or(u64::MAX);
        NavTime(self.next_step.0.saturating_add(further))
    }

    /// Ends a wait: the next move tick is the next one in its phase.
    ///
    /// `stands` says whether the chaser took no step at its last move tick:
    /// [`PathCursor::stands`](super::PathCursor::stands). Otherwise that step takes until the next
    /// move tick, and nothing changes.
    pub fn wake(&mut self, now: NavTime, stands: bool) {
        if stands || self.is_due(now) {
            self.keep_phase(now, Period::from_micros(1));
        }
    }

    /// Sets the next move tick to the first moment in its phase at least `least` after `now`.
    /// Paused chasers do not wake.
    ///
    /// Keeping the phase lets neighbours in memory step together, however often they were asleep. A
    /// crowd in which each has its own phase costs a third more.
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

/// The move ticks of timers that were removed or replaced, until they come. Only looked up.
#[derive(Resource, Default)]
pub(crate) struct DiscardedTimers(pub(crate) EntityHashMap<NavTime>);

fn discarded(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(&timer) = world.get::<MoveTimer>(entity)
        // A pause has the move tick of a paused one.
        && !timer.is_paused()
        && let Some(mut discarded) = world.get_resource_mut::<DiscardedTimers>()
    {
        discarded.0.insert(entity, timer.next_step);
    }
}

fn inserted(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let discarded = world.get_resource_mut::<DiscardedTimers>();
    let before = discarded.and_then(|mut discarded| discarded.0.remove(&entity));
    if let (Some(before), Some(mut timer)) = (before, world.get_mut::<MoveTimer>(entity)) {
        timer.next_step = timer.next_step.max(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn uneven_period_holds_on_average() {
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
    fn staggered_crowd_is_even() {
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
    fn prolonged_by_cost() {
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
    fn stall_gives_one_step() {
        let mut timer = MoveTimer::default();
        assert!(timer.tick(NavTime(0), NavTime(0), true));
        assert!(timer.tick(NavTime(10_000 * MS), NavTime(0), true));
        assert!(!timer.tick(NavTime(10_001 * MS), NavTime(10_000 * MS), true));
        assert_eq!(timer.next_step, NavTime(10_250 * MS));
    }

    #[test]
    fn waking_keeps_phase() {
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
    fn late_phase_is_lost() {
        let mut timer = MoveTimer::default();
        // Due at 0, asked for the first time at 200 ms.
        assert!(timer.tick(NavTime(200 * MS), NavTime(150 * MS), true));
        assert_eq!(timer.next_step, NavTime(450 * MS));
    }

    #[test]
    fn period_of_one_tick() {
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
