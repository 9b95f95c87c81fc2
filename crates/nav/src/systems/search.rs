//! Search: the queue of searches, answered in parallel and settled in order.

use super::crowd::Crowds;
use crate::{
    AgentId, CellPosition, Chaser, NavClock, NavMap, NavTime, NavTimer, PathCursor, PathFailure,
};
use bevy_ecs::prelude::*;
use bevy_tasks::ComputeTaskPool;
use nav_grid::{
    Cell, Cost, Counters, End, Fault, Limits, Method, Outcome, Path, Planner, Query as PathQuery,
    Status, Stopped, Terrain,
};

/// What the tick's searches ask and answer, and what else there is to report.
///
/// Everything in it lives for one tick; buffers are kept, so a warm tick allocates nothing
/// here.
#[derive(Resource, Default)]
pub(crate) struct SearchQueue {
    requests: Vec<Request>,
    /// Chasers that wanted to search and could not.
    refusals: Vec<(AgentId, Entity, Entity, PathFailure)>,
    /// Chasers that came within reach of their targets.
    arrivals: Vec<(AgentId, Entity, Entity)>,
    /// Chasers whose paths an edit broke: number, chaser, map, first waypoint that is cut off.
    broken: Vec<(AgentId, Entity, Entity, Cell)>,
    /// Buffers for the paths of later requests.
    spare: Vec<Path>,
}

/// One chaser's search.
pub(crate) struct Request {
    pub(crate) chaser: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) map: Entity,
    /// When the chaser was first allowed to search: the longest wait goes first.
    pub(crate) since: NavTime,
    /// Where the target is.
    pub(crate) place: CellPosition,
    pub(crate) query: PathQuery,
    /// Who answers.
    pub(crate) method: Method,
    /// The path found; after settling, the chaser's former buffer.
    pub(crate) path: Path,
    pub(crate) outcome: Option<Outcome>,
}

impl SearchQueue {
    pub(crate) fn push(&mut self, request: impl FnOnce(Path) -> Request) {
        let path = self.spare.pop().unwrap_or_default();
        self.requests.push(request(path));
    }

    pub(crate) fn refuse(
        &mut self,
        id: AgentId,
        chaser: Entity,
        target: Entity,
        failure: PathFailure,
    ) {
        self.refusals.push((id, chaser, target, failure));
    }

    pub(crate) fn arrive(&mut self, id: AgentId, chaser: Entity, target: Entity) {
        self.arrivals.push((id, chaser, target));
    }

    pub(crate) fn broken(&mut self, id: AgentId, chaser: Entity, map: Entity, waypoint: Cell) {
        self.broken.push((id, chaser, map, waypoint));
    }

    pub(crate) fn answered(&self) -> impl Iterator<Item = (&Request, Outcome)> {
        self.requests
            .iter()
            .filter_map(|request| Some((request, request.outcome?)))
    }

    /// In the order of agents, whatever order they are stored in.
    pub(crate) fn refusals(&mut self) -> &[(AgentId, Entity, Entity, PathFailure)] {
        self.refusals
            .sort_unstable_by_key(|&(id, chaser, ..)| (id, chaser));
        &self.refusals
    }

    /// In the order of agents, whatever order they are stored in.
    pub(crate) fn arrivals(&mut self) -> &[(AgentId, Entity, Entity)] {
        self.arrivals
            .sort_unstable_by_key(|&(id, chaser, _)| (id, chaser));
        &self.arrivals
    }

    /// In the order of agents, whatever order they are stored in.
    pub(crate) fn breaks(&mut self) -> &[(AgentId, Entity, Entity, Cell)] {
        self.broken
            .sort_unstable_by_key(|&(id, chaser, ..)| (id, chaser));
        &self.broken
    }

    /// Forgets the tick.
    pub(crate) fn clear(&mut self) {
        self.refusals.clear();
        self.arrivals.clear();
        self.broken.clear();
        self.spare
            .extend(self.requests.drain(..).map(|request| request.path));
    }
}

/// Scratch memory of the searches, one per task.
#[derive(Resource, Default)]
pub(crate) struct Searchers(Vec<Planner>);

/// Fewer searches than this are not worth a task: handing one to another thread
/// costs some 10 µs, the time of a handful of searches.
const TASK_SEARCHES_MIN: usize = 32;

/// Answers all requests. Which task answers which does not show in the result.
pub(crate) fn run_searches(
    maps: Query<&NavMap>,
    crowds: Res<Crowds>,
    mut queue: ResMut<SearchQueue>,
    mut searchers: ResMut<Searchers>,
) {
    let requests = &mut queue.requests;
    if requests.is_empty() {
        return;
    }
    requests.sort_unstable_by_key(|request| (request.since, request.id, request.chaser));

    let pool = ComputeTaskPool::try_get();
    let threads = match pool {
        // The thread that waits for the tasks works on them, too.
        Some(pool) if cfg!(feature = "multi_threaded") => pool.thread_num() + 1,
        _ => 1,
    };
    let tasks = threads.min(requests.len() / TASK_SEARCHES_MIN).max(1);
    if searchers.0.len() < tasks {
        searchers.0.resize_with(tasks, Planner::new);
    }
    let share = requests.len().div_ceil(tasks);
    let work = requests.chunks_mut(share).zip(&mut searchers.0);
    match pool {
        Some(pool) if tasks > 1 => {
            pool.scope(|scope| {
                for (share, planner) in work {
                    let (maps, crowds) = (&maps, &*crowds);
                    scope.spawn(async move { answer(share, planner, maps, crowds) });
                }
            });
        }
        _ => work.for_each(|(share, planner)| answer(share, planner, &maps, &crowds)),
    }
}

fn answer(requests: &mut [Request], planner: &mut Planner, maps: &Query<&NavMap>, crowds: &Crowds) {
    for request in requests {
        if let Ok(map) = maps.get(request.map) {
            let terrain = crowds.terrain(request.map, map);
            let (query, path) = (&request.query, &mut request.path);
            let mut ask = |query: &PathQuery, path: &mut Path| {
                planner.ask(request.method, terrain, query, path)
            };
            let mut outcome = ask(query, path);
            if outcome.status == Status::Invalid(End::Start, Fault::Blocked) {
                outcome = walk_out(terrain, query, ask, path).unwrap_or(outcome);
            }
            request.outcome = Some(outcome);
        }
    }
}

/// The way of a chaser that a wall was built on: out by the free neighbour nearest to the goal
/// from which a path leads there, or else from which one leads nearer, or else just out. All
/// ways out share the expansions of one search, as far as its method counts them.
fn walk_out(
    terrain: Terrain<'_>,
    query: &PathQuery,
    mut ask: impl FnMut(&PathQuery, &mut Path) -> Outcome,
    path: &mut Path,
) -> Option<Outcome> {
    let grid = terrain.grid;
    let mut exits: Vec<(Cell, Cost)> = grid
        .steps(query.start, query.rules)
        .into_iter()
        .filter_map(|step| {
            let cost = grid.step_cost(query.start, step, query.rules)?;
            Some((query.start.step(step)?, cost))
        })
        .collect();
    // Stable: among equals the first one clockwise.
    exits.sort_by_key(|(exit, _)| exit.manhattan(query.goal));
    let mut counters = Counters::default();
    let mut best: Option<(Outcome, Path)> = None;
    for (exit, step) in exits {
        let expansions = query.limits.expansions;
        let expansions = expansions.saturating_sub(counters.expanded);
        let limits = Limits {
            expansions,
            ..query.limits
        };
        let from_exit = PathQuery {
            start: exit,
            limits,
            ..*query
        };
        let outcome = ask(&from_exit, path);
        counters.add(&outcome.counters);
        path.prepend(exit);
        if outcome.status == Status::Found {
            return Some(Outcome {
                cost: outcome.cost + step,
                counters,
                ..outcome
            });
        }
        // A way that leads nearer replaces one that only leads out.
        if best
            .as_ref()
            .is_none_or(|(_, kept)| kept.len() == 1 && path.len() > 1)
        {
            let status = match outcome.status {
                Status::Partial(stopped) => Status::Partial(stopped),
                Status::BudgetSpent => Status::Partial(Stopped::BudgetSpent),
                _ => Status::Partial(Stopped::Unreachable),
            };
            let outcome = Outcome {
                status,
                cost: outcome.cost + step,
                ..outcome
            };
            best = Some((outcome, std::mem::take(path)));
        }
    }
    let (outcome, kept) = best?;
    *path = kept;
    Some(Outcome {
        counters,
        ..outcome
    })
}

/// Hands the answers to the chasers, in the order of the queue.
pub(crate) fn settle_searches(
    clock: Res<NavClock>,
    mut queue: ResMut<SearchQueue>,
    mut chasers: Query<(&Chaser, &mut PathCursor, &mut NavTimer)>,
) {
    let now = clock.now();
    for request in &mut queue.requests {
        let Some(outcome) = request.outcome else {
            continue;
        };
        let Ok((chaser, mut cursor, mut timer)) = chasers.get_mut(request.chaser) else {
            continue;
        };
        let found = outcome.status.has_path().then_some(&mut request.path);
        cursor.searched(request.place, found);
        match outcome.status {
            Status::Found | Status::AlreadyThere => timer.succeeded(now, chaser.repath_interval),
            Status::TooFar | Status::Invalid(..) | Status::Unsupported(_) => {
                timer.refused(now, chaser.repath_interval);
            }
            _ => timer.failed(now, chaser.repath_interval),
        }
    }
}
