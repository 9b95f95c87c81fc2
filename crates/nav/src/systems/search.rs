//! Search: the queue of searches, answered in parallel and settled in order.

use super::{
    fields::{FarNotes, Fields},
    long_search::LongSearch,
    standing::Standing,
    threads::Threads,
};
use crate::{
    AgentId, CellPosition, Chaser, Chasing, MoveTimer, NavBudget, NavClock, NavMap, NavTime,
    NavTimer, PathCursor, PathFailure,
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{
    Cell, Cost, Counters, End, Fault, Limits, Method, Outcome, Path, Planner, Query as PathQuery,
    Search, Status, Stopped, Sweep, Terrain,
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
    /// What searches and fields expanded in this tick.
    pub(crate) expanded: u64,
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

/// What is decided of chasers.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) requests: Vec<Request>,
    pub(crate) refusals: Vec<(AgentId, Entity, Entity, PathFailure)>,
    pub(crate) arrivals: Vec<(AgentId, Entity, Entity)>,
    /// Chasers of a kind that is not prepared for.
    pub(crate) newcomers: Vec<Entity>,
    /// Chasers whose field is to be made first.
    pub(crate) expectant: Vec<Entity>,
    pub(crate) far: FarNotes,
}

impl SearchQueue {
    /// Takes up what the tasks of a decision noted.
    pub(crate) fn take_up(&mut self, notes: &mut Notes) {
        self.requests.append(&mut notes.requests);
        self.refusals.append(&mut notes.refusals);
        self.arrivals.append(&mut notes.arrivals);
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
    let SearchQueue {
        requests,
        spare,
        expanded,
        ..
    } = &mut *queue;
    requests.sort_unstable_by_key(|request| (request.since, request.id, request.chaser));
    // Who lost its path and turned to another target in one tick was decided for twice.
    requests.dedup_by_key(|request| request.chaser);
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

impl Request {
    /// Answers it at one go.
    fn answer(&mut self, planner: &mut Planner, terrain: Terrain<'_>) {
        let limited = self.limited_method();
        let (query, path) = (&self.query, &mut self.path);
        let mut outcome = planner.ask(self.method, terrain, query, path);
        if outcome.status == Status::Invalid(End::Start, Fault::Blocked) {
            // Several ways are tried, which share the limit.
            let ask =
                |query: &PathQuery, path: &mut Path| planner.ask(limited, terrain, query, path);
            outcome = walk_out(terrain, query, ask, path).unwrap_or(outcome);
        }
        self.outcome = Some(outcome);
    }

    /// Whether it may be a sweep, as near searches are: bounded by the cells of the window and
    /// not by the limit, and done at one go.
    fn may_sweep(&self) -> bool {
        matches!(self.method, Method::Auto | Method::Sweep)
            && self.query.limits.radius <= Sweep::SUPPORT.radius_max
    }

    /// A method that the limit on expansions holds for, and that can be cut into slices.
    pub(crate) fn limited_method(&self) -> Method {
        if self.may_sweep() {
            Method::AStar
        } else {
            self.method
        }
    }

    /// More expansions than it can take.
    fn expansions_max(&self) -> u32 {
        let Limits {
            radius, expansions, ..
        } = self.query.limits;
        let side = 2 * u32::from(radius) + 1;
        if self.may_sweep() {
            expansions.max(side * side)
        } else {
            expansions
        }
    }

    fn expanded(&self) -> u32 {
        self.outcome.map_or(0, |outcome| outcome.counters.expanded)
    }
}

/// The way of a chaser that a wall was built on: out by the free neighbour nearest to the goal
/// from which a path leads there, or else from which one leads nearer, or else just out. All
/// ways out share the expansions of one search.
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

/// Where so many search in a tick, their next searches are spread over their intervals.
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
        // Those that searched at the first move tick at which they might keep their turn; who never
        // did has none.
        let had_turn = request.since != NavTime::default();
        let is_late = !had_turn || clock.now() >= request.since.after(beat.chasing);
        let now = if crowded && is_late {
            let number = request.id.0.into();
            clock.now().put_off(number, chaser.repath_interval)
        } else {
            clock.now()
        };
        let Some(outcome) = request.outcome else {
            cursor.queue();
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
