//! Judges the methods that find cheapest paths.

use crate::{refusals::has, walk::walk};
use nav_grid::{
    IndexedMap, Method, Outcome, Path, PathQuery, Planner, Search, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, StraightLine, Sweep},
    query::{Fallback, Fault, QueryEnd},
    rules::BodyPolicy,
};

/// Every method that finds cheapest paths on one query, with what it should answer: on the map as it is, and with
/// regions built.
///
/// # Panics
///
/// When a method answers wrongly.
pub fn judge_exact_methods(terrain: Terrain<'_>, query: &PathQuery) {
    judge_exact_methods_by(truth_of(terrain, query), terrain, query);
}

/// What Dijkstra's search answers to a query.
///
/// # Panics
///
/// When its path is none.
pub fn truth_of(terrain: Terrain<'_>, query: &PathQuery) -> Outcome {
    let mut shortest = Path::new();
    let truth = Dijkstra::new().search(terrain, query, &mut shortest);
    if truth.status == Status::Found {
        assert_eq!(shortest.end(), Some(query.goal));
        assert_eq!(walk(terrain, query, &shortest), Ok(truth.cost));
    }
    truth
}

/// As [`judge_exact_methods`], where the truth is known: the search for it takes longest.
///
/// # Panics
///
/// When a method answers wrongly.
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

/// The straight way is a cheapest one or none.
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

/// Nothing comes off a queue that was not put on it, but for the start, which methods may take
/// without a queue.
pub(crate) fn check_counters(answer: Outcome) {
    let counters = answer.counters;
    assert!(counters.popped <= counters.pushed + 1, "{answer:?}");
}

/// A method that finds cheapest paths. Returns what it answers if it may stop short of the goal.
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
    // Partial paths are legal, too, and used memory answers as fresh memory does.
    let closest = query.with_fallback(Fallback::ClosestReached);
    let partial = method.search(terrain, &closest, &mut path);
    if let Status::Unsupported(feature) = partial.status {
        // What was answered without a search is searched for now.
        assert!(
            has(feature, partial.method, terrain, query),
            "{query:?} has no {feature}"
        );
        return None;
    }
    if no_path_ends_there(truth.status) && !comes_closest_anywhere(M::METHOD) {
        assert_eq!(partial.status, truth.status, "{}", answer.method);
        return None;
    }
    if partial.status.has_path() {
        assert_eq!(
            walk(terrain, query, &path),
            Ok(partial.cost),
            "{}",
            answer.method
        );
        if query.rules.bodies == BodyPolicy::Ignore {
            let walked = path.walk(terrain.grid(), query.start, query.rules);
            // It knows no query: a link beside the last step counts if it is cheaper.
            let any_last = query.with_last_step(false);
            assert_eq!(walked.ok(), walk(terrain, &any_last, &path).ok());
        }
    }
    Some(partial)
}

/// Whether a goal is known without a search to be one that no path in the window ends at.
fn no_path_ends_there(status: Status) -> bool {
    matches!(
        status,
        Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked)
    )
}

/// Whether a method leads as near as it can to such a goal, too.
fn comes_closest_anywhere(method: Method) -> bool {
    matches!(method, Method::Auto | Method::AStar | Method::Sweep)
}
