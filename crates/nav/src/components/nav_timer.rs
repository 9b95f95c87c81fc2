//! When a chaser may search.

use crate::{NavTime, Period};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

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

    /// How often a body finds no cell in a chase before it has others make room, or takes those who
    /// stand in its way for ground: one move tick may be over before those in front have set off.
    pub(crate) const WAITS_MIN: u8 = 2;

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
    /// a [detour](crate::Guidance::Detour) if the target stands; from seven on it takes one past those who
    /// stay, though the target moves. Who waited longest comes first; for a body that gets to no place beside
    /// its target, two waits count at most, so that it makes room for those who do.
    #[inline]
    pub const fn waits(&self) -> u8 {
        (self.packed >> WAITS) as u8 & Self::WAITS_MAX
    }

    /// Whether bodies were in the way [often enough](Self::WAITS_MIN).
    #[inline]
    pub(crate) const fn has_waited(&self) -> bool {
        self.waits() >= Self::WAITS_MIN
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
    pub fn awaited_change_at(&self, from: Cell) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

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
        timer.set_gave_way(true);
        let end = NavTime(MOMENT << NANOS);
        assert_eq!((timer.stands(), timer.next_search()), (true, end));
        assert!(timer.awaits_change(here, end) && !timer.awaits_change(there, end));
        assert!(timer.may_be_shorter() && timer.gave_way());
        timer.set_awaits_change(None);
        timer.set_may_be_shorter(false);
        timer.set_next_search(NavTime(0));
        assert!(timer.gave_way());
        timer.set_gave_way(false);
        timer.set_next_search(end);
        assert!(!timer.gave_way());
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
