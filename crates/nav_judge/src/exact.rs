//! Judge of the methods that find cheapest paths.

use crate::{
    refusals::has,
    walk::{judge_way_out, walk},
};
use nav_grid::{
    IndexedMap, Method, Outcome, Path, PathQuery, Planner, Search, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, StraightLine, Sweep},
    query::{Fallback, Fault, QueryEnd},
    rules::BodyPolicy,
};

/// Checks every method that finds cheapest paths on a query against the true answer. Each one runs
/// on the map as it is and on the map with regions.
///
/// # Panics
///
/// If a method answers wrongly.
pub fn judge_exact_methods(terrain: Terrain<'_>, query: &PathQuery) {
    judge_exact_methods_by(truth_of(terrain, query), terrain, query);
}

/// Returns the answer of Dijkstra's search to a query.
///
/// # Panics
///
/// If its path is invalid.
pub fn truth_of(terrain: Terrain<'_>, query: &PathQuery) -> Outcome {
    let mut shortest = Path::new();
    let truth = Dijkstra::new().search(terrain, query, &mut shortest);
    if truth.status == Status::Found {
        assert_eq!(shortest.end(), Some(query.goal));
        assert_eq!(walk(terrain, query, &shortest), Ok(truth.cost));
    }
    truth
}

/// Same as [`judge_exact_methods`], with a known truth, whose search takes longest.
///
/// # Panics
///
/// If a method answers wrongly.
pub fn judge_exact_methods_by(truth: Outcome, terrain: Terrain<'_>, query: &PathQuery) {
    let closest = judge_exact(BoundedAStar::new(), terrain, query, truth);
    let swept = judge_exact(Sweep::new(), terrain, query, truth);
    let jumped = judge_exact(JumpPointSearch::new(), terrain, query, truth);
    let chosen = judge_exact(Planner::new(), terrain, query, truth);
    let mut map = IndexedMap::new(terrain.grid().clone());
    map.build_regions(query.rules);
    let mut indexed = Terrain::from(&map);
    if let Some(bodies) = terrain.bodies() {
        indexed = indexed.with_bodies(bodies);
    }
    let indexed = judge_exact(Planner::new(), indexed, query, truth);
    judge_straight(terrain, query, truth);
    if let Some(one) = closest {
        for other in [swept, jumped, chosen, indexed].into_iter().flatten() {
            assert_eq!(
                (one.status, one.cost),
                (other.status, other.cost),
                "{query:?}"
            );
        }
    }
}

/// Checks that a straight path is a cheapest one, if there is one.
fn judge_straight(terrain: Terrain<'_>, query: &PathQuery, truth: Outcome) {
    let mut path = Path::new();
    let answer = StraightLine::new().search(terrain, query, &mut path);
    if answer.status == Status::BudgetSpent {
        assert!(path.is_empty());
        return;
    }
    assert_eq!((answer.status, answer.cost), (truth.status, truth.cost));
    assert_eq!(walk(terrain, query, &path), Ok(truth.cost));
}

/// Checks that no more came off the queue than was put on it.
pub(crate) fn check_counters(answer: Outcome) {
    let counters = answer.counters;
    assert!(counters.popped <= counters.pushed, "{answer:?}");
}

/// Checks a method that finds cheapest paths. Returns its answer if it may stop short of the goal.
fn judge_exact<M: Search>(
    mut method: M,
    terrain: Terrain<'_>,
    query: &PathQuery,
    truth: Outcome,
) -> Option<Outcome> {
    let mut path = Path::new();
    let answer = method.search(terrain, query, &mut path);
    if let Status::Unsupported(feature) = answer.status {
        assert!(
            has(feature, answer.method, terrain, query),
            "{query:?} has no {feature}"
        );
        return None;
    }
    if judge_way_out(truth, answer, terrain, query, &path) {
        return None;
    }
    assert_eq!(
        (answer.status, answer.cost),
        (truth.status, truth.cost),
        "{}",
        answer.method
    );
    check_counters(answer);
    if truth.status == Status::Found {
        assert_eq!(path.end(), Some(query.goal));
        assert_eq!(
            walk(terrain, query, &path),
            Ok(truth.cost),
            "{}",
            answer.method
        );
    }
    judge_partial(method, terrain, query, truth)
}

/// Checks the path to the closest cell that a method reaches: it must be legal too, and a search
/// with used memory must answer like a fresh one.
fn judge_partial<M: Search>(
    mut method: M,
    terrain: Terrain<'_>,
    query: &PathQuery,
    truth: Outcome,
) -> Option<Outcome> {
    let mut path = Path::new();
    let closest = query.with_fallback(Fallback::ClosestReached);
    let partial = method.search(terrain, &closest, &mut path);
    if let Status::Unsupported(feature) = partial.status {
        // An answer that needed no search needs one for the closest cell.
        assert!(
            has(feature, partial.method, terrain, query),
            "{query:?} has no {feature}"
        );
        return None;
    }
    if no_path_ends_there(truth.status) && !comes_closest_anywhere(M::METHOD) {
        assert_eq!(partial.status, truth.status, "{}", partial.method);
        return None;
    }
    if partial.status.has_path() {
        assert_eq!(
            walk(terrain, query, &path),
            Ok(partial.cost),
            "{}",
            partial.method
        );
        if query.rules.bodies == BodyPolicy::Ignore {
            let walked = path.walk(terrain.grid(), query.start, query.rules);
            // `Path::walk` knows no query: a link beside the last step counts if it is cheaper.
            let any_last = query.with_last_step(false);
            assert_eq!(walked.ok(), walk(terrain, &any_last, &path).ok());
        }
    }
    Some(partial)
}

/// Returns whether a status means, without a search, that no path in the window ends at the goal.
fn no_path_ends_there(status: Status) -> bool {
    matches!(
        status,
        Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked)
    )
}

/// Returns whether a method finds the closest reachable cell even for such a goal.
fn comes_closest_anywhere(method: Method) -> bool {
    matches!(method, Method::Auto | Method::AStar | Method::Sweep)
}
