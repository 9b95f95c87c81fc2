//! One chaser's search.

use super::walk_out::walk_out;
use crate::{
    AgentId, CellPosition, Chaser, NavMap, NavTime, Period,
    systems::{
        places::way_beside,
        reach::{self, Approach, overlaps},
        storage::targets::TargetSnapshot,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Footprint, Grid, Limits, Method, Metric, Outcome, Path, PathQuery, Planner, Search,
    Status, Terrain,
    methods::Sweep,
    query::{Fallback, Fault, QueryEnd, Stopped},
};
use std::hash::{Hash, Hasher};

/// Where a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SearchScope {
    /// In the window of the chaser.
    Window,
    /// In the window, later: many begin at once, and nothing was searched.
    Later,
    /// There, and beyond if that gives nothing and the map is prepared for it.
    WindowFirst,
    /// Beyond the window.
    Beyond,
    /// Beyond the window, for which others came first: nothing was searched.
    Postponed,
}

impl SearchScope {
    /// Whether the next search is one beyond the window if this one gave nothing to follow.
    pub(crate) fn is_first(self) -> bool {
        self == Self::WindowFirst
    }

    /// Whether a chaser looks beyond its window by turns.
    pub(crate) fn takes_turns(self) -> bool {
        matches!(self, Self::WindowFirst | Self::Beyond)
    }
}

/// Where the path of a search is to end.
#[derive(Clone, Copy)]
pub(crate) enum PathEnd {
    /// At the goal: whoever goes there is within reach of the target on the way.
    Goal,
    /// At the goal, too. It may lead onto the target from where that is not within reach: then the next
    /// search is for a place.
    GoalFirst,
    /// At a place beside the target, by a way off its cells.
    Place(Approach, TargetSnapshot),
    /// Short of the target, since no such way leads to a place.
    Short(TargetSnapshot),
}

impl Hash for PathEnd {
    /// The rest follows from the world and the query.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let kind: u8 = match self {
            Self::Goal => 0,
            Self::GoalFirst => 1,
            Self::Place(..) => 2,
            Self::Short(_) => 3,
        };
        kind.hash(state);
    }
}

/// One chaser's search.
pub(crate) struct Request {
    pub(crate) chaser: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) map: Entity,
    /// The chaser's interval between two searches, and that between two move ticks.
    pub(crate) interval: Period,
    pub(crate) period: Period,
    /// When the chaser was first allowed to search: the longest wait goes first.
    pub(crate) since: NavTime,
    /// Where the target is.
    pub(crate) place: CellPosition,
    pub(crate) query: PathQuery,
    /// Where its path is to end.
    pub(crate) end: PathEnd,
    pub(crate) scope: SearchScope,
    /// Who answers.
    pub(crate) method: Method,
    /// The path found; after settling, the chaser's former buffer.
    pub(crate) path: Path,
    pub(crate) outcome: Option<Outcome>,
    /// Whether that is what an earlier search gave, and nothing changed since.
    pub(crate) is_repeated: bool,
}

impl Hash for Request {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            // Entities differ from world to world.
            chaser: _,
            id,
            target: _,
            map: _,
            interval,
            period,
            since,
            place,
            query,
            end,
            scope,
            method,
            path,
            outcome,
            is_repeated,
        } = self;
        (id, interval, period, since, place).hash(state);
        (query, end, scope, method).hash(state);
        (path, outcome, is_repeated).hash(state);
    }
}

impl Request {
    /// Leads it to a cell in place of the target, in the window of the chaser.
    pub(crate) fn lead_to(&mut self, cell: Cell, chaser: &Chaser, map: &NavMap) {
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

    /// Answers it at one go.
    pub(super) fn answer(&mut self, planner: &mut Planner, terrain: Terrain<'_>) {
        if let Some(outcome) = self.answer_beside(terrain) {
            self.outcome = Some(outcome);
            return;
        }
        let limited = self.limited_method();
        let (query, path) = (&self.query, &mut self.path);
        let mut outcome = planner.ask(self.method, terrain, query, path);
        if outcome.status == Status::Invalid(QueryEnd::Start, Fault::Blocked) {
            // Several ways are tried, which share the limit.
            let ask =
                |query: &PathQuery, path: &mut Path| planner.ask(limited, terrain, query, path);
            outcome = walk_out(terrain, query, ask, path).unwrap_or(outcome);
        }
        self.outcome = Some(self.end_short(outcome, terrain.grid()));
    }

    /// Answers one that is to end at a place, if a way leads there.
    pub(super) fn answer_beside(&mut self, terrain: Terrain<'_>) -> Option<Outcome> {
        let PathEnd::Place(approach, target) = self.end else {
            return None;
        };
        let outcome = way_beside(terrain, &self.query, approach, &target, &mut self.path);
        if let Some(Status::Unreachable) = outcome.map(|outcome| outcome.status) {
            self.end = PathEnd::Short(target);
        }
        outcome.filter(|outcome| outcome.status == Status::Found)
    }

    /// Has a path that does not lead beside the target end where it is nearest to it, or at its start: else
    /// a chaser would go to and fro between where two ways end. Returns what is left of the outcome.
    pub(super) fn end_short(&mut self, outcome: Outcome, grid: &Grid) -> Outcome {
        let PathEnd::Short(target) = self.end else {
            return outcome;
        };
        if !outcome.status.has_path() {
            return outcome;
        }
        let PathQuery {
            start, goal, rules, ..
        } = self.query;
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
        let cost = self.path.walk(grid, start, rules);
        outcome
            .with_status(status)
            .with_cost(cost.unwrap_or(outcome.cost))
    }

    /// Moves it out, and leaves one without path and answer.
    pub(super) fn take(&mut self) -> Self {
        Self {
            path: std::mem::take(&mut self.path),
            ..*self
        }
    }

    fn is_near(&self) -> bool {
        self.query.limits.radius <= Sweep::SUPPORT.radius_max
    }

    /// Puts it off until its turn, as one of many, if it begins a chase after a target beyond the window. Until
    /// then the chaser goes straight on; one that is to stand where nothing is found searches at once.
    pub(super) fn put_off(&mut self, now: NavTime) {
        let PathQuery {
            start,
            goal,
            limits,
            fallback,
            ..
        } = self.query;
        let is_first = self.since == NavTime::default();
        let is_far = start.chebyshev(goal) > limits.radius && fallback != Fallback::None;
        if is_first && is_far && self.turn(now) >= now.after(self.period) {
            self.scope = SearchScope::Later;
        }
    }

    /// When it is its turn, among many: within two intervals.
    pub(super) fn turn(&self, now: NavTime) -> NavTime {
        now.put_off(self.id.0.into(), self.interval.times(2))
    }

    /// A method that keeps to the limit on expansions whatever it meets.
    fn limited_method(&self) -> Method {
        match self.method {
            Method::Auto | Method::Sweep if self.is_near() => Method::AStar,
            method => method,
        }
    }

    /// More work than it can take, or the highest number if that is not known.
    pub(super) fn work_max(&self) -> u32 {
        let Limits {
            radius, expansions, ..
        } = self.query.limits;
        let side = 2 * u32::from(radius) + 1;
        if matches!(self.end, PathEnd::Place(..)) {
            // A look at the ground around the target comes first.
            return u32::MAX;
        }
        match self.method {
            Method::AStar | Method::Dijkstra => expansions,
            Method::Auto | Method::Sweep if self.is_near() => {
                // A wave from either end.
                let even = matches!(self.query.rules.metric, Metric::Unit | Metric::FourWay);
                let waves = if even { 1 } else { 2 };
                expansions.max(waves * side * side)
            }
            _ => u32::MAX,
        }
    }

    /// Whether the answer leads nearer to a goal that was beyond the window: so far as it could.
    pub(super) fn leads_nearer(&self) -> bool {
        let PathQuery {
            start,
            goal,
            limits,
            ..
        } = self.query;
        let is_partial = matches!(
            self.outcome,
            Some(Outcome {
                status: Status::Partial(_),
                ..
            })
        );
        is_partial && start.chebyshev(goal) > limits.radius
    }

    pub(super) fn work(&self) -> u32 {
        self.outcome.map_or(0, |outcome| outcome.counters.work())
    }
}
