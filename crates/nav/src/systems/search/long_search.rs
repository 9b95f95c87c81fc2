//! A search in slices, which takes more than one tick.

use super::{
    params::SearchParams,
    request::Request,
    sought::{Sought, begin_spot, progress_of},
};
use crate::NavMap;
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, PathQuery, Planner, Status, Terrain,
    fields::{ReachField, ReachedCells},
    methods::NearestGoal,
    query::{Progress, Sliced},
};
use std::hash::{Hash, Hasher};

/// Expansions allowed for the way to the start of a found path: the default of near searches.
const JOIN_EXPANSIONS: u32 = 150;

/// A search that is cut into slices of what a tick's budget has for it. As a resource, the only one
/// of chasers; path requests have one of their own.
///
/// Not saved: when a world is saved, the search begins again.
#[derive(Resource, Default)]
pub(crate) struct LongSearch {
    planner: Planner,
    under_way: Option<Request>,
    /// The object of the search under way, or of the last one.
    sought: Sought,
    /// For path requests with several goals, or near one.
    nearest: NearestGoal,
    /// For requests for reach.
    reach: ReachField,
    /// All goals of the request, of which the goal of its query is the first. For a place near a
    /// goal scratch memory. Empty for others.
    goals: Vec<Cell>,
    /// The number of the goal that the path leads to.
    goal: u32,
    begun: bool,
    /// The work so far.
    spent: u32,
    /// The work of earlier ticks beyond their budget: the last slice of a tick may take a little
    /// more than it is given.
    pub(super) debt: u32,
    /// The answer, until a way leads the walker to its start.
    found: Option<Outcome>,
    /// The way from the walker's present cell. Scratch memory.
    link: Path,
}

impl LongSearch {
    /// The agent that asked for the search under way.
    pub(crate) fn asker(&self) -> Option<Entity> {
        self.under_way().map(|request| request.asker)
    }

    /// The search under way.
    pub(super) const fn under_way(&self) -> Option<&Request> {
        self.under_way.as_ref()
    }

    /// The map of the search under way.
    pub(crate) fn map(&self) -> Option<Entity> {
        self.under_way().map(|request| request.map)
    }

    /// Starts with a request.
    pub(super) fn start(&mut self, request: Request) {
        self.start_for(Sought::Goal, request, &[]);
    }

    /// Starts with a request for more than a path to its goal; with `others`, to one of them as
    /// well.
    pub(super) fn start_for(&mut self, sought: Sought, request: Request, others: &[Cell]) {
        self.drop();
        self.sought = sought;
        if sought == Sought::AnyOf {
            self.goals.push(request.query.goal);
            self.goals.extend(others);
        }
        self.under_way = Some(request);
    }

    /// The object of the search under way, or of the last one.
    pub(super) const fn sought(&self) -> Sought {
        self.sought
    }

    /// The cells in reach, once a request for them is answered.
    pub(super) fn reached(&self) -> &ReachedCells {
        self.reach.reached()
    }

    /// The number of the goal that the path of the last request leads to.
    pub(super) const fn goal(&self) -> u32 {
        self.goal
    }

    /// Cancels the search under way.
    fn drop(&mut self) {
        self.under_way = None;
        self.sought = Sought::Goal;
        self.goals.clear();
        self.goal = 0;
        self.begin_again();
    }

    /// Whether nothing is under way, and all work is paid for.
    pub(crate) fn is_idle(&self) -> bool {
        self.asker().is_none() && self.debt == 0
    }

    /// Begins the search under way again.
    pub(crate) fn begin_again(&mut self) {
        self.planner.cancel();
        self.nearest.cancel();
        self.reach.cancel();
        self.spent = 0;
        self.begun = false;
        self.found = None;
        if let Some(request) = &mut self.under_way {
            request.path.clear();
        }
    }

    /// Cancels the search of a chaser that will search for something else.
    pub(crate) fn drop_of(&mut self, chaser: Entity) {
        if self.asker() == Some(chaser) {
            self.drop();
        }
    }

    /// Cancels the search if it is no longer asked for.
    pub(super) fn drop_unless(
        &mut self,
        is_asked_for: impl FnOnce(&Request, (Sought, &[Cell])) -> bool,
    ) {
        let others = match self.sought {
            Sought::AnyOf => self.goals.get(1..).unwrap_or_default(),
            _ => &[],
        };
        let sought = (self.sought, others);
        let under_way = self.under_way.as_ref();
        if !under_way.is_none_or(|request| is_asked_for(request, sought)) {
            self.drop();
        }
    }

    /// Resumes the search for `work`, or a little more, for a walker that is at `from` by now.
    /// Returns the work done, and the request once it is answered.
    pub(super) fn resume(
        &mut self,
        work: u32,
        from: Option<Cell>,
        params: &SearchParams,
    ) -> (u32, Option<Request>) {
        let Some(entity) = self.map().filter(|_| work > 0) else {
            return (0, None);
        };
        let (Some(from), Some(terrain), Some(map)) =
            (from, params.terrain(entity), params.map(entity))
        else {
            self.drop();
            return (0, None);
        };
        let taken = match self.found {
            Some(_) => 0,
            None => self.search(work, terrain, map),
        };
        let (more, answered) = self.answer((work, taken), from, terrain);
        (taken + more, answered)
    }

    /// Searches on for `work`, and returns the work done.
    fn search(&mut self, work: u32, terrain: Terrain<'_>, map: &NavMap) -> u32 {
        let Some(request) = &mut self.under_way else {
            return 0;
        };
        if !self.begun
            && let Some(outcome) = request.answer_beside(terrain)
        {
            self.spent = 0;
            self.found = Some(outcome);
            return outcome.counters.work();
        }
        let is_begun = std::mem::replace(&mut self.begun, true);
        let mut ahead = 0;
        let mut progress = if is_begun {
            self.resume_slice(work, terrain)
        } else {
            Progress::Stale
        };
        if matches!(progress, Progress::Stale | Progress::Idle) {
            // From the beginning: the search is not begun yet, or the map was edited.
            self.spent = 0;
            ahead = self.begin(terrain, map);
            progress = self.resume_slice(work, terrain);
        }
        let before = self.spent;
        self.spent = if let Progress::Done(outcome) = progress {
            self.begun = false;
            self.found = Some(outcome);
            outcome.counters.work()
        } else {
            let of_goals = self.nearest.work().max(self.reach.work());
            self.planner.work().max(of_goals)
        };
        self.spent.saturating_sub(before) + ahead
    }

    /// Begins the search under way on a map. Returns the work of that.
    fn begin(&mut self, terrain: Terrain<'_>, map: &NavMap) -> u32 {
        let Some(request) = &mut self.under_way else {
            return 0;
        };
        let query = request.settle_query(map);
        match self.sought {
            Sought::Goal => self.planner.begin_with(request.method, terrain, &query),
            Sought::AnyOf => self.nearest.begin(terrain, &query, &self.goals),
            Sought::Spot(spot) => {
                let goals = &mut self.goals;
                return begin_spot(&mut self.nearest, (terrain, &query), spot, goals);
            }
            Sought::Reach(limits) => {
                self.reach
                    .begin(terrain.grid(), query.start, query.rules, limits);
            }
        }
        0
    }

    /// Searches on in a slice of `work`.
    fn resume_slice(&mut self, work: u32, terrain: Terrain<'_>) -> Progress {
        let Some(request) = &mut self.under_way else {
            return Progress::Idle;
        };
        match self.sought {
            Sought::Goal => self.planner.resume(terrain, work, &mut request.path),
            Sought::AnyOf => {
                let progress = self.nearest.resume(terrain, work, &mut request.path);
                self.goal = self.nearest.winner().map_or(0, |goal| goal as u32);
                progress
            }
            Sought::Spot(_) => self.nearest.resume(terrain, work, &mut request.path),
            Sought::Reach(_) => progress_of(self.reach.resume(terrain.grid(), work)),
        }
    }

    /// Hands the answer out, if there is one and the tick has room for the way to its start: it has
    /// `work`, of which `taken` is used. Returns the work of that way.
    fn answer(
        &mut self,
        (work, taken): (u32, u32),
        from: Cell,
        terrain: Terrain<'_>,
    ) -> (u32, Option<Request>) {
        let (Some(outcome), Some(request)) = (self.found, &self.under_way) else {
            return (0, None);
        };
        let left = work.saturating_sub(taken).min(JOIN_EXPANSIONS);
        let at_start = from == request.query.start || !outcome.status.has_path();
        if !at_start && left == 0 {
            return (0, None);
        }
        let Some(mut request) = self.under_way.take() else {
            return (0, None);
        };
        let (joining, joined) = if at_start {
            (0, Some(outcome))
        } else {
            self.join(outcome, from, &mut request, terrain, left)
        };
        if joined.is_none() && taken > 0 && joining >= left {
            // The rest of a slice may have been too little: the next tick has more.
            self.under_way = Some(request);
            return (joining, None);
        }
        self.found = None;
        request.outcome = joined.map(|outcome| request.end_short(outcome, terrain.grid()));
        (joining, Some(request))
    }

    /// Returns the answer for a chaser that moved since its search began: a way to a waypoint some
    /// way ahead, and the rest of the path. `None` if there is no such way nearby; then the chaser
    /// asks again. Also returns the expansions used.
    fn join(
        &mut self,
        outcome: Outcome,
        from: Cell,
        request: &mut Request,
        terrain: Terrain<'_>,
        expansions: u32,
    ) -> (u32, Option<Outcome>) {
        let Request { query, path, .. } = request;
        let ahead = usize::from(query.start.chebyshev(from)) * 2 + 1;
        let Some(goal) = path.iter().take(ahead).next_back() else {
            return (0, None);
        };
        let nearby = PathQuery {
            start: from,
            goal,
            limits: Limits {
                expansions,
                ..Limits::default()
            },
            // The path leads on from a waypoint before the goal.
            ends_with_step: query.ends_with_step && goal == query.goal,
            ..*query
        };
        let link = &mut self.link;
        let linked = self.planner.ask(Method::AStar, terrain, &nearby, link);
        let taken = linked.counters.work();
        if !matches!(linked.status, Status::Found | Status::AlreadyThere) {
            return (taken, None);
        }
        for _ in 0..ahead.min(path.len()) {
            path.pop();
        }
        for waypoint in link.iter().rev() {
            path.prepend(waypoint);
        }
        let mut counters = outcome.counters;
        counters.add(&linked.counters);
        let cost = path.walk(terrain.grid(), from, query.rules).ok();
        let joined = cost.map(|cost| outcome.with_cost(cost).with_counters(counters));
        (taken, joined)
    }
}

impl Hash for LongSearch {
    /// The progress of the search. What the planner knows follows from the query and the progress;
    /// the [asker](Self::asker) is hashed by the world.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.under_way.hash(state);
        (self.begun, self.spent, self.debt, &self.found).hash(state);
        if self.under_way.is_some() {
            match self.sought {
                Sought::Goal => {}
                Sought::AnyOf => (&self.goals, self.goal).hash(state),
                sought => sought.hash(state),
            }
        }
    }
}
