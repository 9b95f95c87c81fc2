//! How a chase stands, and the one table of what changes it: [`Chase::apply`].

#![expect(
    clippy::inline_always,
    reason = "an event that is known to the caller leaves one arm of the table"
)]

mod nav_timer;
mod path_cursor;

pub use nav_timer::NavTimer;
pub use path_cursor::{ChaseState, Guidance, PathCursor};

pub(crate) use nav_timer::jitter;
pub(super) use path_cursor::interrupt;

use crate::{CellPosition, NavTime, Period};
use nav_grid::{Cell, Path};
use std::ops::DerefMut;

/// One thing that happens to a chase.
pub(crate) enum Event<'a> {
    /// The target is out of sight, or the chaser was moved by force.
    Interrupted,
    /// Another target or another map: nothing learnt about the former one counts.
    Begun,

    /// The target is on the chaser's cells.
    Under(CellPosition),
    /// The target is within reach and moves about: the chaser stays on the field around it. With
    /// the target's place, if that is to be noted.
    Beside(Option<CellPosition>),
    /// The target is within reach, and the chaser rests. With the target's place, if that is to be
    /// noted.
    Rests(Option<CellPosition>),
    /// The target went out of reach of a chaser that is on the field around it.
    LeftReach,
    /// The target is out of reach, and no field leads to it: a path does, or nothing.
    Apart,

    /// A shared field leads to the target.
    Joins { place: CellPosition, is_far: bool },
    /// The target took one step from the end of the path.
    WalkedOn(CellPosition),
    /// The field of the target waits for the budget of a later tick.
    AwaitsField,
    /// The guide leads nowhere.
    LostWay,
    /// The guide leads onto the target without coming within reach before.
    LedOntoTarget { now: NavTime, interval: Period },

    /// It asks for a search, on the ground as it is now.
    Asks,
    /// The budget had no room for its search.
    Delayed(Delay),
    /// Its turn to search came.
    Called,
    /// The search was answered.
    Answered(Answer<'a>),
    /// A search that cannot be made. With the place of the target and the cell of the chaser, if
    /// that will not change before one of them does.
    Refused {
        now: NavTime,
        interval: Period,
        for_good: Option<(CellPosition, Cell)>,
    },
    /// A search for a way past bodies was answered.
    LookedPast {
        found: Option<(CellPosition, &'a mut Path)>,
        /// Whether there is a place beside the target that is free, or that its holder leaves.
        has_place: bool,
        now: NavTime,
        interval: Period,
        looks: u8,
    },

    /// A step by the chase.
    Stepped { from: Cell, to: Cell },
    /// A step by a game's system, beside the path.
    SetOff,
    /// A move tick without a step.
    Stood,

    /// An edit cut its path.
    PathCut,
    /// An edit may have opened a way for a chaser that waits for one: it searches at a moment.
    MayLead { at: NavTime },
    /// An edit may have made its way shorter: it searches at a moment, or sooner than it would.
    MayBeShorter { at: NavTime, leads_nearer: bool },
    /// The settings changed.
    Tuned,
}

/// A search for which the budget had no room.
pub(crate) struct Delay {
    /// Since when the chaser waits for it.
    pub(crate) since: NavTime,
    /// Whether it shall begin beyond the window.
    pub(crate) looks_beyond: bool,
    /// Whether it is for a way past bodies: the chaser keeps its guide.
    pub(crate) is_past: bool,
    /// Whether the chaser need not ask again before its turn.
    pub(crate) is_queued: bool,
}

/// The answer of a search.
pub(crate) struct Answer<'a> {
    /// Where the target was.
    pub(crate) place: CellPosition,
    /// Where the search began.
    pub(crate) from: Cell,
    /// The path to follow from now on; its buffer becomes that of the former path.
    pub(crate) path: Option<&'a mut Path>,
    /// Whether the chaser keeps the path: see [`Guidance::Detour`].
    pub(crate) keeps_path: bool,
    pub(crate) end: SearchEnd,
    /// The moment from which the wait for the next search counts.
    pub(crate) from_when: NavTime,
    pub(crate) interval: Period,
    /// Whether the chaser waits for a change, if it has nothing to follow.
    pub(crate) awaits_change: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// It leads to the target.
    Led,
    /// It leads nearer to a target beyond its window: no back-off while it does.
    CameNearer,
    /// It took work and does not lead to the target: backs off.
    Failed,
    /// It took no work and leads nowhere: waits one interval, since looking is free.
    Refused,
}

/// A chase: what a chaser follows, and when it searches next. Everything else reads them; only
/// [`apply`](Self::apply), and a game that [interrupts](PathCursor::interrupt) or [drops a
/// path](PathCursor::drop_path), writes them.
///
/// Each part is marked as changed only by the events that change it.
pub(crate) struct Chase<C, T> {
    cursor: C,
    timer: T,
}

impl<C, T> Chase<C, T>
where
    C: DerefMut<Target = PathCursor>,
    T: DerefMut<Target = NavTimer>,
{
    pub(crate) const fn of(cursor: C, timer: T) -> Self {
        Self { cursor, timer }
    }

    /// Carries out an event. Returns whether the target came within reach by it.
    #[inline(always)]
    pub(crate) fn apply(&mut self, event: Event) -> bool {
        let Self { cursor, timer } = self;
        match event {
            Event::Interrupted => cursor.interrupt(),
            Event::Begun => {
                cursor.interrupt();
                **timer = NavTimer::default();
            }
            Event::Under(place) => return self.arrive(|cursor| cursor.stand_under(place)),
            Event::Beside(place) => return self.arrive(|cursor| cursor.keep_beside(place)),
            Event::Rests(place) => return self.arrive(|cursor| cursor.rest(place)),
            Event::LeftReach if cursor.is_beside() => cursor.leave_reach(),
            Event::Apart if cursor.is_sharing() => cursor.drop_path(),
            Event::Apart if cursor.is_reached() => cursor.settle(),
            Event::Joins { place, is_far } => cursor.share(place, is_far),
            Event::WalkedOn(place) => cursor.extend(place),
            Event::AwaitsField if !cursor.is_sharing() => cursor.queue(),
            Event::LostWay => cursor.drop_path(),
            Event::LedOntoTarget { now, interval } => {
                cursor.drop_path();
                timer.end(SearchEnd::Failed, now, interval);
            }
            Event::Asks => timer.set_may_be_shorter(false),
            Event::Delayed(delay) => {
                timer.delay(&delay);
                if !delay.is_past {
                    cursor.queue();
                }
            }
            Event::Called => timer.set_waits_for_turn(false),
            Event::Answered(answer) => self.take_answer(answer),
            Event::Refused {
                now,
                interval,
                for_good,
            } => {
                if let Some((place, from)) = for_good {
                    cursor.searched(place, None);
                    timer.set_awaits_change(cursor.path().is_empty().then_some(from));
                }
                timer.end(SearchEnd::Refused, now, interval);
            }
            Event::LookedPast {
                found,
                has_place,
                now,
                interval,
                looks,
            } => {
                timer.set_looks_beyond(false);
                if let Some((place, path)) = found {
                    cursor.searched(place, Some(path));
                    cursor.keep_path();
                } else if !has_place && cursor.is_on_detour() {
                    // It leads to a place that others took.
                    cursor.drop_path();
                }
                timer.look_again(now, interval, looks);
            }
            Event::Stepped { from, to } => {
                if !cursor.is_sharing() {
                    cursor.walk(from, to);
                }
                if cursor.stands() {
                    cursor.set_off();
                }
            }
            Event::SetOff => cursor.set_off(),
            Event::Stood if !cursor.stands() => cursor.stand(),
            Event::PathCut => {
                cursor.drop_path();
                // Failures before the edit say nothing about the ground as it is now.
                timer.set_failures(0);
            }
            Event::MayLead { at } => {
                timer.set_awaits_change(None);
                timer.set_next_search(at);
            }
            Event::MayBeShorter { at, leads_nearer } => {
                timer.set_may_be_shorter(true);
                let next = timer.next_search();
                timer.set_next_search(if leads_nearer {
                    at.min(next)
                } else {
                    at.max(next)
                });
            }
            // A search that failed may succeed with other settings.
            Event::Tuned => timer.set_awaits_change(None),
            Event::LeftReach | Event::Apart | Event::AwaitsField | Event::Stood => {}
        }
        false
    }

    /// Changes the cursor so that the target is within reach. A chaser that arrives begins its
    /// failures again when it loses its target later.
    #[inline(always)]
    fn arrive(&mut self, change: impl FnOnce(&mut PathCursor)) -> bool {
        let is_new = !self.cursor.is_reached();
        change(&mut self.cursor);
        if is_new && self.timer.failures() > 0 {
            self.timer.set_failures(0);
        }
        is_new
    }

    fn take_answer(&mut self, answer: Answer) {
        let Self { cursor, timer } = self;
        timer.set_looks_beyond(false);
        cursor.searched(answer.place, answer.path);
        if answer.keeps_path {
            cursor.keep_path();
        }
        timer.end(answer.end, answer.from_when, answer.interval);
        let has_nothing = timer.failures() > 0 && cursor.path().is_empty();
        let in_vain = has_nothing && answer.awaits_change;
        timer.set_awaits_change(in_vain.then_some(answer.from));
    }
}

#[cfg(test)]
mod tests;
