//! Answering the requests of a tick, in parallel and within the budget.

use super::{
    long_search::LongSearch,
    queue::{SearchParams, SearchQueue},
    request::{Request, SearchScope},
};
use crate::{
    NavBudget, NavClock,
    shared::{CountKind, Peers},
    systems::{fields::Fields, storage::threads::Threads},
};
use bevy_ecs::prelude::*;
use nav_grid::Planner;

/// Searches from which on a task is worth it: near ones take about a microsecond each, and handing
/// over a task about 10. A guess.
const TASK_SEARCHES_MIN: usize = 32;

/// The work of a tick for searches beyond the windows of chasers if there is no budget: so little
/// that many chasers that are cut off cost no more than a part of the others. A guess.
const WORK_BEYOND: u32 = 128;

/// The least work of a search, about. Bounds how many waiting chasers ask in the next tick. A
/// guess.
const LEAST_WORK: u32 = 8;

/// Scratch memory of the searches, one for each task.
#[derive(Resource, Default)]
pub(super) struct Planners(Vec<Planner>);

/// Answers the requests of the tick, as far as the budget goes.
pub(super) fn run_searches(
    params: SearchParams,
    (clock, budget, fields): (Res<NavClock>, Res<NavBudget>, Res<Fields>),
    mut peers: ResMut<Peers>,
    mut queue: ResMut<SearchQueue>,
    mut planners: ResMut<Planners>,
    mut long: ResMut<LongSearch>,
) {
    let queue = &mut *queue;
    queue.put_in_order();
    queue.together = peers.total(CountKind::Searches, queue.requests.len());
    let crowded = queue.is_crowded();
    let (requests, planners) = (&mut queue.requests, &mut planners.0);
    for request in requests.iter_mut() {
        request.path = queue.spare.pop().unwrap_or_default();
        // What is in it would count in the digest of a search in slices.
        request.path.clear();
    }
    long.drop_if_stale(&params.chasers);
    queue.expanded = fields.expanded;
    queue.expanded += match budget.expansions {
        None => {
            if crowded {
                for request in requests.iter_mut() {
                    request.put_off(clock.now());
                }
            }
            // Stable: the longest wait still comes first.
            requests.sort_by_key(|request| request.scope == SearchScope::Beyond);
            let beyond = requests.partition_point(|one| one.scope != SearchScope::Beyond);
            let taken = answer_all(&mut requests[..beyond], planners, &params);
            taken + answer_beyond(requests, beyond, &mut long, &params)
        }
        Some(expansions) => {
            let spent = u32::try_from(fields.expanded).unwrap_or(u32::MAX);
            let left = expansions.saturating_sub(spent);
            answer_within(left, requests, planners, &mut long, &params)
        }
    };
    let asking = budget.expansions.map_or(0, |work| work / LEAST_WORK + 1);
    queue.keep_waiting(asking as usize, long.chaser());
}

/// Answers searches beyond the windows of chasers, the requests from `first` on, one after the
/// other in slices. Searches that must wait are postponed. Returns the work done.
fn answer_beyond(
    requests: &mut Vec<Request>,
    first: usize,
    long: &mut LongSearch,
    params: &SearchParams,
) -> u64 {
    let mut left = WorkLeft::new(WORK_BEYOND, long.debt);
    let (mut next, end) = (first, requests.len());
    while left.work > 0 {
        if long.chaser().is_none() {
            let unanswered = |request: &Request| request.outcome.is_none();
            let Some(further) = requests[next..end].iter().position(unanswered) else {
                break;
            };
            next += further;
            long.start(requests[next].take());
            next += 1;
        }
        let chaser = long.chaser();
        let Some(done) = left.resume(long, params) else {
            break;
        };
        // The next search waits as long as this one took. So a single chaser is answered at once,
        // and many that ask all the time cost half.
        left.debt = left.debt.saturating_add(done.work());
        // The chaser may have asked again since its search began.
        let asks = |request: &&mut Request| Some(request.chaser) == chaser;
        match requests[first..end].iter_mut().find(asks) {
            Some(request) => *request = done,
            None => requests.push(done),
        }
    }
    for request in &mut requests[next..end] {
        if request.outcome.is_none() && Some(request.chaser) != long.chaser() {
            request.scope = SearchScope::Postponed;
        }
    }
    long.debt = left.debt;
    left.taken
}

/// Answers requests in parallel and returns the work done. The results do not depend on which task
/// answers which request.
fn answer_all(requests: &mut [Request], planners: &mut Vec<Planner>, params: &SearchParams) -> u64 {
    let threads = Threads::for_work(requests.len(), TASK_SEARCHES_MIN);
    threads.share_out(requests, planners, |request, planner| {
        if request.scope != SearchScope::Later
            && let Some(terrain) = params.terrain(request.map)
        {
            request.answer(planner, terrain);
        }
    });
    let taken = requests.iter().map(Request::work);
    taken.map(u64::from).sum()
}

/// Answers as many requests at the front as the budget allows in the worst case. Work that they did
/// not need goes to the next ones. Returns the number of answered requests.
fn answer_sure(
    requests: &mut [Request],
    left: &mut WorkLeft,
    planners: &mut Vec<Planner>,
    params: &SearchParams,
) -> usize {
    let mut answered = 0;
    loop {
        let mut reserved = 0;
        let fit = requests[answered..].iter().take_while(|request| {
            reserved += u64::from(request.work_max());
            reserved <= u64::from(left.work)
        });
        let fit = fit.count();
        if fit == 0 {
            return answered;
        }
        let now = &mut requests[answered..answered + fit];
        left.take(answer_all(now, planners, params));
        answered += fit;
    }
}

/// Answers as many requests as the budget allows, from the front, and returns the work done.
///
/// A request that may take more than the rest of the budget goes in slices: it gets the rest now,
/// and at least half of the budget in each of the next ticks.
fn answer_within(
    left: u32,
    requests: &mut Vec<Request>,
    planners: &mut Vec<Planner>,
    long: &mut LongSearch,
    params: &SearchParams,
) -> u64 {
    let mut left = WorkLeft::new(left, long.debt);
    let mut end = requests.len();
    let mut next = 0;
    if let Some(chaser) = long.chaser() {
        // A chaser that asks again is not answered twice. Stable: the longest wait still comes
        // first.
        requests.sort_by_key(|request| request.chaser == chaser);
        end = requests.partition_point(|request| request.chaser != chaser);
        let mut half = left.split();
        next = answer_sure(&mut requests[..end], &mut half, planners, params);
        left.join(half);
        requests.extend(left.resume(long, params));
    }
    while long.chaser().is_none() && left.work > 0 {
        next += answer_sure(&mut requests[next..end], &mut left, planners, params);
        if next == end || left.work == 0 {
            break;
        }
        long.start(requests[next].take());
        if let Some(done) = left.resume(long, params) {
            requests[next] = done;
            next += 1;
        } else {
            // The search is under way, or its map is gone.
            requests.remove(next);
            end -= 1;
        }
    }
    long.debt = left.debt;
    left.taken
}

/// The rest of a tick's budget, and the work done.
struct WorkLeft {
    work: u32,
    taken: u64,
    /// Work done beyond the budget. It is taken from the next ticks.
    debt: u32,
}

impl WorkLeft {
    /// A budget of `work`, less a debt.
    fn new(work: u32, debt: u32) -> Self {
        let paid = work.min(debt);
        Self {
            work: work - paid,
            taken: paid.into(),
            debt: debt - paid,
        }
    }

    /// Resumes the search in slices for the rest of the budget. Returns its request once answered.
    fn resume(&mut self, long: &mut LongSearch, params: &SearchParams) -> Option<Request> {
        let (taken, done) = long.resume(self.work, params);
        self.take(taken.into());
        done
    }

    fn take(&mut self, work: u64) {
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let within = work.min(self.work);
        self.work -= within;
        self.taken += u64::from(within);
        self.debt = self.debt.saturating_add(work - within);
    }

    /// Splits off half of what is left, the smaller one.
    fn split(&mut self) -> Self {
        let work = self.work / 2;
        self.work -= work;
        Self {
            work,
            taken: 0,
            debt: 0,
        }
    }

    /// Puts a half back.
    fn join(&mut self, half: Self) {
        self.work += half.work;
        self.taken += half.taken;
        self.debt = self.debt.saturating_add(half.debt);
    }
}
