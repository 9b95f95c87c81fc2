//! Answering the requests of a tick, in parallel and within the budget.

use super::{
    long_search::LongSearch,
    params::SearchParams,
    queue::SearchQueue,
    request::{Request, SearchScope},
};
use crate::{
    NavBudget, NavClock,
    shared::{CountKind, Peers},
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
    (clock, budget, fields): (Res<NavClock>, Res<NavBudget>, Res<Fields>),
    mut peers: ResMut<Peers>,
    mut queue: ResMut<SearchQueue>,
    mut planners: ResMut<Planners>,
    mut long: ResMut<LongSearch>,
) {
    queue.put_in_order();
    queue.together = peers.total(CountKind::Searches, queue.requests.len());
    let (now, crowded) = (clock.now(), queue.is_crowded());
    let SearchQueue {
        requests,
        spare,
        expanded,
        ..
    } = &mut *queue;
    for request in requests.iter_mut() {
        request.path = spare.pop().unwrap_or_default();
        // A search in slices counts with what is in it.
        request.path.clear();
    }
    let Planners(planners) = &mut *planners;
    long.drop_if_stale(&params.chasers);
    *expanded = fields.expanded;
    *expanded += match budget.expansions {
        None => {
            if crowded {
                for request in requests.iter_mut() {
                    request.put_off(now);
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

/// The work of a tick that goes to searches beyond the windows of chasers where no budget says how much
/// there is for all: so little that many who are cut off cost no more than a part of those who are not.
const WORK_BEYOND: u32 = 128;

/// Answers searches beyond the windows of chasers, those from `first` on, one after the other in slices;
/// those whose turn does not come are postponed. Returns the work that took.
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
        let (taken, done) = long.resume(left.work, params);
        left.take(taken.into());
        let Some(done) = done else { break };
        // The next one waits as long as this one took: a chaser that asks alone is answered as soon as ever, and
        // many who ask all the time cost half.
        left.debt = left.debt.saturating_add(done.work());
        // It may have asked again since its search began.
        let asks = |request: &&mut Request| Some(request.chaser) == chaser;
        match requests[first..end].iter_mut().find(asks) {
            Some(request) => *request = done,
            None => requests.push(done),
        }
    }
    let is_next =
        |request: &&mut Request| request.outcome.is_none() && Some(request.chaser) != long.chaser();
    for request in requests[next..end].iter_mut().filter(is_next) {
        request.scope = SearchScope::Postponed;
    }
    long.debt = left.debt;
    left.taken
}

/// A search takes hardly less work: more of those that wait need not ask in the next tick.
const LEAST_WORK: u32 = 8;

/// Answers requests side by side and returns the work that took. Which task answers which does not
/// show in the result.
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

/// Answers as many requests in front as what is left of a budget allows, whatever they meet, and
/// what they did not need of that allows again. Returns how many those are.
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

/// Answers as many requests as what is left of a budget allows, those in front first, and returns
/// the work that took.
///
/// A request that may take more than what is left goes in slices: it gets what is left now, and the
/// rest in the next tick. Of that it gets at least half.
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
        // Who asks again is not answered twice. Stable: the longest wait still comes first.
        requests.sort_by_key(|request| request.chaser == chaser);
        end = requests.partition_point(|request| request.chaser != chaser);
        let mut half = left.split();
        next = answer_sure(&mut requests[..end], &mut half, planners, params);
        left.join(half);
        let (taken, done) = long.resume(left.work, params);
        left.take(taken.into());
        requests.extend(done);
    }
    while long.chaser().is_none() && left.work > 0 {
        next += answer_sure(&mut requests[next..end], &mut left, planners, params);
        if next == end || left.work == 0 {
            break;
        }
        long.start(requests[next].take());
        let (taken, done) = long.resume(left.work, params);
        left.take(taken.into());
        if let Some(done) = done {
            requests[next] = done;
            next += 1;
        } else {
            // It is under way, or cannot be.
            requests.remove(next);
            end -= 1;
        }
    }
    long.debt = left.debt;
    left.taken
}

/// What is left of a tick's budget, and what was taken.
struct WorkLeft {
    work: u32,
    taken: u64,
    /// What was taken beyond: the next ticks have so much less.
    debt: u32,
}

impl WorkLeft {
    /// So much, of which a debt is paid first.
    fn new(work: u32, debt: u32) -> Self {
        let paid = work.min(debt);
        Self {
            work: work - paid,
            taken: paid.into(),
            debt: debt - paid,
        }
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
        let half = self.work / 2;
        self.work -= half;
        Self {
            work: half,
            taken: 0,
            debt: 0,
        }
    }

    /// Puts it back.
    fn join(&mut self, other: Self) {
        self.work += other.work;
        self.taken += other.taken;
        self.debt = self.debt.saturating_add(other.debt);
    }
}
