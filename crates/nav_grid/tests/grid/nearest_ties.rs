//! Which of several cells a path leads to that does not reach its goal.

use nav_grid::{
    Area, Cell, Grid, IndexedMap, Limits, Method, Metric, Outcome, Path, PathQuery, Planner, Rules,
    Search, Status, methods::JumpPointSearch, query::Fallback, rules::Heuristic,
};

const FALLBACKS: [Fallback; 2] = [Fallback::ClosestReached, Fallback::NearestReachable];

/// Asks every method that serves a query, on a map without indexes and on one with regions.
fn ask_all(grid: &Grid, query: &PathQuery, mut check: impl FnMut(&str, Outcome, &Path)) {
    let plain = IndexedMap::new(grid.clone());
    let mut prepared = plain.clone();
    prepared.build_regions(query.rules);
    prepared.build_portals(query.rules);
    let mut path = Path::new();
    for (map, name) in [(&plain, "plain"), (&prepared, "prepared")] {
        for method in Method::ALL {
            let outcome = Planner::new().ask(method, map, query, &mut path);
            if method != Method::Line && !matches!(outcome.status, Status::Unsupported(_)) {
                check(
                    &format!("{method} on a {name} map, {query:?}"),
                    outcome,
                    &path,
                );
            }
        }
    }
}

/// Three cells are as near to the goal on three sides of a block: the one on the side of the start
/// is the cheapest to reach.
#[test]
fn cheapest_of_equals() {
    let block = Area::new(Cell::new(14, 2), Cell::new(16, 4));
    let grid = Grid::from_fn(30, 7, |cell| !block.contains(cell)).unwrap();
    let cases = [
        ((2, 3), (13, 3), 11),
        ((28, 3), (17, 3), 11),
        ((15, 0), (15, 1), 1),
        ((15, 6), (15, 5), 1),
    ];
    for (start, end, steps) in cases {
        for (fallback, limits) in FALLBACKS
            .into_iter()
            .flat_map(|fallback| [20, u16::MAX].map(|radius| (fallback, Limits::window(radius))))
        {
            let query = PathQuery::new(start.into(), Cell::new(15, 3))
                .with_fallback(fallback)
                .with_limits(limits);
            ask_all(&grid, &query, |context, outcome, path| {
                let found = (path.end(), outcome.cost);
                assert_eq!(found, (Some(Cell::from(end)), steps), "{context}");
            });
        }
    }
}

/// Without a guess of the cost that remains, a path still leads nearer.
#[test]
fn heuristic_of_zero() {
    let open = Grid::open(60, 20).unwrap();
    let walled = Grid::from_fn(60, 20, |cell| cell.x != 30).unwrap();
    let in_wall = Grid::from_fn(60, 20, |cell| cell != Cell::new(25, 10)).unwrap();
    let start = Cell::new(5, 10);
    let far = |cost: u32| Limits::UNBOUNDED.with_cost(cost);
    let cases = [
        ("beyond a wall", &walled, (50, 10), Limits::UNBOUNDED, 29),
        ("in a wall", &in_wall, (25, 10), Limits::UNBOUNDED, 24),
        ("beyond the window", &open, (50, 10), Limits::window(9), 14),
        ("beyond the limit on cost", &open, (50, 10), far(12), 17),
    ];
    for (name, grid, goal, limits, column) in cases {
        for metric in [Metric::Unit, Metric::FourWay, Metric::Grid, Metric::Octile] {
            let straight = metric.straight();
            let limits = limits.with_cost(limits.cost.saturating_mul(straight));
            let guessing = PathQuery::new(start, goal.into())
                .with_rules(Rules {
                    metric,
                    ..Rules::default()
                })
                .with_limits(limits)
                .with_fallback(Fallback::ClosestReached);
            let query = guessing.with_heuristic(Heuristic::Zero);
            let mut approached = Vec::new();
            ask_all(grid, &guessing, |_, outcome, _| {
                approached.push(outcome.status.has_path());
            });
            let mut approached = approached.into_iter();
            ask_all(grid, &query, |context, outcome, path| {
                // Portals lead to portals only, of which none may be nearer.
                if approached.next() == Some(false) {
                    return;
                }
                assert!(
                    matches!(outcome.status, Status::Partial(_)),
                    "{name}, {context}: {}",
                    outcome.status
                );
                let end = path.end().unwrap();
                assert_eq!(end.x, column, "{name}, {context}: {end}");
            });
            if name == "beyond a wall" {
                let mut path = Path::new();
                let outcome = JumpPointSearch::new().search(grid, &query, &mut path);
                if !matches!(outcome.status, Status::Unsupported(_)) {
                    assert_eq!(path.end().map(|end| end.x), Some(column), "{metric:?}");
                }
            }
        }
    }
}
