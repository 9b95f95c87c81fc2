//! Answering the requests of a tick, in parallel and within the budget.

use super::{long_search::LongSearch, params::SearchParams, queue::SearchQueue, request::Request};
use crate::{
    NavBudget,
    systems::{fields::Fields, storage::threads::Threads},
};
use bevy_ecs::prelude::*;
use nav_grid::Planner;

/// Scratch memory of the searches, one per task.
#[derive(Resource, Default)]
pub(crate) struct Planners(Vec<Planner>);

/// Fewer searches than this are not worth a task.
const TASK_SEARCHES_MIN: usize = 32;

/// Answers the requests of the tick, as far as the budget goes.
pub(crate) fn run_searches(
    params: SearchParams,
    budget: Res<NavBudget>,
    fields: Res<Fields>,
    mut queue: ResMut<SearchQueue>,
    mut planners: ResMut<Planners>,
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
    let Planners(planners) = &mut *planners;
    *expanded = fields.expanded;
    *expanded += match budget.expansions {
        None => {
            long.drop();
            answer_all(requests, planners, &params)
        }
        Some(expansions) => {
            let spent = u32::try_from(fields.expanded).unwrap_or(u32::MAX);
            let left = expansions.saturating_sub(spent);
            answer_within(expansions, left, requests, planners, &mut long, &params)
        }
    };
}

/// Answers requests side by side and returns the expansions that took. Which task answers which
/// does not show in the result.
fn answer_all(requests: &mut [Request], planners: &mut Vec<Planner>, params: &SearchParams) -> u64 {
    let threads = Threads::for_work(requests.len(), TASK_SEARCHES_MIN);
    threads.share_out(requests, planners, |request, planner| {
        if let Some(terrain) = params.terrain(request.map) {
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
    params: &SearchParams,
) -> u64 {
    long.drop_if_stale(&params.chasers);
    let is_long = |request: &Request| request.expansions_max() > budget;
    if long.chaser().is_none()
        && let Some(index) = requests.iter().position(is_long)
    {
        long.start(requests.remove(index));
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
        let taken = answer_all(now, planners, params);
        left = left.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX));
        expanded += taken;
        ahead = later;
    }
    let (taken, done) = long.resume(left + for_slices, params);
    requests.extend(done);
    expanded + u64::from(taken)
}
