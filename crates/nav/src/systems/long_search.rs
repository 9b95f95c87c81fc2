//! A search that takes more than one tick.

use super::search::{Request, Scenery};
use crate::{CellPosition, Chasing};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, Planner, Progress, Query as PathQuery, Search, Sliced,
    Status, Sweep, Terrain,
};

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
    /// The way from where its chaser has got to meanwhile.
    link: Path,
}

impl LongSearch {
    /// Whose search is under way.
    pub(crate) fn chaser(&self) -> Option<Entity> {
        self.under_way.as_ref().map(|request| request.chaser)
    }

    /// Begins with a request.
    pub(crate) fn take_up(&mut self, request: Request) {
        self.drop();
        self.under_way = Some(request);
    }

    /// Gives up what is under way.
    pub(crate) fn drop(&mut self) {
        self.planner.cancel();
        self.begun = false;
        self.under_way = None;
    }

    /// Gives up a search whose chaser is gone or chases somebody else.
    pub(crate) fn keep_up(&mut self, chasers: &Query<(&Chasing, &CellPosition)>) {
        let Some(request) = &self.under_way else {
            return;
        };
        let chasing = chasers.get(request.chaser).map(|(chasing, _)| chasing.0);
        if chasing != Ok(request.target) {
            self.drop();
        }
    }

    /// Goes on for at most so many expansions. Returns how many that were, and the request when it
    /// is answered.
    pub(crate) fn go_on(&mut self, expansions: u32, scenery: &Scenery) -> (u32, Option<Request>) {
        let Some(request) = self.under_way.as_mut().filter(|_| expansions > 0) else {
            return (0, None);
        };
        let Some(terrain) = scenery.terrain(request.map) else {
            self.drop();
            return (0, None);
        };
        if !self.begun {
            // A sweep is done at one go: cell by cell it can be cut.
            let near = request.query.limits.radius <= Sweep::SUPPORT.radius_max;
            let method = match request.method {
                Method::Auto | Method::Sweep if near => Method::AStar,
                method => method,
            };
            self.planner.begin_with(method, terrain, &request.query);
            self.begun = true;
            self.spent = 0;
        }
        match self.planner.resume(terrain, expansions, &mut request.path) {
            Progress::Done(outcome) => {
                self.begun = false;
                let taken = outcome.counters.expanded.saturating_sub(self.spent);
                (taken, self.answer(outcome, terrain, &scenery.chasers))
            }
            Progress::Suspended => {
                self.spent = self.spent.saturating_add(expansions);
                (expansions, None)
            }
            Progress::Stale | Progress::Idle => {
                // The map was edited: from the beginning.
                self.begun = false;
                (0, None)
            }
        }
    }

    fn answer(
        &mut self,
        outcome: Outcome,
        terrain: Terrain<'_>,
        chasers: &Query<(&Chasing, &CellPosition)>,
    ) -> Option<Request> {
        let mut request = self.under_way.take()?;
        let (_, position) = chasers.get(request.chaser).ok()?;
        request.outcome = self.join(outcome, position.cell, &mut request, terrain);
        Some(request)
    }

    /// The answer for a chaser that went on since its search began: a way to a waypoint some way
    /// ahead, and the rest of the path. `None`, which has it ask again, if there is no such way
    /// nearby.
    fn join(
        &mut self,
        outcome: Outcome,
        from: Cell,
        request: &mut Request,
        terrain: Terrain<'_>,
    ) -> Option<Outcome> {
        let Request { query, path, .. } = request;
        if from == query.start || !outcome.status.has_path() {
            return Some(outcome);
        }
        let ahead = usize::from(query.start.chebyshev(from)) * 2 + 1;
        let nearby = PathQuery {
            start: from,
            goal: path.iter().take(ahead).next_back()?,
            limits: Limits::default(),
            ..*query
        };
        let link = self
            .planner
            .ask(Method::Auto, terrain, &nearby, &mut self.link);
        if !matches!(link.status, Status::Found | Status::AlreadyThere) {
            return None;
        }
        for _ in 0..ahead.min(path.len()) {
            path.pop();
        }
        for waypoint in self.link.iter().rev() {
            path.prepend(waypoint);
        }
        let cost = path.walk(terrain.grid, from, query.rules).ok()?;
        let mut counters = outcome.counters;
        counters.add(&link.counters);
        Some(Outcome {
            cost,
            counters,
            ..outcome
        })
    }
}
