//! Search: answers are handed to those who asked.

use super::SearchQueue;
use crate::{Chaser, MoveTimer, NavClock, NavTime, NavTimer, PathCursor};
use bevy_ecs::prelude::*;
use nav_grid::Status;

/// Where so many search in a tick, their next searches are spread over their intervals, and those
/// that fail over twice as long as they back off.
const CROWDED: usize = 256;

/// Hands the answers to the chasers, in the order of the queue.
pub(crate) fn settle_searches(
    clock: Res<NavClock>,
    mut queue: ResMut<SearchQueue>,
    mut chasers: Query<(&Chaser, &MoveTimer, &mut PathCursor, &mut NavTimer)>,
) {
    let crowded = queue.requests.len() >= CROWDED;
    for request in &mut queue.requests {
        let Ok((chaser, beat, mut cursor, mut timer)) = chasers.get_mut(request.chaser) else {
            continue;
        };
        let Some(outcome) = request.outcome else {
            cursor.queue();
            continue;
        };
        let found = outcome.status.has_path().then_some(&mut request.path);
        cursor.searched(request.place, found);
        // Those that searched at the first move tick at which they might keep their turn; who never
        // did has none.
        let (since, interval) = (request.since, chaser.repath_interval);
        let is_late = since == NavTime::default() || clock.now() >= since.after(beat.chasing);
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
            // They stand, and look at their timers once in an idle period: what is spread over less
            // than that meets again.
            _ => {
                let waits = interval.times(2 * timer.back_off());
                timer.failed(spread_over(waits), interval);
            }
        }
    }
}
