//! The metrics that tests try.

use nav_grid::{Metric, rules::StepCosts};

/// Step costs of one's own: small, almost equal, and with a diagonal step as dear as the two straight
/// steps that replace it.
const PAIRS: [(u8, u8); 3] = [(5, 7), (9, 10), (2, 4)];

/// Returns all metrics with a name, and some of a pair of one's own.
pub fn metrics() -> Vec<Metric> {
    let own = PAIRS
        .into_iter()
        .filter_map(|(straight, diagonal)| StepCosts::new(straight, diagonal));
    Metric::ALL
        .into_iter()
        .chain(own.map(Metric::Custom))
        .collect()
}
