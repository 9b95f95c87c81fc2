//! The time of a chaser's next search.

use super::{Delay, SearchEnd};
use crate::{AgentId, NavTime, Period, state::Fingerprint};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// The time of a chaser's next search, and the results of earlier ones.
///
/// A search that gave nothing to follow is repeated only when something changed: the cell of the
/// target or of the chaser, the tuning, the map within the window, or, for chasers that
/// [avoid bodies](nav_grid::rules::BodyPolicy), any body on the map. Otherwise it is repeated after
/// a minute.
///
/// One word, since a million chasers carry it. Moments are kept to 33 microseconds, for up to 18
/// years.
// Decision 17: docs/decisions/0017-failures-await-change.md
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct NavTimer {
    /// From the lowest bit: 44 bits of a moment in units of 2^15 nanoseconds, a flag, 12 for the
    /// cell of the last search without a result, 3 flags, 4 of failures.
    packed: u64,
}

const MOMENT: u64 = (1 << 44) - 1;
/// Nanoseconds in the unit of moments, as a power of two.
const NANOS: u32 = 15;
const WAITS_FOR_TURN: u64 = 1 << 44;
const SPOT: u32 = 45;
const SPOT_MASK: u64 = 0xfff;
const AWAITS_CHANGE: u64 = 1 << 57;
const MAY_BE_SHORTER: u64 = 1 << 58;
const LOOKS_BEYOND: u64 = 1 << 59;
const FAILURES: u32 = 60;

impl NavTimer {
    /// Failed searches double the wait up to this many times, to eight intervals: an unreachable
    /// target that moves about costs a search every 4 to 5 s by default instead of every half
    /// second.
    pub const BACK_OFF_DOUBLINGS_MAX: u8 = 3;

    /// Greatest number of failures that is counted: what four bits hold.
    pub const FAILURES_MAX: u8 = 15;

    /// How long a search without a result is not repeated while nothing changes, and how long a
    /// chaser waits for its turn, in nanoseconds. It only mends what no rule foresaw.
    ///
    /// Measured: without an end, as many chasers arrive in 600 drawn worlds. With a minute, each
    /// that waits in vain costs one search in it, which is as many as those worlds allow.
    const REST: u64 = 60_000_000_000;

    /// No throttled search before this moment.
    pub const fn next_search(&self) -> NavTime {
        NavTime((self.packed & MOMENT) << NANOS)
    }

    /// Searches in a row that did not lead to the target, up to
    /// [`FAILURES_MAX`](Self::FAILURES_MAX). Refusals, which take no search, only keep it from
    /// being 0.
    pub const fn failures(&self) -> u8 {
        (self.packed >> FAILURES) as u8
    }

    /// Sets the moment of the next search, and ends the wait for a turn.
    pub(super) const fn set_next_search(&mut self, moment: NavTime) {
        let whole = moment.0 >> NANOS;
        let most = if whole > MOMENT { MOMENT } else { whole };
        self.packed = self.packed & !(MOMENT | WAITS_FOR_TURN) | most;
    }

    /// Whether it asked for a search since [`Self::next_search`], for which the budget had no room:
    /// it need not ask again before its turn.
    pub(crate) fn waits_for_turn(&self, now: NavTime) -> bool {
        self.has(WAITS_FOR_TURN) && self.is_within_rest(now)
    }

    /// Whether its next search was due less than a minute ago, or is not due yet.
    pub(crate) fn is_within_rest(&self, now: NavTime) -> bool {
        now.0 < self.next_search().0.saturating_add(Self::REST)
    }

    /// Records that it waits for its turn, or that its turn came.
    pub(super) const fn set_waits_for_turn(&mut self, waits: bool) {
        self.set(WAITS_FOR_TURN, waits);
    }

    pub(super) fn set_failures(&mut self, failures: u8) {
        let failures = u64::from(failures.min(Self::FAILURES_MAX));
        self.packed = self.packed << 4 >> 4 | failures << FAILURES;
    }

    const fn has(&self, flag: u64) -> bool {
        self.packed & flag != 0
    }

    const fn set(&mut self, flag: u64, holds: bool) {
        self.packed = if holds {
            self.packed | flag
        } else {
            self.packed & !flag
        };
    }

    /// Whether the next search begins beyond the window: the window showed no way, and the budget
    /// had no room for more.
    pub(crate) const fn looks_beyond(&self) -> bool {
        self.has(LOOKS_BEYOND)
    }

    pub(super) const fn set_looks_beyond(&mut self, beyond: bool) {
        self.set(LOOKS_BEYOND, beyond);
    }

    /// Whether the ground near the path changed since it was found.
    pub(crate) const fn may_be_shorter(&self) -> bool {
        self.has(MAY_BE_SHORTER)
    }

    pub(super) const fn set_may_be_shorter(&mut self, may: bool) {
        self.set(MAY_BE_SHORTER, may);
    }

    /// Whether the last search was made from a cell and gave nothing, less than a minute ago.
    #[inline]
    pub(crate) fn awaits_change(&self, from: Cell, now: NavTime) -> bool {
        self.awaited_change_at(from) && self.is_within_rest(now)
    }

    /// Whether the last search was made from a cell and gave nothing to follow.
    pub fn awaited_change_at(&self, from: Cell) -> bool {
        self.has(AWAITS_CHANGE) && self.packed >> SPOT & SPOT_MASK == spot(from)
    }

    /// Records that a search from a cell gave nothing to follow; `None` takes that back.
    pub(super) fn set_awaits_change(&mut self, from: Option<Cell>) {
        self.packed &= !(AWAITS_CHANGE | SPOT_MASK << SPOT);
        if let Some(from) = from {
            self.packed |= AWAITS_CHANGE | spot(from) << SPOT;
        }
    }

    /// Whether the last search, which failed, may have been made before a moment: at most its
    /// back-off and the jitter of that before the next one.
    pub(crate) fn may_have_failed_before(&self, moment: NavTime, interval: Period) -> bool {
        let back_off = interval.times(self.back_off());
        let jitter = Period::from_micros(back_off.micros / JITTER_SHARE);
        moment.after(back_off).after(jitter) >= self.next_search()
    }

    /// Records how a search ended, with the wait for the next one from a moment on.
    pub(super) fn end(&mut self, end: SearchEnd, now: NavTime, interval: Period) {
        let intervals = match end {
            SearchEnd::Led => {
                self.set_failures(0);
                self.set_awaits_change(None);
                1
            }
            SearchEnd::Refused => {
                self.set_failures(self.failures().max(1));
                1
            }
            SearchEnd::CameNearer => {
                self.set_failures(1);
                1
            }
            SearchEnd::Failed => {
                let intervals = self.back_off();
                self.set_failures(self.failures().saturating_add(1));
                intervals
            }
        };
        // Period by period: eight of the longest ones are longer than a period can be.
        let next = (0..intervals).fold(now, |next, _| next.after(interval));
        self.set_next_search(next);
    }

    /// Records that the budget had no room for a search.
    pub(super) fn delay(&mut self, delay: &Delay) {
        self.set_next_search(delay.since);
        self.set_looks_beyond(delay.looks_beyond);
        self.set_waits_for_turn(delay.is_queued);
    }

    /// Records a search for a way past bodies, after a number of others in vain: backs off as after
    /// searches that failed.
    pub(super) fn look_again(&mut self, now: NavTime, interval: Period, looks: u8) {
        self.set_next_search(now.after(wait_of_look(interval, looks)));
    }

    /// Whether the last of a number of searches for a way past bodies was made before a moment.
    pub(crate) fn looked_before(&self, moment: NavTime, interval: Period, looks: u8) -> bool {
        moment.after(wait_of_look(interval, looks.saturating_sub(1))) >= self.next_search()
    }

    /// How many intervals it waits if another search fails.
    pub(crate) fn back_off(&self) -> u32 {
        1 << self.failures().min(Self::BACK_OFF_DOUBLINGS_MAX)
    }
}

/// How long a body waits that searched for a way past others, after a number of searches in vain.
fn wait_of_look(interval: Period, looks: u8) -> Period {
    interval.times(1 << looks.min(NavTimer::BACK_OFF_DOUBLINGS_MAX))
}

/// A cell in twelve bits: cells less than 64 columns and rows apart on one floor differ.
fn spot(cell: Cell) -> u64 {
    let Cell { x, y, floor } = cell;
    let mixed = (x & 63) << 6 | y & 63;
    u64::from(mixed ^ u16::from(floor).wrapping_mul(89) & 0xfff)
}

/// Which part of a wait may be added to it. A quarter spreads chasers that failed together over
/// several looks, and keeps the longest wait near eight intervals.
const JITTER_SHARE: u32 = 4;

/// How much longer than its [back-off](NavTimer::back_off) a chaser waits whose search fails now.
/// Without it, chasers whose searches failed in one tick would search in one tick again, for ever.
///
/// A whole number of idle periods, since a standing chaser looks at its timer once in each: none,
/// or as many as fit into a quarter of the wait, each equally often. By default up to two for the
/// longest wait, and none before the third failure.
pub(crate) fn jitter(
    timer: NavTimer,
    id: AgentId,
    now: NavTime,
    (interval, idle): (Period, Period),
) -> Period {
    let idle = Period::from_micros(idle.micros.max(1));
    let most = interval.times(timer.back_off()).micros / JITTER_SHARE / idle.micros;
    let drawn = Fingerprint::of(&(id, now)) % (u64::from(most) + 1);
    idle.times(drawn as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const NOW: NavTime = NavTime(7 * MS);
    const HALF: Period = Period::from_millis(500);

    #[test]
    fn back_off_and_reset() {
        // Moments are kept to 33 microseconds, rounded down.
        let kept = |nanos: u64| NavTime(nanos >> NANOS << NANOS);
        let mut timer = NavTimer::default();
        for wait in [500, 1000, 2000, 4000, 4000, 4000] {
            timer.end(SearchEnd::Failed, NavTime(0), HALF);
            assert_eq!(timer.next_search(), kept(wait * MS));
        }
        let hour = Period::from_millis(3_600_000);
        timer.end(SearchEnd::Failed, NavTime(0), hour);
        assert_eq!(timer.next_search(), kept(8 * hour.nanos()));
        timer.end(SearchEnd::Led, NavTime(0), HALF);
        assert_eq!((timer.failures(), timer.next_search()), (0, kept(500 * MS)));
    }

    #[test]
    fn parts_do_not_touch() {
        let mut timer = NavTimer::default();
        timer.set_failures(200);
        timer.set_next_search(NavTime(u64::MAX));
        assert_eq!(timer.failures(), 15);
        timer.set_failures(3);
        let (here, there) = (Cell::new(73, 124), Cell::new(72, 125));
        timer.set_awaits_change(Some(here));
        timer.set_may_be_shorter(true);
        timer.set_looks_beyond(true);
        timer.set_waits_for_turn(true);
        let end = NavTime(MOMENT << NANOS);
        assert_eq!((timer.failures(), timer.next_search()), (3, end));
        assert!(timer.awaits_change(here, end) && !timer.awaits_change(there, end));
        assert!(timer.may_be_shorter() && timer.looks_beyond() && timer.waits_for_turn(end));
        timer.set_awaits_change(None);
        timer.set_may_be_shorter(false);
        timer.set_next_search(NavTime(5 << NANOS));
        assert!(timer.looks_beyond() && !timer.awaits_change(here, end));
        assert!(!timer.waits_for_turn(end));
        timer.set_looks_beyond(false);
        assert!(!timer.may_be_shorter() && !timer.looks_beyond());
        assert_eq!(
            (timer.failures(), timer.next_search()),
            (3, NavTime(5 << NANOS))
        );
    }

    #[test]
    fn even_jitter() {
        let mut timer = NavTimer::default();
        for looks in [1, 1, 2, 3, 3] {
            let mut counts = [0_u32; 3];
            for id in 0..3000 {
                let longer = jitter(timer, AgentId(id), NOW, (HALF, HALF));
                assert_eq!(longer.micros % HALF.micros, 0);
                counts[(longer.micros / HALF.micros) as usize] += 1;
            }
            let (drawn, never) = counts.split_at(looks);
            let share = 3000 / looks as u32;
            let even = share - 100..=share + 100;
            assert!(drawn.iter().all(|count| even.contains(count)), "{counts:?}");
            assert!(never.iter().all(|&count| count == 0), "{counts:?}");
            timer.end(SearchEnd::Failed, NavTime(0), HALF);
        }
        // Another moment, another draw.
        let draw =
            |now| (0..64).map(move |id| jitter(timer, AgentId(id), NavTime(now), (HALF, HALF)));
        assert!(draw(1).ne(draw(2)) && draw(1).eq(draw(1)));
    }

    #[test]
    fn jitter_takes_any_period() {
        let mut timer = NavTimer::default();
        for _ in 0..5 {
            timer.end(SearchEnd::Failed, NavTime(0), HALF);
        }
        for odd in [0, 1, u32::MAX].map(Period::from_micros) {
            let quarter = Period::from_micros(odd.times(8).micros / 4);
            assert!(jitter(timer, AgentId(5), NOW, (odd, HALF)) <= quarter);
            assert!(jitter(timer, AgentId(5), NOW, (HALF, odd)) <= HALF.times(2));
        }
    }
}
