//! Judges every method, each by what it promises.

use crate::{
    exact::{check_counters, truth_of},
    refusals::has,
    walk::walk,
};
use nav_grid::{Method, Outcome, Path, PathQuery, Planner, Status, Terrain, query::Feature};

/// What is known of a map beside what it says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// So many straight steps more than twice the least ways over portals may cost.
    pub portal_slack: u32,
    /// Whether all indexes were built for the walker, and are up to date.
    pub is_prepared: bool,
}

/// Every method on one query, with whatever was prepared of the map.
///
/// # Panics
///
/// When a method answers wrongly.
pub fn judge_all_methods(
    planner: &mut Planner,
    terrain: Terrain<'_>,
    query: &PathQuery,
    terms: Terms,
) {
    judge_all_methods_by(truth_of(terrain, query), planner, terrain, query, terms);
}

/// As [`judge_all_methods`], where the truth is known.
///
/// # Panics
///
/// When a method answers wrongly.
pub fn judge_all_methods_by(
    truth: Outcome,
    planner: &mut Planner,
    terrain: Terrain<'_>,
    query: &PathQuery,
    terms: Terms,
) {
    let mut path = Path::new();
    for method in Method::ALL {
        let answer = planner.ask(method, terrain, query, &mut path);
        let about = || format!("{method} answered {answer:?}, not {truth:?}, to {query:?}");
        if let Status::Unsupported(feature) = answer.status {
            let is_unprepared = feature == Feature::Preparation && !terms.is_prepared;
            let may = is_unprepared || has(feature, method, terrain, query);
            assert!(may, "{}", about());
            continue;
        }
        if method == Method::Line && answer.status == Status::BudgetSpent {
            continue;
        }
        assert_eq!(answer.status, truth.status, "{}", about());
        check_counters(answer);
        if answer.status == Status::Found {
            assert_eq!(path.end(), Some(query.goal), "{}", about());
            assert_eq!(walk(terrain, query, &path), Ok(answer.cost), "{}", about());
        }
        assert!(is_cheap_enough(answer, truth, query, terms), "{}", about());
    }
}

/// Whether a path costs what its method promises.
fn is_cheap_enough(answer: Outcome, truth: Outcome, query: &PathQuery, terms: Terms) -> bool {
    match answer.method {
        // Twice the least at worst, with a few steps of slack on short ways.
        Method::Portal => {
            let slack = terms.portal_slack * query.rules.metric.straight();
            (truth.cost..=2 * truth.cost + slack).contains(&answer.cost)
        }
        // Walkers go where roads lead.
        Method::Trunk => answer.cost >= truth.cost,
        _ => answer.cost == truth.cost,
    }
}
