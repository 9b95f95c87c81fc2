//! The whole numbers that distances between portals are in.

use crate::rules::{IntegerCosts, Metric};

/// The whole numbers that distances of a metric are in, or of the nearest one that has any.
pub(crate) fn pace_of(metric: Metric) -> IntegerCosts {
    IntegerCosts::of(metric).unwrap_or(GRID)
}

/// A pace that is quicker to spread by, and what its unit is worth in units of the other one, in
/// fifths: for where a distance need not be exact.
pub(crate) fn quick(pace: IntegerCosts) -> (IntegerCosts, u32) {
    if pace == GRID {
        let quick = IntegerCosts {
            straight: 2,
            diagonal: 3,
            unit: 1,
        };
        // That makes (4.8, 7.2) of (2, 3).
        (quick, 12)
    } else {
        (pace, 5)
    }
}

/// The pace that is quickest to spread by, of those with the same steps: for where a way need
/// only be one.
pub(crate) fn hasty(pace: IntegerCosts) -> IntegerCosts {
    IntegerCosts {
        straight: 1,
        diagonal: pace.diagonal.min(1),
        unit: 1,
    }
}

/// The pace of [`Metric::Grid`].
const GRID: IntegerCosts = IntegerCosts {
    straight: 5,
    diagonal: 7,
    unit: 2,
};
