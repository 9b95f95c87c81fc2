//! Judge of every method by its own promise.

use crate::{
    exact::{check_counters, truth_of},
    refusals::has,
    walk::{judge_way_out, walk},
};
use nav_grid::{Method, Outcome, Path, PathQuery, Planner, Status, Terrain, query::Feature};

/// Facts about a map that the map itself does not contain.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Straight steps by which a path over portals may exceed twice the lowest cost.
    pub portal_slack: u32,
    /// Whether all indexes were built for the walker and are up to date.
    pub is_prepared: bool,
}

/// Checks every method on a query, with the indexes that the map has.
///
/// # Panics
///
/// If a method answers wrongly.
pub fn judge_all_methods(
    planner: &mut Planner,
    terrain: Terrain<'_>,
    query: &PathQuery,
    terms: Terms,
) {
    judge_all_methods_by(truth_of(terrain, query), planner, terrain, query, terms);
}

/// Same as [`judge_all_methods`], with a known truth.
///
/// # Panics
///
/// If a method answers wrongly.
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
        if judge_way_out(truth, answer, terrain, query, &path) {
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

/// Returns whether a path costs what its method promises.
fn is_cheap_enough(answer: Outcome, truth: Outcome, query: &PathQuery, terms: Terms) -> bool {
    match answer.method {
        // At most twice the lowest cost, and a few steps more on short paths.
        Method::Portal => {
            let slack = terms.portal_slack * query.rules.metric.straight();
            (truth.cost..=2 * truth.cost + slack).contains(&answer.cost)
        }
        // Roads may lead a walker along a detour of any cost.
        Method::Trunk => answer.cost >= truth.cost,
        _ => answer.cost == truth.cost,
    }
}
