//! The path query: start, goal, rules, limits and fallback; and the line that breaks ties.

use super::outcome::{Fault, QueryEnd, Status};
use crate::{
    cell::Cell,
    map::Grid,
    rules::{COST_MAX, CornerRule, Cost, Estimate, Footprint, Heuristic, Metric, Rules},
};

/// A query for a path from `start` to `goal`, as in the [example](crate#example).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// The cell of the walker: the anchor of its [footprint](Footprint).
    pub start: Cell,
    /// The cell that the anchor should reach.
    pub goal: Cell,
    /// How the walker moves.
    pub rules: Rules,
    /// How a best-first search estimates the remaining cost.
    pub heuristic: Heuristic,
    /// The limits at which the search gives up.
    pub limits: Limits,
    /// The answer if there is no path to the goal within the limits.
    pub fallback: Fallback,
    /// The size of the body at the goal. Its cells never block, whatever [`Rules::bodies`] says.
    /// One cell by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub goal_body: Footprint,
    /// Whether a path may not end with a link, for walkers that stop beside the goal. Off by
    /// default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ends_with_step: bool,
}

impl PathQuery {
    /// A query with the default rules and limits.
    #[inline]
    pub fn new(start: Cell, goal: Cell) -> Self {
        Self {
            start,
            goal,
            rules: Rules::default(),
            heuristic: Heuristic::default(),
            limits: Limits::default(),
            fallback: Fallback::default(),
            goal_body: Footprint::ONE,
            ends_with_step: false,
        }
    }

    /// The search of many game servers: every step costs 1, the heuristic is columns plus rows, and
    /// diagonal steps [cut](CornerRule::Cut) the corners of walls. It expands fewer cells than the
    /// default, but a path may be up to twice as long as the shortest: see
    /// [`Heuristic::Manhattan`].
    pub fn classic(start: Cell, goal: Cell) -> Self {
        Self {
            rules: Rules::new(Metric::Unit, CornerRule::Cut),
            heuristic: Heuristic::Manhattan,
            ..Self::new(start, goal)
        }
    }

    setters! {
        /// Replaces the rules.
        with_rules(rules: Rules);
        /// Replaces the heuristic.
        with_heuristic(heuristic: Heuristic);
        /// Replaces the limits.
        with_limits(limits: Limits);
        /// Replaces the fallback.
        with_fallback(fallback: Fallback);
        /// Replaces the size of the body at the goal.
        with_goal_body(goal_body: Footprint);
        /// Sets whether a path may not end with a link.
        #[doc(hidden)]
        with_last_step(ends_with_step: bool);
    }

    /// The fault of an end of the query on a map; `None` if the walker can stand there.
    ///
    /// Every method answers by the same rules. From a start inside a wall paths first lead out of
    /// it, by the steps that [`Grid::steps`] allows there, whatever else the [`Status`] says. To a
    /// goal inside a wall they lead as near as the [fallback](Self::fallback) asks. So the status
    /// alone does not tell that an end is inside a wall: this does.
    pub fn fault(&self, grid: &Grid, end: QueryEnd) -> Option<Fault> {
        let cell = match end {
            QueryEnd::Start => self.start,
            QueryEnd::Goal => self.goal,
        };
        fault(grid.for_rules(self.rules), cell, self.rules.footprint)
    }

    /// Whether a link to `end` may be taken.
    #[inline]
    pub(crate) fn takes_links_to(&self, end: Cell) -> bool {
        !(self.ends_with_step && end == self.goal)
    }

    /// The answer that needs no search, if there is one: an invalid end, start = goal, or a goal
    /// outside the window, in this order.
    #[inline]
    pub(crate) fn answer_at_once(&self, grid: &Grid) -> Option<Status> {
        let (footprint, limits) = (self.rules.footprint, self.limits);
        answer_at_once(grid, self.start, self.goal, footprint, limits)
    }

    /// The same for methods that serve [`Fallback::ClosestReached`]: `None` if they can come nearer
    /// to a goal in a wall or outside the window.
    #[inline]
    pub(crate) fn answer_unless_closest(&self, grid: &Grid) -> Option<Status> {
        let status = self.answer_at_once(grid)?;
        (!self.wants_closest_to(status)).then_some(status)
    }

    /// The same for a start inside a wall, which a search can leave.
    pub(crate) fn answer_from_wall(&self, grid: &Grid) -> Option<Status> {
        let footprint = self.rules.footprint;
        let status = answer_by_goal(grid, self.start, self.goal, footprint, self.limits)?;
        (!self.wants_closest_to(status)).then_some(status)
    }

    /// The estimate that orders cells by nearness to the goal, for [`Fallback::ClosestReached`].
    ///
    /// Not the heuristic where that tells no cells apart: no cell would be nearer than the start.
    #[inline]
    pub(crate) const fn nearness(&self) -> Estimate {
        match self.heuristic {
            Heuristic::Zero => Estimate::exact(Metric::Unit),
            heuristic => Estimate::new(heuristic, self.rules.metric),
        }
    }

    /// Whether the fallback asks for a search although this status is known at once.
    #[inline]
    pub(crate) fn wants_closest_to(&self, status: Status) -> bool {
        self.fallback != Fallback::None
            && matches!(
                status,
                Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked)
            )
    }
}

/// Implements [`PathQuery::answer_at_once`]. By value, since reading a query that was just written
/// to memory takes longer than the answer.
#[inline(never)]
fn answer_at_once(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    footprint: Footprint,
    limits: Limits,
) -> Option<Status> {
    match fault(grid, start, footprint) {
        Some(fault) => Some(Status::Invalid(QueryEnd::Start, fault)),
        None => answer_by_goal(grid, start, goal, footprint, limits),
    }
}

#[inline]
fn fault(grid: &Grid, end: Cell, footprint: Footprint) -> Option<Fault> {
    if !grid.contains(end) {
        Some(Fault::OutsideMap)
    } else if !grid.fits(end, footprint) {
        Some(Fault::Blocked)
    } else {
        None
    }
}

/// The answer that the goal gives, from a start that needs no check.
#[inline]
fn answer_by_goal(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    footprint: Footprint,
    limits: Limits,
) -> Option<Status> {
    if let Some(fault) = fault(grid, goal, footprint) {
        Some(Status::Invalid(QueryEnd::Goal, fault))
    } else if start == goal {
        Some(Status::AlreadyThere)
    } else if !limits.window_holds(start, goal) {
        Some(Status::TooFar)
    } else {
        None
    }
}

/// The limits at which a [search](crate#example) gives up. They count cells, expansions and cost,
/// never time, so that answers do not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Limits {
    /// Half the side of the window around the start that is searched, in cells: the window has
    /// `2 * radius + 1` columns and rows. 20 by default: about a screen on each side.
    pub radius: u16,
    /// Greatest number of [expansions](crate::query::Counters::expanded) of a method that is asked
    /// for by name: of cells whose neighbours are looked at, or of jump points, portals or blocks.
    /// 150 by default: on open ground a path across the window takes 20. The time of an
    /// expansion does not depend on the size of the map.
    ///
    /// [`Method::Auto`](crate::Method::Auto) does not count expansions: the window alone bounds it,
    /// so that it misses no way there.
    ///
    /// Work that the window or the length of the path bounds does not count here: a
    /// [sweep](crate::methods::Sweep), a straight way, the copy of the window that
    /// [jump points](crate::methods::JumpPointSearch) take where none are prepared, and laying the
    /// path that was found. It is [counted](crate::query::Counters::scanned) and
    /// [cut into slices](crate::query::Sliced) nevertheless.
    pub expansions: u32,
    /// Greatest cost of a path, in the units of the metric; at most [`COST_MAX`], the default. A
    /// goal whose cheapest path is dearer counts as beyond the budget:
    /// [`Status::BudgetSpent`](crate::Status::BudgetSpent), or
    /// [`Status::Unreachable`](crate::Status::Unreachable) if the search finds that out, or
    /// [partial](Fallback::ClosestReached).
    ///
    /// Best-first searches skip cells whose estimated path is dearer, unless the path may
    /// [end short of the goal](Fallback): then they go as far as the limit allows. With an
    /// [admissible](crate::rules::Heuristic::is_admissible) heuristic they find every path within
    /// the limit; others may estimate too much. Methods whose paths are not always cheapest reject
    /// a path that is dearer.
    pub cost: Cost,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            radius: 20,
            expansions: 150,
            cost: COST_MAX,
        }
    }
}

impl Limits {
    /// No limit but the map.
    pub const UNBOUNDED: Self = Self {
        radius: u16::MAX,
        expansions: u32::MAX,
        cost: COST_MAX,
    };

    /// The whole window of `radius`, with any number of expansions.
    pub const fn window(radius: u16) -> Self {
        Self {
            radius,
            ..Self::UNBOUNDED
        }
    }

    setters! {
        /// Replaces the limit on cost.
        with_cost(cost: Cost);
    }

    /// Whether a cell is in the window around a start, on whichever floor.
    #[inline]
    pub(crate) const fn window_holds(self, start: Cell, cell: Cell) -> bool {
        start.chebyshev(cell) <= self.radius
    }

    /// The greatest cost of a path, at most [`COST_MAX`].
    #[inline]
    pub(crate) fn cost_max(&self) -> Cost {
        self.cost.min(COST_MAX)
    }
}

/// The answer of a search that cannot reach the goal within its [limits](Limits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fallback {
    /// No path, only the reason.
    #[default]
    None,
    /// A path to the expanded cell nearest to the goal by the heuristic, if that is nearer than the
    /// start. [`Heuristic::Zero`](crate::rules::Heuristic::Zero) tells no cells apart: with it, by
    /// columns or rows, whichever are more. Among equals it is the cheapest to reach, then the
    /// nearest by Euclidean distance. If a limit on expansions or cost ended the search, only the
    /// cells within it count.
    ///
    /// [`Planner`](crate::Planner), with any method but [`Method::Line`](crate::Method::Line),
    /// [`BoundedAStar`](crate::methods::BoundedAStar) and [`Sweep`](crate::methods::Sweep) also do
    /// this for goals outside the window or in a wall. The status is then
    /// [`Status::Partial`](crate::Status::Partial), or
    /// [`Status::Unreachable`](crate::Status::Unreachable) if nothing is nearer than the start.
    ClosestReached,
    /// A path to the reachable cell that is nearest to the goal as the crow flies, if the goal
    /// itself cannot be reached: by columns or rows, whichever are more, then by Euclidean
    /// distance. Among equals it is the cheapest to reach, then the first in reading order. Cells
    /// of the goal's floor come first.
    ///
    /// Reachable are the cells that a search comes to within its window and its limits, or, where
    /// there are [regions](crate::IndexedMap::build_regions), all cells in the region of the start,
    /// among equals the cheapest on open ground: see
    /// [`nearest_reachable`](crate::planner::nearest_reachable). Served like
    /// [`ClosestReached`](Self::ClosestReached), with the same status.
    NearestReachable,
}

/// The straight line from start to goal, which breaks ties between equally good cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TieBreakLine {
    goal: (i32, i32),
    run: (i32, i32),
}

impl TieBreakLine {
    pub(crate) fn new(start: Cell, goal: Cell) -> Self {
        let (gx, gy) = (i32::from(goal.x), i32::from(goal.y));
        Self {
            goal: (gx, gy),
            run: (gx - i32::from(start.x), gy - i32::from(start.y)),
        }
    }

    /// The distance of a cell from the line, times the length of the line; its sign is the side.
    #[inline]
    pub(crate) fn deviation(&self, cell: Cell) -> i32 {
        self.deviation_of(
            i32::from(cell.x) - self.goal.0,
            i32::from(cell.y) - self.goal.1,
        )
    }

    /// The deviation of a cell `dx` columns and `dy` rows from a cell on the line. It is linear, so
    /// a step adds the same to every cell's deviation.
    #[inline]
    pub(crate) fn deviation_of(&self, dx: i32, dy: i32) -> i32 {
        dx * self.run.1 - dy * self.run.0
    }

    /// The greatest deviation within a number of columns and rows of the goal.
    pub(crate) fn deviation_max(&self, columns: u16, rows: u16) -> u32 {
        u32::from(columns) * self.run.1.unsigned_abs() + u32::from(rows) * self.run.0.unsigned_abs()
    }
}
