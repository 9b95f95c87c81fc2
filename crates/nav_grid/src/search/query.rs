//! What is asked of a search.

use super::outcome::{End, Fault, Status};
use crate::{COST_MAX, Cell, Cost, Footprint, Grid, Heuristic, Metric, Rules};

/// One question: how to get from `start` to `goal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Query {
    /// Where the walker stands: the anchor of its [footprint](Footprint).
    pub start: Cell,
    /// Where it wants to be: the anchor, too.
    pub goal: Cell,
    /// How it moves.
    pub rules: Rules,
    /// How a best-first search guesses the cost that remains.
    pub heuristic: Heuristic,
    /// When to give up.
    pub limits: Limits,
    /// What to answer when there is no path to the goal within the limits.
    pub fallback: Fallback,
    /// The body that stands at the goal, if one does: its cells never block, whatever
    /// [`Rules::bodies`] says. One cell by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub goal_body: Footprint,
}

impl Query {
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
        }
    }

    /// The pair that many game servers run: every step costs 1 and the guess is columns plus
    /// rows. It expands fewer cells than the default and gives up shortest paths: one may be up
    /// to twice as long as need be, see [`Heuristic::Manhattan`].
    pub fn classic(start: Cell, goal: Cell) -> Self {
        let rules = Rules {
            metric: Metric::Unit,
            ..Rules::default()
        };
        Self {
            rules,
            heuristic: Heuristic::Manhattan,
            ..Self::new(start, goal)
        }
    }

    /// Replaces the rules.
    #[inline]
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Replaces the heuristic.
    #[inline]
    #[must_use]
    pub fn with_heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic, ..self }
    }

    /// Replaces the limits.
    #[inline]
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Replaces the fallback.
    #[inline]
    #[must_use]
    pub fn with_fallback(self, fallback: Fallback) -> Self {
        Self { fallback, ..self }
    }

    /// Replaces the size of the body at the goal.
    #[inline]
    #[must_use]
    pub fn with_goal_body(self, goal_body: Footprint) -> Self {
        Self { goal_body, ..self }
    }

    /// The answer that needs no search, if there is one: an end that cannot be stood on,
    /// start = goal, or a goal outside the window, in this order.
    #[inline]
    pub(crate) fn answer_at_once(&self, grid: &Grid) -> Option<Status> {
        let (footprint, radius) = (self.rules.footprint, self.limits.radius);
        answer_at_once(grid, self.start, self.goal, footprint, radius)
    }
}

/// As [`Query::answer_at_once`]. By value: a query that was just made need not be read back from
/// memory, which takes longer than the answer.
#[inline(never)]
fn answer_at_once(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    footprint: Footprint,
    radius: u16,
) -> Option<Status> {
    let fault = |cell| {
        if !grid.contains(cell) {
            Some(Fault::OutsideMap)
        } else if !grid.fits(cell, footprint) {
            Some(Fault::Blocked)
        } else {
            None
        }
    };
    if let Some(fault) = fault(start) {
        Some(Status::Invalid(End::Start, fault))
    } else if let Some(fault) = fault(goal) {
        Some(Status::Invalid(End::Goal, fault))
    } else if start == goal {
        Some(Status::AlreadyThere)
    } else if start.chebyshev(goal) > radius {
        Some(Status::TooFar)
    } else {
        None
    }
}

/// When a search gives up. Limits count cells, expansions and cost, never time, so that an answer
/// does not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Limits {
    /// Half the side of the window around the start that is searched, in cells: the window has
    /// `2 * radius + 1` columns and rows. 20 by default, about a screen on each side.
    pub radius: u16,
    /// Greatest number of cells whose neighbours are looked at. 150 by default: on open ground
    /// a path across the window takes 20, and a server that answers thousands of chasers a
    /// second bounds the worst tick by this number.
    pub expansions: u32,
    /// Greatest cost of a path, in the units of the metric; at most [`COST_MAX`] counts, which is
    /// the default. A goal whose cheapest path is dearer is as one beyond the budget:
    /// [`Status::BudgetSpent`], or [`Status::Unreachable`] where a search sees that, or
    /// [partial](Fallback::ClosestReached).
    ///
    /// Searches that guess leave out what costs more by their guess. Under an
    /// [admissible](Heuristic::is_admissible) one they find every path within the limit; other
    /// guesses may be too high for that. Methods whose paths are not cheapest ones refuse the path
    /// that they found if it is dearer.
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

    /// The whole window of `radius`, however many expansions it takes.
    pub const fn window(radius: u16) -> Self {
        Self {
            radius,
            ..Self::UNBOUNDED
        }
    }

    /// Replaces the limit on cost.
    #[must_use]
    pub const fn with_cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The cost above which no path is looked for.
    #[inline]
    pub(crate) fn cost_max(&self) -> Cost {
        self.cost.min(COST_MAX)
    }
}

/// What a search answers when the goal cannot be reached within its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fallback {
    /// Only the reason.
    #[default]
    None,
    /// A path to the expanded cell that the heuristic calls nearest to the goal (the cheaper
    /// one to reach among equals), if that is nearer than the start. Where a limit ended the
    /// search, on expansions or on cost, it is the nearest of those expanded by then.
    ClosestReached,
    /// A path to the reachable cell nearest to the goal, if that lies in a wall or in a
    /// [region](crate::Regions) of its own: see
    /// [`nearest_reachable`](crate::nearest_reachable). For [`Planner`](super::Planner); by
    /// themselves methods answer as with `None`.
    NearestReachable {
        /// How many square rings around the goal to look at, 1 to
        /// [`RINGS_MAX`](super::RINGS_MAX).
        rings: u8,
    },
}
