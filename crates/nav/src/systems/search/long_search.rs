//! A search in slices, which takes more than one tick.

use super::{params::SearchParams, request::Request};
use crate::{CellPosition, Chasing};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, PathQuery, Planner, Status, Terrain,
    query::{Progress, Sliced},
};
use std::hash::{Hash, Hasher};

/// The one search that is cut into slices of what a tick's budget has for it.
///
/// Not saved: a world that is loaded begins it again.
#[derive(Resource, Default)]
pub(crate) struct LongSearch {
    planner: Planner,
    under_way: Option<Request>,
    begun: bool,
    /// Expansions so far.
    spent: u32,
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
        self.planner.cancel();
        self.begun = false;
        self.found = None;
        self.under_way = None;
    }

    /// Gives up a search whose chaser is gone or chases somebody else.
    pub(super) fn drop_if_stale(&mut self, chasers: &Query<(&Chasing, &CellPosition)>) {
        let Some(request) = &self.under_way else {
            return;
        };
        let chasing = chasers.get(request.chaser).map(|(chasing, _)| chasing.0);
        if chasing != Ok(request.target) {
            self.drop();
        }
    }

    /// Resumes it for at most so many expansions. Returns how many that were, and the request when it
    /// is answered.
    pub(super) fn resume(
        &mut self,
        expansions: u32,
        params: &SearchParams,
    ) -> (u32, Option<Request>) {
        let map = self.under_way.as_ref().map(|request| request.map);
        let Some(map) = map.filter(|_| expansions > 0) else {
            return (0, None);
        };
        let Some(terrain) = params.terrain(map) else {
            self.drop();
            return (0, None);
        };
        let taken = match self.found {
            Some(_) => 0,
            None => self.search(expansions, terrain),
        };
        let (more, answered) = self.answer(taken, expansions - taken, terrain, &params.chasers);
        (taken + more, answered)
    }

    /// Searches on for at most so many expansions, and returns how many that were.
    fn search(&mut self, expansions: u32, terrain: Terrain<'_>) -> u32 {
        let Some(request) = &mut self.under_way else {
            return 0;
        };
        if !self.begun {
            let method = request.limited_method();
            self.planner.begin_with(method, terrain, &request.query);
            self.begun = true;
            self.spent = 0;
        }
        match self.planner.resume(terrain, expansions, &mut request.path) {
            Progress::Done(outcome) => {
                self.begun = false;
                self.found = Some(outcome);
                outcome
                    .counters
                    .expanded
                    .saturating_sub(self.spent)
                    .min(expansions)
            }
            Progress::Suspended => {
                self.spent = self.spent.saturating_add(expansions);
                expansions
            }
            Progress::Stale | Progress::Idle => {
                // The map was edited: from the beginning.
                self.begun = false;
                0
            }
        }
    }

    /// Hands the answer out, if there is one and the tick has room for the way to its beginning.
    /// Returns the expansions of that.
    fn answer(
        &mut self,
        taken: u32,
        left: u32,
        terrain: Terrain<'_>,
        chasers: &Query<(&Chasing, &CellPosition)>,
    ) -> (u32, Option<Request>) {
        let (Some(outcome), Some(request)) = (self.found, &self.under_way) else {
            return (0, None);
        };
        let Ok((_, &CellPosition { cell: from, .. })) = chasers.get(request.chaser) else {
            self.drop();
            return (0, None);
        };
        let at_start = from == request.query.start || !outcome.status.has_path();
        // A slice that is spent is no measure: the next tick has a whole one.
        if !at_start && taken > 0 && left < JOIN_EXPANSIONS {
            return (0, None);
        }
        self.found = None;
        let Some(mut request) = self.under_way.take() else {
            return (0, None);
        };
        if at_start {
            request.outcome = Some(outcome);
            return (0, Some(request));
        }
        let expansions = left.min(JOIN_EXPANSIONS);
        let (taken, joined) = self.join(outcome, from, &mut request, terrain, expansions);
        request.outcome = joined;
        (taken, Some(request))
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
            ..*query
        };
        let link = &mut self.link;
        let linked = self.planner.ask(Method::AStar, terrain, &nearby, link);
        let taken = linked.counters.expanded;
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
            found,
            // Scratch memory.
            link: _,
        } = self;
        under_way.hash(state);
        (begun, spent, found).hash(state);
    }
}

/// What the way to the beginning of another may take at most: the default of near searches.
const JOIN_EXPANSIONS: u32 = 150;
