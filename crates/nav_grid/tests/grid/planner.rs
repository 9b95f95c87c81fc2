//! The planner's answers without a search.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Grid, IndexedMap, Limits, Method, Path, PathQuery, Planner, Rules, Search, Status,
    Terrain,
    methods::Dijkstra,
    query::{Fallback, Fault, QueryEnd, Stopped},
};
use nav_judge::{cells, judge_slices_of, settled, walk};
use proptest::prelude::*;

/// Returns the status that is known at once.
fn known(grid: &Grid, query: &PathQuery) -> Option<Status> {
    Some(Planner::answer_at_once(grid, query)?.status)
}

proptest! {
    #![proptest_config(tries(60, 200))]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        radius in 1..20_u16,
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let mut planner = Planner::new();
        let mut path = Path::new();
        for query in queries.iter().flat_map(|&query| [query, settled(query, &grid)]) {
            let query = query.with_limits(Limits { radius, ..query.limits });
            let known = Planner::answer_at_once(&grid, &query);
            for terrain in [(&grid).into(), Terrain::from(&grid).with_bodies(&bodies)] {
                let outcome = planner.search(terrain, &query, &mut path);
                if let Some(known) = known {
                    prop_assert_eq!(outcome, known);
                    prop_assert!(path.is_empty());
                } else {
                    // A start in a wall is left, unless the map has no ground.
                    let in_wall = Status::Invalid(QueryEnd::Start, Fault::Blocked);
                    let is_lost = outcome.status == in_wall
                        && !cells(grid.size())
                            .filter(|cell| cell.floor == query.start.floor)
                            .any(|cell| grid.fits(cell, query.rules.footprint));
                    prop_assert!(is_lost || !matches!(
                        outcome.status,
                        Status::TooFar | Status::Invalid(..) | Status::AlreadyThere
                    ));
                }
            }
        }
    }
}

#[test]
fn invalid_or_too_far() {
    let grid = Grid::from_fn(60, 3, |cell| cell.x != 5).unwrap();
    let from = |x, goal| known(&grid, &PathQuery::new(Cell::new(x, 1), Cell::new(goal, 1)));
    assert_eq!(from(10, 30), None);
    assert_eq!(from(10, 31), Some(Status::TooFar));
    assert_eq!(from(10, 10), Some(Status::AlreadyThere));
    let invalid = |end, fault| Some(Status::Invalid(end, fault));
    assert_eq!(from(5, 9), None);
    assert_eq!(from(60, 9), invalid(QueryEnd::Start, Fault::OutsideMap));
    assert_eq!(from(9, 5), invalid(QueryEnd::Goal, Fault::Blocked));
}

#[test]
fn replaceable_goal() {
    let grid = Grid::from_fn(60, 3, |cell| cell.x != 20).unwrap();
    let query = PathQuery::new(Cell::new(10, 1), Cell::new(31, 1))
        .with_fallback(Fallback::NearestReachable);
    assert_eq!(known(&grid, &query), None);
    let mut map = IndexedMap::new(grid);
    map.build_regions(Rules::default());
    assert!(!map.indexes().regions()[0].same(query.start, query.goal));
    let mut path = Path::new();
    let terrain = Terrain::from(&map);
    let outcome = Planner::new().search(terrain, &query, &mut path);
    assert!(outcome.status.has_path(), "{}", outcome.status);
    assert_eq!(walk(terrain, &query, &path), Ok(outcome.cost));
    assert_eq!(path.end(), Some(Cell::new(19, 1)));
}

proptest! {
    #![proptest_config(tries(100, 1500))]

    /// Every way inside the window is found, within the bound of work, with the default limits.
    #[test]
    fn window_misses_nothing((world, queries) in any_case(), radius in 1..=28_u16) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let (mut planner, mut path) = (Planner::new(), Path::new());
        for &query in &queries {
            let limits = Limits { radius, ..Limits::default() };
            let query = settled(query, &grid).with_limits(limits);
            for terrain in [Terrain::from(&grid), Terrain::from(&grid).with_bodies(&bodies)] {
                let whole = query.with_limits(Limits::window(radius));
                let truth = Dijkstra::new().search(terrain, &whole, &mut path);
                let outcome = planner.search(terrain, &query, &mut path);
                prop_assert_eq!((outcome.status, outcome.cost), (truth.status, truth.cost));
                if outcome.status == Status::Found {
                    prop_assert_eq!(walk(terrain, &query, &path), Ok(outcome.cost));
                }
                let most = Planner::work_max(&grid, &query);
                prop_assert!(outcome.counters.work() <= most, "{:?} of {}", outcome, most);
                let closest = query.with_fallback(Fallback::ClosestReached);
                let outcome = planner.search(terrain, &closest, &mut path);
                prop_assert!(outcome.counters.work() <= most, "{:?} of {}", outcome, most);
                prop_assert_ne!(outcome.status, Status::Partial(Stopped::BudgetSpent));
            }
        }
    }
}

/// A maze as long as its window is large, on ground that only A* serves.
#[test]
fn winding_way() {
    for (width, radius) in [(41, 20), (57, 28), (201, 100)] {
        let is_ground = |cell: Cell| match cell.x % 4 {
            1 => cell.y > 0,
            3 => cell.y + 1 < width,
            _ => true,
        };
        let grid = Grid::from_fn(width, width, |cell| cell.x % 2 == 0 || !is_ground(cell));
        let mut grid = grid.unwrap();
        let middle = Cell::new(width / 2 / 4 * 4, width / 2);
        grid.set_cost(middle, 2).unwrap();
        for goal in [Cell::new(0, 0), Cell::new(width - 1, width - 1)] {
            let limits = Limits {
                radius,
                ..Limits::default()
            };
            let query = PathQuery::new(middle, goal).with_limits(limits);
            let (mut planner, mut path) = (Planner::new(), Path::new());
            let outcome = planner.search(&grid, &query, &mut path);
            assert_eq!(outcome.status, Status::Found, "{width}");
            assert!(outcome.counters.expanded > 150);
            let astar = planner.ask(Method::AStar, &grid, &query, &mut path);
            assert_eq!(astar.status, Status::BudgetSpent);
            let sliced = judge_slices_of::<Planner>((&grid).into(), &query);
            assert_eq!(sliced, outcome);
        }
    }
}
