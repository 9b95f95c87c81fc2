//! Handing the results of searches to the chasers, in the order of the queue.

use super::{
    beyond::beyond_window,
    queue::SearchQueue,
    request::{PathEnd, SearchScope},
};
use crate::{MoveTimer, NavClock, NavMap, NavTime, NavTimer, PathCursor, components::jitter};
use bevy_ecs::prelude::*;
use nav_grid::Status;

/// Over how many times as long as they back off those are spread that fail, by how many search in
/// the tick: what they wait for is further off than that where thousands fail at once, and those who
/// set off together would all come back together.
fn spread_of_failures(searches: usize) -> u32 {
    (2 + searches / 2048).min(8) as u32
}

/// Hands the results to the chasers, in the order of the queue.
pub(super) fn hand_out_results(
    clock: Res<NavClock>,
    mut queue: ResMut<SearchQueue>,
    maps: Query<&NavMap>,
    mut chasers: Query<(&mut PathCursor, &mut NavTimer, &MoveTimer)>,
) {
    let (crowded, spread) = (queue.is_crowded(), spread_of_failures(queue.together));
    for request in &mut queue.requests {
        let Ok((mut cursor, mut timer, move_timer)) = chasers.get_mut(request.chaser) else {
            continue;
        };
        if request.scope == SearchScope::Postponed {
            let waits = request.interval.times(timer.back_off());
            timer.failed(
                clock.now().put_off(request.id.0.into(), waits),
                request.interval,
            );
            timer.set_looks_beyond(true);
            timer.set_awaits_change(None);
            continue;
        }
        let Some(outcome) = request.outcome else {
            timer.set_next_search(match request.scope {
                SearchScope::Later => request.turn(clock.now()),
                // It waits for room in the budget alone, though it asked before its interval was over.
                _ => request.since.min(clock.now()),
            });
            cursor.queue();
            continue;
        };
        let leads_nearer = request.leads_nearer();
        let before = cursor.searched_for();
        let is_failing = timer.failures() > 0;
        request.is_repeated = outcome.status == Status::TooFar && is_failing
            || before.is_some_and(|before| before.cell == request.place.cell)
                && timer.awaited_change_at(request.query.start);
        let found = outcome.status.has_path().then_some(&mut request.path);
        cursor.searched(request.place, found);
        if matches!(request.end, PathEnd::Place(..)) && outcome.status == Status::Found {
            cursor.go_around();
        }
        // Those that searched at the first move tick at which they might keep their turn; who never
        // did has none.
        let (since, interval) = (request.since, request.interval);
        let is_late = since == NavTime::default() || clock.now() >= since.after(request.period);
        let spread_over = |period| {
            if crowded && is_late {
                clock.now().put_off(request.id.0.into(), period)
            } else {
                clock.now()
            }
        };
        match outcome.status {
            Status::Found | Status::AlreadyThere => {
                timer.succeeded(spread_over(interval), interval);
            }
            Status::TooFar | Status::Invalid(..) | Status::Unsupported(_) => {
                timer.refused(spread_over(interval), interval);
            }
            // It goes on from where that ends.
            Status::Partial(_) if leads_nearer => {
                timer.came_nearer(spread_over(interval), interval);
            }
            _ if crowded && is_late => {
                let longest = 2 << NavTimer::BACK_OFF_DOUBLINGS_MAX;
                let waits = interval.times(longest.min(spread * timer.back_off()));
                timer.failed(spread_over(waits), interval);
            }
            _ => {
                let (now, periods) = (clock.now(), (interval, move_timer.idle));
                let longer = jitter(*timer, request.id, now, periods);
                timer.failed(now.after(longer), interval);
            }
        }
        let leads_beyond = || {
            let map = maps.get(request.map);
            map.is_ok_and(|map| beyond_window(request.method, map, &request.query).is_some())
        };
        let fails = timer.failures() > 0;
        let has_nothing = fails && cursor.path().is_empty();
        // Looked up for those only to whom it makes a difference: regions of a large map are far apart in memory.
        let may_look_beyond = has_nothing || fails && timer.looks_beyond();
        if may_look_beyond && request.scope.is_first() && !leads_beyond() {
            request.scope = SearchScope::Window;
        }
        let is_beyond_next = has_nothing && request.scope.is_first() && !request.is_repeated;
        if fails && request.scope.takes_turns() {
            timer.set_looks_beyond(is_beyond_next);
        }
        let is_first = !is_failing && matches!(request.end, PathEnd::GoalFirst);
        let in_vain = has_nothing && !is_beyond_next && !is_first;
        timer.set_awaits_change(in_vain.then_some(request.query.start));
    }
}
