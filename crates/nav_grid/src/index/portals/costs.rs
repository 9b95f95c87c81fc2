//! The whole numbers that distances between portals are in.

use crate::rules::{IntegerCosts, Metric};

/// The whole numbers that distances of a metric are in, or of the nearest one that has any.
pub(crate) fn step_costs_of(metric: Metric) -> IntegerCosts {
    IntegerCosts::of(metric).unwrap_or(GRID)
}

/// Step costs that are quicker to spread by, and what their unit is worth in units of the other one, in
/// fifths: for where a distance need not be exact.
pub(crate) fn quick(step_costs: IntegerCosts) -> (IntegerCosts, u32) {
    if step_costs == GRID {
        let quick = IntegerCosts {
            straight: 2,
            diagonal: 3,
            unit: 1,
        };
        // That makes (4.8, 7.2) of (2, 3).
        (quick, 12)
    } else {
        (step_costs, 5)
    }
}

/// The step costs that are quickest to spread by, of those with the same steps: for where a way need
/// only be one.
pub(crate) fn hasty(step_costs: IntegerCosts) -> IntegerCosts {
    IntegerCosts {
        straight: 1,
        diagonal: step_costs.diagonal.min(1),
        unit: 1,
    }
}

/// The step costs of [`Metric::Grid`].
const GRID: IntegerCosts = IntegerCosts {
    straight: 5,
    diagonal: 7,
    unit: 2,
};
