//! One search: of a chaser, or for a path request; and the way out of its window, for targets that
//! need one.

use super::{turn::Turn, whole_map::NEAR};
use crate::{
    AgentId, CellPosition, Chaser, NavMap, NavTime, Period,
    systems::{
        guidance::{
            reach::{self, Approach, hand, overlaps},
            way_beside,
        },
        storage::targets::TargetSnapshot,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{
    Cell, Footprint, Grid, IndexedMap, Method, Outcome, Path, PathQuery, Planner, Search, Status,
    Terrain,
    index::Regions,
    methods::PortalSearch,
    planner::nearest_reachable,
    query::{Fallback, Stopped},
    rules::{BodyPolicy, Heuristic},
};
use std::{
    hash::{Hash, Hasher},
    mem::discriminant,
};

/// Where a search looks, and where it looks further if it finds no way to the target.
// Decision 18: docs/decisions/0018-nearer-to-what-is-out-of-reach.md
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Looks {
    /// In the window of the chaser only.
    WindowOnly,
    /// In the window, and then beyond it.
    Window,
    /// Over the whole map by its index. Else in the window, for a way that leads nearer.
    Beyond,
}

/// The stages of a search for a way past bodies that keep a body where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PastStage {
    /// In the window, with all bodies as walls: quick, and enough where another way is free.
    Around,
    /// Through the bodies around the target that make room, by
    /// [`PastBodies`](crate::systems::crowd::PastBodies).
    Through,
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

/// One search.
pub(crate) struct Request {
    /// The chaser, or the entity with a [`PathRequest`](crate::PathRequest).
    pub(crate) asker: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) map: Entity,
    /// The chaser's interval between two searches.
    pub(crate) interval: Period,
    /// The chaser's period between two move ticks.
    pub(crate) period: Period,
    /// The time from which the chaser was allowed to search: the longest wait goes first.
    pub(crate) since: NavTime,
    /// Where the target is.
    pub(crate) place: CellPosition,
    pub(crate) query: PathQuery,
    pub(crate) end: PathEnd,
    pub(crate) looks: Looks,
    /// The stage of a search past bodies; `None` for any other search.
    pub(crate) past: Option<PastStage>,
    /// Whether it asks the index of the map where the window is not enough.
    pub(crate) may_leave: bool,
    /// The method that answers.
    pub(crate) method: Method,
    /// The path found; after settling, the chaser's former buffer.
    pub(crate) path: Path,
    pub(crate) outcome: Option<Outcome>,
    /// Whether an earlier search gave the same outcome, and nothing changed since.
    pub(crate) is_repeated: bool,
    /// Whether the chaser has nothing to follow yet, and never searched in vain.
    pub(crate) sets_off: bool,
}

impl Hash for Request {
    /// Entities differ from world to world. What an end holds follows from the world and the query.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id, self.interval, self.period, self.since, self.place).hash(state);
        (
            &self.query,
            discriminant(&self.end),
            self.looks,
            self.past,
            self.method,
        )
            .hash(state);
        (&self.path, &self.outcome).hash(state);
        (self.is_repeated, self.sets_off).hash(state);
    }
}

impl Request {
    /// The search for a request of an entity that is no chaser, with an empty path.
    pub(super) fn asked(turn: Turn, map: Entity, query: PathQuery) -> Self {
        Self {
            asker: turn.asker,
            id: turn.id,
            target: Entity::PLACEHOLDER,
            map,
            interval: Period::default(),
            period: Period::default(),
            since: turn.since,
            place: CellPosition::at(query.goal),
            query,
            end: PathEnd::Goal,
            looks: Looks::WindowOnly,
            past: None,
            may_leave: false,
            method: Method::Auto,
            path: Path::new(),
            outcome: None,
            is_repeated: false,
            sets_off: false,
        }
    }

    /// Its turn among others.
    pub(super) const fn turn(&self) -> Turn {
        Turn::new(self.since, self.id, self.asker)
    }

    /// Looks for a way nearer in the window before any beyond it: where many set off in one tick,
    /// all do so at once.
    pub(super) fn set_off_at_once(&mut self) {
        if self.sets_off && self.looks == Looks::Beyond {
            self.looks = Looks::WindowOnly;
        }
    }

    /// Redirects the search to a cell instead of the target, in the window of the chaser.
    pub(super) fn lead_to(&mut self, cell: Cell, chaser: &Chaser, map: &NavMap) {
        let ahead = TargetSnapshot {
            position: CellPosition::at(cell),
            map: self.map,
            body: Footprint::ONE,
            is_entered: true,
        };
        let from = self.query.start;
        let query = reach::query(chaser, map.grid(), (from, from), &ahead);
        self.query = query.with_last_step(false);
        self.end = PathEnd::Goal;
        (self.looks, self.may_leave, self.past) = (Looks::WindowOnly, false, None);
    }

    /// Answers the search at once.
    pub(super) fn answer(&mut self, planner: &mut Planner, terrain: Terrain<'_>) {
        self.outcome = self.answer_beside(terrain).or_else(|| {
            let outcome = planner.ask(self.method, terrain, &self.query, &mut self.path);
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

    /// Cuts a path that does not lead to the target: where it is nearest to the target, if it is to
    /// end short of it or takes a step that cannot be taken back, from which nothing may lead on.
    /// Returns the outcome of the rest.
    ///
    /// Otherwise a chaser would walk back and forth between the ends of two paths, or be caught.
    pub(super) fn end_short(&mut self, outcome: Outcome, grid: &Grid) -> Outcome {
        let (start, goal, rules) = (self.query.start, self.query.goal, self.query.rules);
        let length = self.path.len();
        if let PathEnd::Place(_, target) = &self.end
            && outcome.status == Status::Found
            && !target.shows_places_from(start)
        {
            // The next search, from where it can, leads to a place.
            let ahead = (self.path.iter()).position(|cell| target.shows_places_from(cell));
            self.path.shorten(ahead.map_or(length, |ahead| ahead + 1));
            let cost = self.path.walk(grid, start, rules);
            return outcome.with_cost(cost.unwrap_or(outcome.cost));
        }
        let leads_beside = |end| grid.allows_step(end, goal, hand(rules));
        let waypoints = match (self.end, outcome.status) {
            (PathEnd::Short(target), status) if status.has_path() => {
                let off = (self.path.iter()).take_while(|&cell| !overlaps(rules, cell, &target));
                self.waypoints_nearer(off)
            }
            // Beside a target that the chaser may not enter nothing need lead on.
            (_, Status::Partial(_)) if self.path.end().is_some_and(leads_beside) => length,
            (_, Status::Partial(_)) if grid.has_exits() || !grid.links().is_empty() => {
                let grid = grid.for_rules(rules);
                let mut from = start;
                let leads_back = |&to: &Cell| {
                    let before = std::mem::replace(&mut from, to);
                    // Out of a wall no step leads back in.
                    !grid.fits(before, rules.footprint) || grid.allows_move(to, before, rules)
                };
                let count = self.path.iter().take_while(leads_back).count();
                let is_out = grid.fits(start, rules.footprint);
                if is_out && count < length {
                    self.waypoints_nearer(self.path.iter().take(count))
                } else {
                    count
                }
            }
            _ => length,
        };
        if waypoints == length {
            return outcome;
        }
        self.path.shorten(waypoints);
        let status = match waypoints {
            0 => Status::Unreachable,
            _ => Status::Partial(Stopped::Unreachable),
        };
        let cost = self.path.walk(grid, start, rules).unwrap_or(outcome.cost);
        outcome.with_status(status).with_cost(cost)
    }

    /// How many waypoints lead to the nearest of them to the goal; 0 if none is nearer than the
    /// start.
    fn waypoints_nearer(&self, waypoints: impl Iterator<Item = Cell>) -> usize {
        let goal = self.query.goal;
        let cells = std::iter::once(self.query.start).chain(waypoints);
        let apart = cells.map(|cell| (cell.chebyshev(goal), cell.manhattan(goal)));
        let nearest = apart.enumerate().min_by_key(|&(_, apart)| apart);
        nearest.map_or(0, |(number, _)| number)
    }

    /// Moves the request out, and leaves one without path and answer.
    pub(super) fn take(&mut self) -> Self {
        Self {
            path: std::mem::take(&mut self.path),
            ..*self
        }
    }

    /// Looks further after an answer that does not lead to the target, if the chaser may. Returns
    /// whether it does; then nothing is answered yet.
    pub(super) fn look_further(&mut self, map: &NavMap) -> bool {
        let is_led =
            |outcome: Outcome| matches!(outcome.status, Status::Found | Status::AlreadyThere);
        if self.outcome.is_none_or(is_led) {
            return false;
        }
        if self.past == Some(PastStage::Around) {
            self.past = Some(PastStage::Through);
            self.outcome = None;
            return true;
        }
        let further = match self.looks {
            Looks::Window if beyond_window(map, &self.query).is_some() => Looks::Beyond,
            Looks::Beyond => Looks::WindowOnly,
            _ => return false,
        };
        self.looks = further;
        self.outcome = None;
        true
    }

    /// The query of the search, by where it looks. A search beyond the window for which the map is
    /// not prepared becomes one in the window.
    pub(super) fn settle_query(&mut self, map: &NavMap) -> PathQuery {
        if self.looks == Looks::Beyond {
            match beyond_window(map, &self.query) {
                Some(beyond) => return beyond,
                None => self.looks = Looks::WindowOnly,
            }
        }
        self.query
    }

    /// A bound of the work of an unanswered search on a map, if that is known.
    pub(super) fn work_max(&self, grid: &Grid) -> Option<u32> {
        // A search of the ground around the target, or for another goal, comes first.
        let is_long = self.looks == Looks::Beyond
            || self.past == Some(PastStage::Through)
            || matches!(self.end, PathEnd::Place(..))
            || self.query.fallback == Fallback::NearestReachable;
        if self.outcome.is_some() || is_long {
            return None;
        }
        let most = match self.method {
            Method::AStar | Method::Dijkstra => self.query.limits.expansions,
            Method::Auto | Method::Sweep => Planner::work_max(grid, &self.query),
            _ => u32::MAX,
        };
        (most < u32::MAX).then_some(most)
    }

    /// Whether the answer leads nearer to a goal beyond the window, which is all that it could.
    pub(super) fn leads_nearer(&self) -> bool {
        let status = self.outcome.map(|outcome| outcome.status);
        matches!(status, Some(Status::Partial(_))) && is_outside(self.query.goal, &self.query)
    }

    /// Whether the index of the map would answer it in far less work: the goal is further away than
    /// windows go whose work is bounded.
    ///
    /// Without the index, ten thousand chasers whose windows hold a map of 1024² cells search it
    /// one by one: in a minute 934 of them had an answer.
    pub(super) fn wants_index(&self) -> bool {
        may_use_index(self.method, &self.query)
            && self.query.limits.radius > NEAR
            && self.query.start.chebyshev(self.query.goal) > NEAR
    }

    pub(super) fn work(&self) -> u32 {
        self.outcome.map_or(0, |outcome| outcome.counters.work())
    }
}

/// Whether a chaser asks the index of its map where its window is not enough.
///
/// Not where the window holds the whole map.
pub(crate) fn may_leave_window(method: Method, map: &NavMap, query: &PathQuery) -> bool {
    may_use_index(method, query) && !holds(query.limits.radius, query.start, map)
}

/// Whether a chaser may go by the index of its map: by the default method, and unless it is to
/// stand where its window shows no way.
fn may_use_index(method: Method, query: &PathQuery) -> bool {
    method == Method::Auto
        && query.fallback != Fallback::None
        && query.rules.bodies == BodyPolicy::Ignore
        && query.heuristic.is_admissible(query.rules.metric)
}

/// The query of a chaser that [may leave](may_leave_window) its window, over the whole map: to the
/// goal, or where the chaser may not enter that, to the nearest cell. `None` if the portals that it
/// needs are not built, or the regions show that no way leads there.
pub(crate) fn beyond_window(map: &NavMap, query: &PathQuery) -> Option<PathQuery> {
    let (indexed, rules) = (map.indexed(), query.rules);
    indexed.indexes().ready_portals(rules)?;
    if PortalSearch::SUPPORT.lacks(indexed.into(), query).is_some() {
        return None;
    }
    let regions = indexed.indexes().ready_regions(rules);
    let mut beyond = *query;
    beyond.limits.radius = u16::MAX;
    // A way that only leads nearer is up to the window, which looks at each cell.
    beyond.fallback = Fallback::None;
    if !map
        .grid()
        .for_rules(rules)
        .fits(query.goal, rules.footprint)
    {
        beyond.goal = nearest_ground(indexed, regions?, query)?;
    }
    let is_apart = regions.is_some_and(|regions| !regions.same(query.start, beyond.goal));
    (!is_apart).then_some(beyond)
}

/// The cell that a chaser gets to nearest to a goal that it may not enter, such as a swimmer's
/// place. `None` if it is not nearer than where the chaser is.
///
/// Nearer by the cost on open ground, as for a search that approaches in the window. Otherwise a
/// chaser would go back and forth between what is nearest to each of the two.
#[cold]
fn nearest_ground(map: &IndexedMap, regions: &Regions, query: &PathQuery) -> Option<Cell> {
    let nearest = nearest_reachable(map, regions, query)?;
    let [reached, left] = [nearest, query.start].map(|cell| {
        let (dx, dy) = (cell.x.abs_diff(query.goal.x), cell.y.abs_diff(query.goal.y));
        query.rules.metric.open_ground(dx, dy)
    });
    (reached < left && query.heuristic == Heuristic::OpenGround).then_some(nearest)
}

/// Whether a path leaves the window of a query.
pub(crate) fn leaves_window(path: &Path, query: &PathQuery) -> bool {
    path.iter().any(|cell| is_outside(cell, query))
}

/// Whether a cell lies outside the window of a query.
pub(crate) fn is_outside(cell: Cell, query: &PathQuery) -> bool {
    cell.chebyshev(query.start) > query.limits.radius
}

/// Whether a window holds the whole map.
fn holds(radius: u16, start: Cell, map: &NavMap) -> bool {
    let sides = [
        (start.x, map.grid().width()),
        (start.y, map.grid().height()),
    ];
    sides.iter().all(|&(at, length)| {
        let behind = length.saturating_sub(1).saturating_sub(at);
        at.max(behind) <= radius
    })
}
