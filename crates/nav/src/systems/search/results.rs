//! Handing the results of searches to the chases that asked.

use super::{
    long_search::LongSearch,
    queue::SearchQueue,
    request::{Looks, PathEnd, Request, leaves_window},
    turn::Turn,
};
use crate::{
    MoveTimer, NavClock, NavTime, NavTimer, PathCursor,
    components::{Answer, Chase, Crowding, Delay, Event, SearchEnd, jitter},
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Status,
    query::{Fallback, QueryEnd},
};
use std::cmp::Reverse;

/// From this many searches in one tick on, the next searches are spread over their intervals, and
/// chasers that set off look in their windows first.
///
/// Measured on the scenario `mmo`, where 2,000 chasers have 100 targets: with 64 there are 0.6 %
/// more arrivals, with 1,024 0.9 % fewer. In small worlds a search comes when its interval is over.
pub(super) const CROWDED_SEARCHES: usize = 256;

type Asker = (
    &'static mut PathCursor,
    &'static mut NavTimer,
    &'static mut MoveTimer,
    Option<&'static mut Crowding>,
);

/// Hands the results to the chasers, in the order of the queue.
pub(super) fn hand_out_results(
    (clock, long): (Res<NavClock>, Res<LongSearch>),
    mut queue: ResMut<SearchQueue>,
    mut askers: Query<Asker>,
) {
    let is_crowded = queue.is_crowded;
    let now = clock.now();
    let SearchQueue {
        requests,
        waiting,
        wanted,
        ..
    } = &mut *queue;
    for request in requests {
        let Ok((cursor, timer, move_timer, crowding)) = askers.get_mut(request.asker) else {
            continue;
        };
        let asker = (cursor, timer, move_timer);
        if request.wants_index() {
            wanted.push((request.map, request.query.rules));
        }
        if request.outcome.is_none() {
            let is_queued = long.asker() != Some(request.asker);
            if let Some(turn) = delay(request, now, is_queued, asker) {
                waiting.push(Reverse(turn));
            }
        } else if request.past.is_some() {
            hand_out_way_past(request, now, asker, crowding);
        } else if hand_out_answer(request, now, is_crowded, asker) && request.may_leave {
            wanted.push((request.map, request.query.rules));
        }
    }
}

/// Puts off a search for which the budget had no room. Returns its turn, if it waits for one.
fn delay(
    request: &Request,
    now: NavTime,
    is_queued: bool,
    (cursor, mut timer, _): (Mut<PathCursor>, Mut<NavTimer>, Mut<MoveTimer>),
) -> Option<Turn> {
    Chase::of(cursor, timer.reborrow()).apply(Event::Delayed(Delay {
        // Only the budget delays it, even if it asked before its interval was over.
        since: request.since.min(now),
        looks_beyond: request.looks == Looks::Beyond,
        is_past: request.past.is_some(),
        is_queued,
    }));
    is_queued.then(|| Turn::of(*timer, request.id, request.asker))
}

/// Gives a body the way that a search past bodies found, or records that there is none. The more
/// searches since its last step, the longer until the next one.
fn hand_out_way_past(
    request: &mut Request,
    now: NavTime,
    (cursor, timer, mut move_timer): (Mut<PathCursor>, Mut<NavTimer>, Mut<MoveTimer>),
    crowding: Option<Mut<Crowding>>,
) {
    // No failure of its chase.
    request.is_repeated = true;
    let Some(mut crowding) = crowding else {
        return;
    };
    let status = request.outcome.map(|outcome| outcome.status);
    let is_found = status == Some(Status::Found);
    let is_taken = matches!(status, Some(Status::Invalid(QueryEnd::Goal, _)));
    Chase::of(cursor, timer).apply(Event::LookedPast {
        found: is_found.then_some((request.place, &mut request.path)),
        has_place: !is_taken,
        now,
        interval: request.interval,
        looks: crowding.looks,
    });
    if is_found {
        // It took no step at its last move tick.
        move_timer.wake(now, true);
    }
    crowding.look(is_taken || status == Some(Status::Unreachable));
}

/// Gives a chaser the answer of a search. Returns whether its chase fails now.
fn hand_out_answer(
    request: &mut Request,
    now: NavTime,
    is_crowded: bool,
    (cursor, mut timer, move_timer): (Mut<PathCursor>, Mut<NavTimer>, Mut<MoveTimer>),
) -> bool {
    let Some(outcome) = request.outcome else {
        return false;
    };
    let from = request.query.start;
    let place = cursor.searched_for();
    let verdict = verdict(&Facts {
        status: outcome.status,
        leads_nearer: request.leads_nearer(),
        // Paths to other ends may be cut before the target.
        only_leads_out: request.query.fallback == Fallback::None
            && matches!(request.end, PathEnd::Goal),
        was_failing: timer.failures() > 0,
        // Asked only where it counts: the path lies elsewhere in memory.
        is_on_way_out: matches!(outcome.status, Status::Partial(_))
            && leaves_window(cursor.path(), &request.query),
        is_to_place: matches!(request.end, PathEnd::Place(..)),
        tries_goal_first: matches!(request.end, PathEnd::GoalFirst),
        awaited_this: place.is_some_and(|before| before.cell == request.place.cell)
            && timer.awaited_change_at(from),
    });
    request.is_repeated = verdict.is_repeated;
    // Chasers that searched at their first possible move tick keep their turn. A chaser that
    // never searched has none.
    let since = request.since;
    let is_late = since == NavTime::default() || now >= since.after(request.period);
    let interval = request.interval;
    let from_when = match verdict.end {
        SearchEnd::Failed => {
            let periods = (interval, move_timer.idle);
            now.after(jitter(*timer, request.id, now, periods))
        }
        _ if is_crowded && is_late => now.put_off(request.id.0.into(), interval),
        _ => now,
    };
    Chase::of(cursor, timer.reborrow()).apply(Event::Answered(Answer {
        place: request.place,
        from,
        path: (verdict.takes != Takes::Nothing).then_some(&mut request.path),
        keeps_path: verdict.takes == Takes::Detour,
        end: verdict.end,
        from_when,
        interval,
        awaits_change: verdict.awaits_change,
    }));
    timer.failures() > 0
}

/// The facts by which the answer of a search is judged.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a line of a table")]
struct Facts {
    status: Status,
    /// The path ends nearer to the target than it begins, and searches may go on from there.
    leads_nearer: bool,
    /// A path that does not lead to the target leads out of a wall: there is no fallback.
    only_leads_out: bool,
    /// The search before it did not lead to the target.
    was_failing: bool,
    /// The chaser is on a path that leads beyond the window.
    is_on_way_out: bool,
    /// It was for a place beside the target.
    is_to_place: bool,
    /// The next search is for a place, if this one fails.
    tries_goal_first: bool,
    /// The chaser waited for a change since an earlier search from here to the same place.
    awaited_this: bool,
}

/// The effect of an answer on a chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verdict {
    takes: Takes,
    end: SearchEnd,
    /// With nothing to follow, the chaser waits for a change.
    awaits_change: bool,
    /// It says what an earlier search said.
    is_repeated: bool,
}

/// The part of an answer that a chaser follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// None: it follows what it had.
    Nothing,
    Path,
    /// A path that it keeps.
    Detour,
}

fn verdict(facts: &Facts) -> Verdict {
    let status = facts.status;
    let end = match status {
        Status::Found | Status::AlreadyThere => SearchEnd::Led,
        Status::TooFar | Status::Invalid(..) | Status::Unsupported(_) => SearchEnd::Refused,
        // Whether the target can be reached shows outside.
        Status::Partial(_) if facts.only_leads_out => SearchEnd::Led,
        // The chaser searches again from where the path ends.
        Status::Partial(_) if facts.leads_nearer => SearchEnd::CameNearer,
        _ => SearchEnd::Failed,
    };
    let takes = match status {
        Status::Found if facts.is_to_place => Takes::Detour,
        // What a window shows is no reason to leave a path that leads beyond it.
        Status::Partial(_) if facts.is_on_way_out => Takes::Nothing,
        _ if status.has_path() => Takes::Path,
        _ => Takes::Nothing,
    };
    Verdict {
        takes,
        end,
        awaits_change: facts.was_failing || !facts.tries_goal_first,
        is_repeated: status == Status::TooFar && facts.was_failing || facts.awaited_this,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::query::Stopped;

    const FOUND: Facts = Facts {
        status: Status::Found,
        leads_nearer: false,
        only_leads_out: false,
        was_failing: false,
        is_on_way_out: false,
        is_to_place: false,
        tries_goal_first: false,
        awaited_this: false,
    };
    const PARTIAL: Facts = Facts {
        status: Status::Partial(Stopped::Unreachable),
        ..FOUND
    };

    #[test]
    fn end_of_each_status() {
        let nearer = Facts {
            leads_nearer: true,
            ..PARTIAL
        };
        let out_of_a_wall = Facts {
            only_leads_out: true,
            ..PARTIAL
        };
        let with = |status| Facts { status, ..FOUND };
        for (facts, end) in [
            (FOUND, SearchEnd::Led),
            (with(Status::AlreadyThere), SearchEnd::Led),
            (with(Status::TooFar), SearchEnd::Refused),
            (with(Status::Unreachable), SearchEnd::Failed),
            (PARTIAL, SearchEnd::Failed),
            (nearer, SearchEnd::CameNearer),
            (out_of_a_wall, SearchEnd::Led),
        ] {
            assert_eq!(verdict(&facts).end, end, "{:?}", facts.status);
        }
    }

    #[test]
    fn path_that_is_taken() {
        let on_way_out = |facts| Facts {
            is_on_way_out: true,
            ..facts
        };
        let to_place = |facts| Facts {
            is_to_place: true,
            ..facts
        };
        let nothing = Facts {
            status: Status::Unreachable,
            ..FOUND
        };
        for (facts, takes) in [
            (FOUND, Takes::Path),
            (on_way_out(FOUND), Takes::Path),
            (PARTIAL, Takes::Path),
            (on_way_out(PARTIAL), Takes::Nothing),
            (to_place(FOUND), Takes::Detour),
            (to_place(PARTIAL), Takes::Path),
            (nothing, Takes::Nothing),
        ] {
            assert_eq!(verdict(&facts).takes, takes, "{:?}", facts.status);
        }
    }

    #[test]
    fn first_failure_onto_a_target_awaits_nothing() {
        let first = Facts {
            tries_goal_first: true,
            ..PARTIAL
        };
        let again = Facts {
            was_failing: true,
            ..first
        };
        let awaits = |facts: Facts| verdict(&facts).awaits_change;
        assert!(!awaits(first) && awaits(again) && awaits(PARTIAL));
    }

    #[test]
    fn repeated_answers() {
        let too_far = Facts {
            status: Status::TooFar,
            ..FOUND
        };
        let again = Facts {
            was_failing: true,
            ..too_far
        };
        let awaited = Facts {
            awaited_this: true,
            ..PARTIAL
        };
        let is_repeated = |facts: Facts| verdict(&facts).is_repeated;
        assert!(!is_repeated(too_far) && is_repeated(again) && is_repeated(awaited));
    }
}
