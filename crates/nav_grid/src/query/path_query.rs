//! The path query: start, goal, rules, limits and fallback.

use super::{
    limits::{Fallback, Limits},
    outcome::{Fault, QueryEnd, Status},
};
use crate::{
    cell::Cell,
    map::Grid,
    rules::{Footprint, Heuristic, Metric, Rules},
};

/// One question: how to get from `start` to `goal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
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
    /// Whether a path may not end with a link, for walkers that stop beside the goal: off by default.
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

    /// Says whether a path may not end with a link.
    #[inline]
    #[must_use]
    pub fn with_last_step(self, ends_with_step: bool) -> Self {
        Self {
            ends_with_step,
            ..self
        }
    }

    /// Whether a link may be taken: that to the goal may not be one.
    #[inline]
    pub(crate) fn takes_links_to(&self, end: Cell) -> bool {
        !(self.ends_with_step && end == self.goal)
    }

    /// The answer that needs no search, if there is one: an end that cannot be stood on,
    /// start = goal, or a goal outside the window, in this order.
    #[inline]
    pub(crate) fn answer_at_once(&self, grid: &Grid) -> Option<Status> {
        let (footprint, radius) = (self.rules.footprint, self.limits.radius);
        answer_at_once(grid, self.start, self.goal, footprint, radius)
    }

    /// The same for methods that come as near as they can to a goal that is a cell of the map and
    /// that no path inside the window can end at.
    #[inline]
    pub(crate) fn answer_unless_closest(&self, grid: &Grid) -> Option<Status> {
        let status = self.answer_at_once(grid)?;
        (!self.wants_closest_to(status)).then_some(status)
    }

    /// Whether a search is wanted all the same for a goal of which this is known at once.
    #[inline]
    pub(crate) fn wants_closest_to(&self, status: Status) -> bool {
        self.fallback == Fallback::ClosestReached
            && matches!(
                status,
                Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked)
            )
    }
}

/// As [`PathQuery::answer_at_once`]. By value: a query that was just made need not be read back
/// from memory, which takes longer than the answer.
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
        Some(Status::Invalid(QueryEnd::Start, fault))
    } else if let Some(fault) = fault(goal) {
        Some(Status::Invalid(QueryEnd::Goal, fault))
    } else if start == goal {
        Some(Status::AlreadyThere)
    } else if start.chebyshev(goal) > radius {
        Some(Status::TooFar)
    } else {
        None
    }
}
