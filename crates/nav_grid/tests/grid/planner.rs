//! What the planner says without a search.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Grid, IndexedMap, Limits, Path, PathQuery, Planner, Rules, Search, Status, Terrain,
    query::{Fallback, Fault, QueryEnd},
};
use nav_judge::{settled, walk};
use proptest::prelude::*;

/// The status that is known at once.
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
                } else if !matches!(query.fallback, Fallback::NearestReachable { .. }) {
                    prop_assert!(!matches!(
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
    assert_eq!(from(5, 9), invalid(QueryEnd::Start, Fault::Blocked));
    assert_eq!(from(60, 9), invalid(QueryEnd::Start, Fault::OutsideMap));
    assert_eq!(from(9, 5), invalid(QueryEnd::Goal, Fault::Blocked));
}

#[test]
fn replaceable_goal() {
    let grid = Grid::from_fn(60, 3, |cell| cell.x != 20).unwrap();
    let fallback = Fallback::NearestReachable { rings: 100 };
    let query = PathQuery::new(Cell::new(10, 1), Cell::new(31, 1)).with_fallback(fallback);
    assert_eq!(known(&grid, &query), None);
    let mut map = IndexedMap::new(grid);
    map.build_regions(Rules::default());
    assert!(!map.regions().unwrap().same(query.start, query.goal));
    let mut path = Path::new();
    let terrain = Terrain::from(&map);
    let outcome = Planner::new().search(terrain, &query, &mut path);
    assert!(outcome.status.has_path(), "{}", outcome.status);
    assert_eq!(walk(terrain, &query, &path), Ok(outcome.cost));
    assert_eq!(path.end(), Some(Cell::new(19, 1)));
}
