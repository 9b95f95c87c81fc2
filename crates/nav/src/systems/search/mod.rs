//! Search: the queue of searches, answered in parallel and settled in order.

mod queue;
mod request;
mod settle;
mod walk_out;

pub(crate) use queue::{Notes, SearchQueue};
pub(crate) use request::Request;
pub(crate) use settle::settle_searches;

use super::{fields::Fields, long_search::LongSearch, standing::Standing, threads::Threads};
use crate::{CellPosition, Chasing, NavBudget, NavMap};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Planner, Terrain};

/// Scratch memory of the searches, one per task.
#[derive(Resource, Default)]
pub(crate) struct Searchers(Vec<Planner>);

/// Fewer searches than this are not worth a task.
const TASK_SEARCHES_MIN: usize = 32;

/// What searches look at.
#[derive(SystemParam)]
pub(crate) struct Scenery<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    standing: Res<'w, Standing>,
    pub(crate) chasers: Query<'w, 's, (&'static Chasing, &'static CellPosition)>,
}

impl Scenery<'_, '_> {
    /// A map with who stands on it and what was prepared of it.
    pub(crate) fn terrain(&self, map: Entity) -> Option<Terrain<'_>> {
        Some(self.standing.terrain(map, self.maps.get(map).ok()?))
    }
}

/// Answers the requests of the tick, as far as the budget goes.
pub(crate) fn run_searches(
    scenery: Scenery,
    budget: Res<NavBudget>,
    fields: Res<Fields>,
    mut queue: ResMut<SearchQueue>,
    mut searchers: ResMut<Searchers>,
    mut long: ResMut<LongSearch>,
) {
    queue.put_in_order();
    let SearchQueue {
        requests,
        spare,
        expanded,
        ..
    } = &mut *queue;
    for request in requests.iter_mut() {
        request.path = spare.pop().unwrap_or_default();
    }
    let Searchers(planners) = &mut *searchers;
    *expanded = fields.expanded;
    *expanded += match budget.expansions {
        None => {
            long.drop();
            answer_all(requests, planners, &scenery)
        }
        Some(expansions) => {
            let spent = u32::try_from(fields.expanded).unwrap_or(u32::MAX);
            let left = expansions.saturating_sub(spent);
            answer_within(expansions, left, requests, planners, &mut long, &scenery)
        }
    };
}

/// Answers requests side by side and returns the expansions that took. Which task answers which
/// does not show in the result.
fn answer_all(requests: &mut [Request], planners: &mut Vec<Planner>, scenery: &Scenery) -> u64 {
    let threads = Threads::for_work(requests.len(), TASK_SEARCHES_MIN);
    threads.share_out(requests, planners, |request, planner| {
        if let Some(terrain) = scenery.terrain(request.map) {
            request.answer(planner, terrain);
        }
    });
    let taken = requests.iter().map(Request::expanded);
    taken.map(u64::from).sum()
}

/// Answers as many requests as what is left of a budget allows, those in front first, and returns
/// the expansions that took. What no budget has room for goes in slices, one search after another,
/// with at least half of what is left.
fn answer_within(
    budget: u32,
    left: u32,
    requests: &mut Vec<Request>,
    planners: &mut Vec<Planner>,
    long: &mut LongSearch,
    scenery: &Scenery,
) -> u64 {
    long.keep_up(&scenery.chasers);
    let is_long = |request: &Request| request.expansions_max() > budget;
    if long.chaser().is_none()
        && let Some(index) = requests.iter().position(is_long)
    {
        long.take_up(requests.remove(index));
    }
    let in_slices = long.chaser();
    let for_slices = in_slices.map_or(0, |_| left / 2);
    let fits = |request: &Request| !is_long(request) && Some(request.chaser) != in_slices;
    // Stable: of those that fit the longest wait still comes first.
    requests.sort_by_key(|request| !fits(request));
    let fitting = requests.partition_point(fits);
    let mut ahead = &mut requests[..fitting];
    let (mut left, mut expanded) = (left - for_slices, 0);
    loop {
        // As many as cannot do too much whatever they meet; what they did not need is there for
        // the next.
        let mut reserved = 0;
        let fit = ahead.iter().take_while(|request| {
            reserved += u64::from(request.expansions_max());
            reserved <= u64::from(left)
        });
        let (now, later) = ahead.split_at_mut(fit.count());
        if now.is_empty() {
            break;
        }
        let taken = answer_all(now, planners, scenery);
        left = left.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX));
        expanded += taken;
        ahead = later;
    }
    let (taken, done) = long.go_on(left + for_slices, scenery);
    requests.extend(done);
    expanded + u64::from(taken)
}
