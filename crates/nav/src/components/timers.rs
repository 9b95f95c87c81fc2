//! When a chaser may search and when it may step.

use crate::{NavTime, Period};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, rules::Cost};

/// When a chaser may search again, how its searches went, and whether others are in its way.
///
/// A search that gave nothing to follow is repeated only when something changed: the cell of the target,
/// that of the chaser, its tuning, the map within its window, or for chasers that
/// [go around bodies](nav_grid::rules::BodyPolicy) where any body on the map is; or a minute after it might
/// have been.
///
/// One word, since a million chasers carry it: moments to 16 microseconds, up to 18 years.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct NavTimer {
    /// From the lowest bit: 45 bits of 2^14 nanoseconds, 1 for having given way, 8 for where it searched
    /// in vain, 1 for whether it did, 1 for a way that may be shorter, 4 of failures, 3 of waits, 1 for
    /// standing.
    packed: u64,
}

/// Which bits of a timer say what.
const MOMENT: u64 = (1 << 45) - 1;
const GAVE_WAY: u64 = 1 << 45;
const SPOT: u32 = 46;
const AWAITS_CHANGE: u64 = 1 << 54;
const MAY_BE_SHORTER: u64 = 1 << 55;
/// Nanoseconds in what moments are counted by, as a power of two.
const NANOS: u32 = 14;
const FAILURES: u32 = 56;
const WAITS: u32 = 60;
const STANDS: u64 = 1 << 63;

impl NavTimer {
    /// Failed searches double the wait up to this many times, to eight intervals: an unreachable
    /// target that moves about costs a search every 4 to 5 s by default instead of every half second.
    pub const BACK_OFF_DOUBLINGS_MAX: u8 = 3;

    /// Greatest number of failures that is counted.
    pub const FAILURES_MAX: u8 = 15;

    /// Greatest number of waits that is counted.
    pub const WAITS_MAX: u8 = 7;

    /// No throttled search before this moment.
    #[inline]
    pub const fn next_search(&self) -> NavTime {
        NavTime((self.packed & MOMENT) << NANOS)
    }

    /// Searches in a row that did not lead to the target, up to
    /// [`FAILURES_MAX`](Self::FAILURES_MAX). Refusals, which take no search, only keep it from
    /// being 0.
    #[inline]
    pub const fn failures(&self) -> u8 {
        (self.packed >> FAILURES) as u8 & Self::FAILURES_MAX
    }

    /// Move ticks at which bodies were in the way, since the chase began or the target was last within
    /// reach, up to [`WAITS_MAX`](Self::WAITS_MAX). From two on a body has others make room, or takes
    /// a [detour](crate::Guidance::Detour); who waited longest comes first.
    #[inline]
    pub const fn waits(&self) -> u8 {
        (self.packed >> WAITS) as u8 & Self::WAITS_MAX
    }

    /// Whether it stood still at its last move tick, and so may be moved at any time.
    #[inline]
    pub const fn stands(&self) -> bool {
        self.packed & STANDS != 0
    }

    /// Whether others had it leave its place within reach of the target, and it has not come back.
    #[inline]
    pub(crate) const fn gave_way(&self) -> bool {
        self.packed & GAVE_WAY != 0
    }

    pub(crate) const fn set_gave_way(&mut self, gave_way: bool) {
        self.packed = if gave_way {
            self.packed | GAVE_WAY
        } else {
            self.packed & !GAVE_WAY
        };
    }

    pub(crate) const fn set_next_search(&mut self, moment: NavTime) {
        let moment = moment.0 >> NANOS;
        let moment = if moment > MOMENT { MOMENT } else { moment };
        self.packed = self.packed & !MOMENT | moment;
    }

    pub(crate) fn set_failures(&mut self, failures: u8) {
        let failures = u64::from(failures.min(Self::FAILURES_MAX));
        self.packed &= !(u64::from(Self::FAILURES_MAX) << FAILURES);
        self.packed |= failures << FAILURES;
    }

    /// Whether the next search looks beyond the window, if the map is prepared for that: at odd
    /// numbers of failures.
    #[inline]
    pub(crate) const fn looks_beyond(&self) -> bool {
        self.failures() % 2 == 1
    }

    /// Says whether the next search of a chaser that fails looks beyond its window.
    pub(crate) fn set_looks_beyond(&mut self, beyond: bool) {
        let failures = self.failures();
        if self.looks_beyond() == beyond {
            return;
        }
        self.set_failures(match failures {
            Self::FAILURES_MAX => failures - 1,
            _ => failures + 1,
        });
    }

    pub(crate) fn set_waits(&mut self, waits: u8) {
        let waits = u64::from(waits.min(Self::WAITS_MAX));
        self.packed &= !(u64::from(Self::WAITS_MAX) << WAITS);
        self.packed |= waits << WAITS;
    }

    pub(crate) const fn set_stands(&mut self, stands: bool) {
        self.packed = if stands {
            self.packed | STANDS
        } else {
            self.packed & !STANDS
        };
    }

    /// For how long a search that gave nothing is not repeated if nothing changes, in nanoseconds.
    const REST: u64 = 60_000_000_000;

    /// Whether the last search was made from a cell, gave nothing to follow, and would give nothing
    /// again: the ground is as it was. Once a minute it is repeated all the same.
    #[inline]
    pub(crate) fn awaits_change(&self, from: Cell, now: NavTime) -> bool {
        self.awaited_change_at(from) && now.0 < self.next_search().0.saturating_add(Self::REST)
    }

    /// Whether the last search was made from a cell and gave nothing to follow.
    #[inline]
    pub(crate) fn awaited_change_at(&self, from: Cell) -> bool {
        self.packed & AWAITS_CHANGE != 0 && self.packed >> SPOT & 0xff == spot(from)
    }

    /// Whether the last search, which failed, may have been made before a moment: at most its back-off, and a
    /// quarter of that, before the next one.
    pub(crate) fn may_have_failed_before(&self, moment: NavTime, interval: Period) -> bool {
        let back_off = interval.times(self.back_off());
        let jitter = Period::from_micros(back_off.micros / 4);
        moment.after(back_off).after(jitter) >= self.next_search()
    }

    /// Notes that a search from a cell gave nothing to follow, or that this counts no longer.
    pub(crate) fn set_awaits_change(&mut self, from: Option<Cell>) {
        self.packed &= !(AWAITS_CHANGE | 0xff << SPOT);
        if let Some(from) = from {
            self.packed |= AWAITS_CHANGE | spot(from) << SPOT;
        }
    }

    /// Whether the ground changed near a path since that was found.
    #[inline]
    pub(crate) const fn may_be_shorter(&self) -> bool {
        self.packed & MAY_BE_SHORTER != 0
    }

    pub(crate) const fn set_may_be_shorter(&mut self, may: bool) {
        self.packed = if may {
            self.packed | MAY_BE_SHORTER
        } else {
            self.packed & !MAY_BE_SHORTER
        };
    }

    /// A search led to the target.
    pub(crate) fn succeeded(&mut self, now: NavTime, interval: Period) {
        self.set_failures(0);
        self.set_awaits_change(None);
        self.set_next_search(now.after(interval));
    }

    /// A search led nearer to a target beyond its window: no back-off while it does.
    pub(crate) fn came_nearer(&mut self, now: NavTime, interval: Period) {
        self.set_failures(0);
        self.failed(now, interval);
    }

    /// A search that took work did not lead to the target: back off.
    pub(crate) fn failed(&mut self, now: NavTime, interval: Period) {
        // Period by period: eight of the longest ones are longer than a period can be.
        let next = (0..self.back_off()).fold(now, |next, _| next.after(interval));
        self.set_next_search(next);
        self.set_failures(self.failures().saturating_add(1));
    }

    /// How many intervals it waits if another search fails.
    pub(crate) fn back_off(&self) -> u32 {
        1 << self.failures().min(Self::BACK_OFF_DOUBLINGS_MAX)
    }

    /// There was nothing to search: look again after one interval at the earliest, since looking is
    /// free.
    pub(crate) fn refused(&mut self, now: NavTime, interval: Period) {
        self.set_failures(self.failures().max(1));
        self.set_next_search(now.after(interval));
    }
}

/// A cell in eight bits: for those near each other another number each.
fn spot(cell: Cell) -> u64 {
    let Cell { x, y, floor } = cell;
    let mixed = x.wrapping_mul(31) ^ y.wrapping_mul(167) ^ u16::from(floor).wrapping_mul(89);
    u64::from(mixed as u8)
}

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
    /// next [`chasing`](Self::chasing) beat, or in that very tick if at most 32 chase the target.
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
    pub(crate) fn is_due(&self, now: NavTime) -> bool {
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
    pub(crate) fn wake(&mut self, now: NavTime) {
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
    fn failures_back_off_to_eight_intervals_and_success_resets() {
        // Moments are kept to 16 microseconds, rounded down.
        let kept = |nanos: u64| NavTime(nanos >> NANOS << NANOS);
        let interval = Period::from_millis(500);
        let mut timer = NavTimer::default();
        for wait in [500, 1000, 2000, 4000, 4000, 4000] {
            timer.failed(NavTime(0), interval);
            assert_eq!(timer.next_search(), kept(wait * MS));
        }
        let hour = Period::from_millis(3_600_000);
        timer.failed(NavTime(0), hour);
        assert_eq!(timer.next_search(), kept(8 * hour.nanos()));
        timer.succeeded(NavTime(0), interval);
        assert_eq!((timer.failures(), timer.next_search()), (0, kept(500 * MS)));
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

    #[test]
    fn the_parts_of_a_word_do_not_touch() {
        let mut timer = NavTimer::default();
        timer.set_waits(9);
        timer.set_stands(true);
        timer.set_failures(200);
        timer.set_next_search(NavTime(u64::MAX));
        timer.set_failures(3);
        assert_eq!((timer.failures(), timer.waits()), (3, 7));
        let (here, there) = (Cell::new(3, 4), Cell::new(4, 4));
        timer.set_awaits_change(Some(here));
        timer.set_may_be_shorter(true);
        let end = NavTime(MOMENT << NANOS);
        assert_eq!((timer.stands(), timer.next_search()), (true, end));
        assert!(timer.awaits_change(here, end) && !timer.awaits_change(there, end));
        assert!(timer.may_be_shorter());
        timer.set_awaits_change(None);
        timer.set_may_be_shorter(false);
        assert!(!timer.awaits_change(here, end) && !timer.may_be_shorter());
        timer.set_stands(false);
        timer.set_next_search(NavTime(5 << NANOS));
        timer.set_waits(2);
        assert_eq!((timer.failures(), timer.waits()), (3, 2));
        assert_eq!(
            (timer.stands(), timer.next_search()),
            (false, NavTime(5 << NANOS))
        );
    }
}
