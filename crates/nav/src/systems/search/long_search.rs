//! A search in slices, which takes more than one tick.

use super::{
    params::{Asking, SearchParams},
    request::Request,
    walk_out::walk_out,
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, PathQuery, Planner, Status, Terrain,
    query::{Fault, Progress, QueryEnd, Sliced},
};
use std::hash::{Hash, Hasher};

/// The one search that is cut into slices of what a tick's budget has for it.
///
/// Not saved: when a world is saved it is begun again.
#[derive(Resource, Default)]
pub(crate) struct LongSearch {
    planner: Planner,
    under_way: Option<Request>,
    begun: bool,
    /// The work so far.
    spent: u32,
    /// The work of earlier ticks beyond what they had: the last slice of a tick may take a little
    /// more than it is given.
    pub(super) debt: u32,
    /// The answer, while its chaser is not led to the beginning of the way yet.
    found: Option<Outcome>,
    /// The way from where its chaser has got to meanwhile.
    link: Path,
}

impl LongSearch {
    /// Whose search is under way.
    pub(crate) fn chaser(&self) -> Option<Entity> {
        self.under_way.as_ref().map(|request| request.chaser)
    }

    /// Starts with a request.
    pub(super) fn start(&mut self, request: Request) {
        self.drop();
        self.under_way = Some(request);
    }

    /// Gives up what is under way.
    pub(super) fn drop(&mut self) {
        self.under_way = None;
        self.begin_again();
    }

    /// Gives up what is under way, and what it owes.
    #[cfg(feature = "serialize")]
    pub(crate) fn forget(&mut self) {
        self.drop();
        self.debt = 0;
    }

    /// The map that is searched.
    pub(crate) fn map(&self) -> Option<Entity> {
        self.under_way.as_ref().map(|request| request.map)
    }

    /// Begins again with what is under way.
    pub(crate) fn begin_again(&mut self) {
        self.planner.cancel();
        self.spent = 0;
        self.begun = false;
        self.found = None;
        if let Some(request) = &mut self.under_way {
            request.path.clear();
        }
    }

    /// Gives up a search of a chaser that is to search for something else.
    pub(crate) fn drop_of(&mut self, chaser: Entity) {
        if self.chaser() == Some(chaser) {
            self.drop();
        }
    }

    /// Gives up a search whose chaser is gone, chases somebody else, or would ask otherwise by now: it went to
    /// another map, or was tuned anew.
    pub(super) fn drop_if_stale(&mut self, chasers: &Query<Asking>) {
        let Some(request) = &self.under_way else {
            return;
        };
        let asks_so = chasers.get(request.chaser).is_ok_and(|now| {
            let (tuning, query) = (now.chaser, &request.query);
            (now.chasing.0, now.on_map.0) == (request.target, request.map)
                && (tuning.rules, tuning.heuristic) == (query.rules, query.heuristic)
                && tuning.method == request.method
        });
        if !asks_so {
            self.drop();
        }
    }

    /// Resumes it for so much work, or a little more. Returns how much that was, and the request
    /// when it is answered.
    pub(super) fn resume(&mut self, work: u32, params: &SearchParams) -> (u32, Option<Request>) {
        let Some(map) = self.map().filter(|_| work > 0) else {
            return (0, None);
        };
        let Some(terrain) = params.terrain(map) else {
            self.drop();
            return (0, None);
        };
        let taken = match self.found {
            Some(_) => 0,
            None => self.search(work, terrain),
        };
        let left = work.saturating_sub(taken);
        let (more, answered) = self.answer(taken, left, terrain, &params.chasers);
        (taken + more, answered)
    }

    /// Searches on for so much work, and returns how much that was.
    fn search(&mut self, work: u32, terrain: Terrain<'_>) -> u32 {
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
        let mut progress = Progress::Stale;
        if self.begun {
            progress = self.planner.resume(terrain, work, &mut request.path);
        }
        if matches!(progress, Progress::Stale | Progress::Idle) {
            // From the beginning, as it is not begun yet or the map was edited.
            self.planner
                .begin_with(request.method, terrain, &request.query);
            self.begun = true;
            self.spent = 0;
            progress = self.planner.resume(terrain, work, &mut request.path);
        }
        let before = self.spent;
        self.spent = match progress {
            Progress::Done(outcome) => {
                self.begun = false;
                let outcome =
                    Self::out_of_a_wall(&mut self.planner, request, outcome, terrain, work);
                self.found = Some(outcome);
                outcome.counters.work()
            }
            _ => self.planner.work(),
        };
        self.spent.saturating_sub(before)
    }

    /// The answer to a request whose chaser a wall was built on, for at most so much work; any
    /// other answer stays as it is.
    fn out_of_a_wall(
        planner: &mut Planner,
        request: &mut Request,
        outcome: Outcome,
        terrain: Terrain<'_>,
        work: u32,
    ) -> Outcome {
        if outcome.status != Status::Invalid(QueryEnd::Start, Fault::Blocked) {
            return outcome;
        }
        let Request { query, path, .. } = request;
        let limits = Limits {
            expansions: query.limits.expansions.min(work),
            ..query.limits
        };
        let ask =
            |query: &PathQuery, path: &mut Path| planner.ask(Method::AStar, terrain, query, path);
        let limited = query.with_limits(limits);
        walk_out(terrain, &limited, ask, path).unwrap_or(outcome)
    }

    /// Hands the answer out, if there is one and the tick has room for the way to its beginning.
    /// Returns the work of that.
    fn answer(
        &mut self,
        taken: u32,
        left: u32,
        terrain: Terrain<'_>,
        chasers: &Query<Asking>,
    ) -> (u32, Option<Request>) {
        let (Some(outcome), Some(request)) = (self.found, &self.under_way) else {
            return (0, None);
        };
        let Ok(now) = chasers.get(request.chaser) else {
            self.drop();
            return (0, None);
        };
        let from = now.position.cell;
        let at_start = from == request.query.start || !outcome.status.has_path();
        if !at_start && left == 0 {
            return (0, None);
        }
        let Some(mut request) = self.under_way.take() else {
            return (0, None);
        };
        if at_start {
            self.found = None;
            request.outcome = Some(request.end_short(outcome, terrain.grid()));
            return (0, Some(request));
        }
        let work = left.min(JOIN_EXPANSIONS);
        let (joining, joined) = self.join(outcome, from, &mut request, terrain, work);
        if joined.is_none() && taken > 0 && joining >= work {
            // What a slice leaves is no measure: in the next tick there is more.
            self.under_way = Some(request);
        } else {
            self.found = None;
            request.outcome = joined.map(|outcome| request.end_short(outcome, terrain.grid()));
            return (joining, Some(request));
        }
        (joining, None)
    }

    /// The answer for a chaser that went on since its search began: a way to a waypoint some way
    /// ahead, for at most so many expansions, and the rest of the path. `None`, which has it ask
    /// again, if there is no such way nearby. Also returns the expansions that took.
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
        let limits = Limits {
            expansions,
            ..Limits::default()
        };
        let nearby = PathQuery {
            start: from,
            goal,
            limits,
            // What lies beyond it is gone on to.
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
        for waypoint in self.link.iter().rev() {
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
    /// How far it has come. Who searches is a matter of the world: see [`Self::chaser`].
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            // What it has seen follows from the query and from how far it has come.
            planner: _,
            under_way,
            begun,
            spent,
            debt,
            found,
            // Scratch memory.
            link: _,
        } = self;
        under_way.hash(state);
        (begun, spent, debt, found).hash(state);
    }
}

/// What the way to the beginning of another may take at most: the default of near searches.
const JOIN_EXPANSIONS: u32 = 150;
