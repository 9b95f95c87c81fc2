//! One step of a path: its cost under two metrics, and whether it takes a link.

use crate::{
    cell::Cell,
    map::Grid,
    rules::{Cost, Metric, Rules},
};

/// The cost of a walk under two metrics: two walks that cost the same need not be equally long.
///
/// Wider than [`Cost`], so that no walk on the largest map overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WalkCost {
    /// Under the metric in force.
    pub(crate) cost: u64,
    /// Under [`Metric::Octile`].
    pub(crate) octile: u64,
}

impl WalkCost {
    /// More than any walk costs.
    pub(crate) const MAX: Self = Self {
        cost: u64::MAX,
        octile: u64::MAX,
    };

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            octile: self.octile + other.octile,
        }
    }

    /// The cost of the rest of the walk, after an earlier part.
    pub(crate) const fn since(self, earlier: Self) -> Self {
        Self {
            cost: self.cost - earlier.cost,
            octile: self.octile - earlier.octile,
        }
    }

    /// Whether this is at most `most` under both metrics.
    pub(crate) const fn is_within(self, most: Self) -> bool {
        self.cost <= most.cost && self.octile <= most.octile
    }

    /// The cost under the metric in force, at most [`Cost::MAX`].
    pub(crate) fn to_cost(self) -> Cost {
        Cost::try_from(self.cost).unwrap_or(Cost::MAX)
    }
}

/// A move from one waypoint to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep {
    pub(crate) walk_cost: WalkCost,
    /// The cost of the ground; 0 for links, which have no ground.
    pub(crate) ground: Cost,
    /// Whether a link is taken: there is no step, or the step costs more.
    pub(crate) by_link: bool,
}

impl PathStep {
    /// The cheapest move between two cells, if there is one. Bodies do not count.
    pub(crate) fn between(grid: &Grid, from: Cell, to: Cell, rules: Rules) -> Option<Self> {
        let grid = grid.for_rules(rules);
        let direction = from.direction_to(to);
        let step = direction.and_then(|way| Some((way, grid.step_cost(from, way, rules)?)));
        let cheapest = match step {
            Some((_, cost)) if grid.links().is_empty() => cost,
            _ => grid.move_cost(from, to, rules)?,
        };
        let step = step.filter(|&(_, cost)| cost == cheapest);
        let (ground, octile) = if let Some((way, _)) = step {
            let ground = grid.cost_of_body(to, rules.footprint);
            (ground, rules.metric.octile_onto(way, ground)?)
        } else {
            // Links cost whole straight steps under every metric.
            let lengths = cheapest / rules.metric.straight();
            (0, lengths * Metric::Octile.straight())
        };
        Some(Self {
            walk_cost: WalkCost {
                cost: cheapest.into(),
                octile: octile.into(),
            },
            ground,
            by_link: step.is_none(),
        })
    }
}
