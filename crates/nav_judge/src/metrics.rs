//! The metrics that tests try.

use nav_grid::{Metric, rules::StepCosts};

/// Step costs of one's own, and what ground adds: small, almost equal, with a diagonal step as dear
/// as the two straight steps that replace it, and where ground adds part of a step or all of one.
const OWN: [(u8, u8, u8); 5] = [(5, 7, 0), (9, 10, 0), (2, 4, 0), (10, 14, 3), (2, 3, 2)];

/// Returns all metrics with a name, and some of step costs of one's own.
pub fn metrics() -> Vec<Metric> {
    let own = OWN
        .into_iter()
        .filter_map(|costs| StepCosts::try_from(costs).ok());
    Metric::ALL
        .into_iter()
        .chain(own.map(Metric::Custom))
        .collect()
}
