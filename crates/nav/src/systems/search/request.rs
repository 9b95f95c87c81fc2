//! One chaser's search.

use super::beyond::out_of_wall;
use crate::{
    AgentId, CellPosition, Chaser, NavMap, NavTime, Period,
    systems::{
        guidance::{
            reach::{self, Approach, overlaps},
            way_beside,
        },
        storage::targets::TargetSnapshot,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Footprint, Grid, Method, Metric, Outcome, Path, PathQuery, Planner, Search, Status,
    Terrain,
    methods::Sweep,
    query::{Fallback, Stopped},
};
use std::{
    hash::{Hash, Hasher},
    mem::discriminant,
};

/// Where a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SearchScope {
    /// In the window of the chaser.
    Window,
    /// In the window, later: many chasers begin at once. Nothing was searched.
    Later,
    /// In the window. If that gives nothing and the map is prepared, the next search looks beyond.
    WindowFirst,
    /// Beyond the window.
    Beyond,
    /// Beyond the window, later: other chasers come first. Nothing was searched.
    Postponed,
}

/// Where the path of a search should end.
#[derive(Clone, Copy)]
pub(crate) enum PathEnd {
    /// At the goal: a chaser on its way there comes within reach of the target.
    Goal,
    /// At the goal, which may lead onto the target without coming within reach before. Then the
    /// next search is for a place.
    GoalFirst,
    /// At a place beside the target, by a way off its cells.
    Place(Approach, TargetSnapshot),
    /// Short of the target, since no such way leads to a place.
    Short(TargetSnapshot),
}

/// One chaser's search.
pub(crate) struct Request {
    pub(crate) chaser: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) map: Entity,
    /// The chaser's interval between two searches.
    pub(crate) interval: Period,
    /// The chaser's period between two move ticks.
    pub(crate) period: Period,
    /// When the chaser was first allowed to search: the longest wait goes first.
    pub(crate) since: NavTime,
    /// Where the target is.
    pub(crate) place: CellPosition,
    pub(crate) query: PathQuery,
    pub(crate) end: PathEnd,
    pub(crate) scope: SearchScope,
    /// The method that answers.
    pub(crate) method: Method,
    /// The path found; after settling, the chaser's former buffer.
    pub(crate) path: Path,
    pub(crate) outcome: Option<Outcome>,
    /// Whether an earlier search gave the same outcome, and nothing changed since.
    pub(crate) is_repeated: bool,
}

impl Hash for Request {
    /// Entities differ from world to world. What an end holds follows from the world and the query.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id, self.interval, self.period, self.since, self.place).hash(state);
        (
            &self.query,
            discriminant(&self.end),
            self.scope,
            self.method,
        )
            .hash(state);
        (&self.path, &self.outcome, self.is_repeated).hash(state);
    }
}

impl Request {
    /// Redirects the search to a cell instead of the target, in the window of the chaser.
    pub(super) fn lead_to(&mut self, cell: Cell, chaser: &Chaser, map: &NavMap) {
        let ahead = TargetSnapshot {
            position: CellPosition::at(cell),
            map: self.map,
            body: Footprint::ONE,
            is_entered: true,
        };
        let from = self.query.start;
        let goal = reach::goal(chaser, map.grid(), from, &ahead);
        self.query = chaser
            .query(from, goal)
            .with_goal_body(reach::goal_body(chaser, &ahead))
            .with_last_step(false);
        self.end = PathEnd::Goal;
        self.scope = SearchScope::Window;
    }

    /// Answers the search at once.
    pub(super) fn answer(&mut self, planner: &mut Planner, terrain: Terrain<'_>) {
        self.outcome = self.answer_beside(terrain).or_else(|| {
            // Several exits of a wall share the limit, so the method has to keep it.
            let limited = match self.method {
                Method::Auto | Method::Sweep if self.is_near() => Method::AStar,
                method => method,
            };
            let (query, path) = (&self.query, &mut self.path);
            let outcome = planner.ask(self.method, terrain, query, path);
            let outcome = out_of_wall(outcome, (planner, limited), terrain, query, path);
            Some(self.end_short(outcome, terrain.grid()))
        });
    }

    /// Answers a search for a place, if a way leads there.
    pub(super) fn answer_beside(&mut self, terrain: Terrain<'_>) -> Option<Outcome> {
        let PathEnd::Place(approach, target) = self.end else {
            return None;
        };
        let outcome = way_beside(terrain, &self.query, approach, &target, &mut self.path)?;
        if outcome.status == Status::Unreachable {
            self.end = PathEnd::Short(target);
        }
        (outcome.status == Status::Found).then_some(outcome)
    }

    /// Cuts a path that does not lead beside the target where it is nearest to the target, or at
    /// its start. Returns the outcome of the rest.
    ///
    /// Otherwise a chaser would walk back and forth between the ends of two paths.
    pub(super) fn end_short(&mut self, outcome: Outcome, grid: &Grid) -> Outcome {
        let PathEnd::Short(target) = self.end else {
            return outcome;
        };
        if !outcome.status.has_path() {
            return outcome;
        }
        let (start, goal, rules) = (self.query.start, self.query.goal, self.query.rules);
        let far = |cell: Cell| (cell.chebyshev(goal), cell.manhattan(goal));
        let is_off = |cell: &Cell| !overlaps(rules, *cell, &target);
        let (mut waypoints, mut least) = (0, far(start));
        for (number, cell) in (1..).zip(self.path.iter().take_while(is_off)) {
            if far(cell) < least {
                (waypoints, least) = (number, far(cell));
            }
        }
        self.path.shorten(waypoints);
        let status = match waypoints {
            0 => Status::Unreachable,
            _ => Status::Partial(Stopped::Unreachable),
        };
        let cost = self.path.walk(grid, start, rules).unwrap_or(outcome.cost);
        outcome.with_status(status).with_cost(cost)
    }

    /// Moves the request out, and leaves one without path and answer.
    pub(super) fn take(&mut self) -> Self {
        Self {
            path: std::mem::take(&mut self.path),
            ..*self
        }
    }

    /// Postpones the search until its turn, as one of many, if it begins a chase of a target beyond
    /// the window. Until then the chaser goes straight ahead.
    ///
    /// A chaser without [`Fallback`] searches at once: it must stand where nothing is found.
    pub(super) fn put_off(&mut self, now: NavTime) {
        let is_first = self.since == NavTime::default();
        if is_first
            && self.is_goal_beyond()
            && self.query.fallback != Fallback::None
            && self.turn(now) >= now.after(self.period)
        {
            self.scope = SearchScope::Later;
        }
    }

    /// The chaser's turn among many: within two intervals.
    pub(super) fn turn(&self, now: NavTime) -> NavTime {
        now.put_off(self.id.0.into(), self.interval.times(2))
    }

    /// A bound of the work, or the highest number if that is not known.
    pub(super) fn work_max(&self) -> u32 {
        let expansions = self.query.limits.expansions;
        match self.method {
            // A search of the ground around the target comes first.
            _ if matches!(self.end, PathEnd::Place(..)) => u32::MAX,
            Method::AStar | Method::Dijkstra => expansions,
            Method::Auto | Method::Sweep if self.is_near() => {
                let side = 2 * u32::from(self.query.limits.radius) + 1;
                // A wave from either end.
                let even = matches!(self.query.rules.metric, Metric::Unit | Metric::FourWay);
                let waves = if even { 1 } else { 2 };
                expansions.max(waves * side * side)
            }
            _ => u32::MAX,
        }
    }

    /// Whether a sweep serves the window.
    fn is_near(&self) -> bool {
        self.query.limits.radius <= Sweep::SUPPORT.radius_max
    }

    fn is_goal_beyond(&self) -> bool {
        self.query.start.chebyshev(self.query.goal) > self.query.limits.radius
    }

    /// Whether the answer leads nearer to a goal beyond the window, which is all that it could.
    pub(super) fn leads_nearer(&self) -> bool {
        let status = self.outcome.map(|outcome| outcome.status);
        matches!(status, Some(Status::Partial(_))) && self.is_goal_beyond()
    }

    pub(super) fn work(&self) -> u32 {
        self.outcome.map_or(0, |outcome| outcome.counters.work())
    }
}
