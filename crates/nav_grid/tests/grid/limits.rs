//! Limits on the cost of a path, judged by Dijkstra's search on maps with everything.

use crate::{
    scenes::OCTILE,
    worlds::{World, any_case, tries},
};
use nav_grid::{
    Cell, Grid, IndexedMap, Limits, Outcome, Path, PathQuery, Planner, Search, Status, Terrain,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, StraightLine, Sweep, TrunkSearch,
    },
    query::Fallback,
    rules::{BodyPolicy, Cost},
};
use nav_judge::{settled, walk};
use proptest::prelude::*;

fn limited(query: &PathQuery, cost: Cost) -> PathQuery {
    query.with_limits(query.limits.with_cost(cost))
}

/// Returns the required answer, given the answer without a limit.
fn judge(answer: Outcome, query: &PathQuery, truth: Outcome) {
    let within = truth.cost <= query.limits.cost;
    match (answer.status, truth.status) {
        (Status::Unsupported(_), _) | (Status::BudgetSpent, Status::Unreachable) => {}
        (status, Status::Found) if !within => assert_eq!(status, Status::BudgetSpent, "{answer:?}"),
        (status, expected) => {
            assert_eq!((status, answer.cost), (expected, truth.cost), "{answer:?}");
        }
    }
}

fn judge_exact<S: Search + Default>(terrain: Terrain<'_>, query: &PathQuery, truth: Outcome) {
    let (mut search, mut path) = (S::default(), Path::new());
    let answer = search.search(terrain, query, &mut path);
    judge(answer, query, truth);
    if answer.status == Status::Found {
        assert_eq!(walk(terrain, query, &path), Ok(truth.cost));
    } else {
        assert!(path.is_empty());
    }
    let closest = query.with_fallback(Fallback::ClosestReached);
    let answer = search.search(terrain, &closest, &mut path);
    if answer.status.has_path() {
        assert!(answer.cost <= query.limits.cost, "{answer:?}");
        assert_eq!(walk(terrain, query, &path), Ok(answer.cost));
    }
}

/// Judges a method that need not find a cheapest path.
fn judge_path<S: Search + Default>(
    terrain: Terrain<'_>,
    query: &PathQuery,
    truth: Outcome,
) -> Outcome {
    let mut path = Path::new();
    let answer = S::default().search(terrain, query, &mut path);
    if answer.status == Status::Found {
        assert!(truth.cost <= answer.cost && answer.cost <= query.limits.cost);
        assert_eq!(walk(terrain, query, &path), Ok(answer.cost));
    } else {
        assert!(path.is_empty());
    }
    answer
}

fn judge_all(terrain: Terrain<'_>, query: &PathQuery, truth: Outcome) {
    judge_exact::<Dijkstra>(terrain, query, truth);
    judge_exact::<BoundedAStar>(terrain, query, truth);
    judge_exact::<JumpPointSearch>(terrain, query, truth);
    judge_exact::<Sweep>(terrain, query, truth);
    judge_exact::<MosaicSearch>(terrain, query, truth);
    judge_exact::<Planner>(terrain, query, truth);
    judge_path::<StraightLine>(terrain, query, truth);
    let by_road = judge_path::<TrunkSearch>(terrain, query, truth);
    if truth.status == Status::Found && truth.cost <= query.limits.cost {
        assert!(matches!(
            by_road.status,
            Status::Found | Status::Unsupported(_)
        ));
    }
}

/// Judges queries with limits of `percent` of the least cost, exactly the least, a little less, and
/// any.
pub fn judge_world(world: &World, queries: &[PathQuery], percent: u32) {
    let (grid, bodies) = (world.grid(), world.bodies());
    for &query in queries {
        let query = settled(query, &grid);
        let rules = query.rules.with_bodies(BodyPolicy::Ignore);
        let mut map = IndexedMap::new(grid.clone());
        map.build_mosaic(rules.footprint);
        map.build_regions(rules);
        let road = grid
            .walkable_cells()
            .filter(|cell| cell.x.min(cell.y) % 9 < 3);
        map.insert_roads(rules, road).unwrap();
        let bare = Terrain::from(&map);
        for terrain in [bare, bare.with_bodies(&bodies)] {
            let truth = Dijkstra::new().search(terrain, &query, &mut Path::new());
            let some = (u64::from(truth.cost) * u64::from(percent) / 100) as Cost;
            for cost in [some, truth.cost, truth.cost.saturating_sub(1), u32::MAX] {
                judge_all(terrain, &limited(&query, cost), truth);
            }
        }
    }
}

proptest! {
    #![proptest_config(tries(60, 800))]

    #[test]
    fn random_worlds((world, queries) in any_case(), percent in 0..150_u32) {
        judge_world(&world, &queries[..queries.len().min(3)], percent);
    }

    /// A limit that the cheapest path keeps does not change the search for it.
    #[test]
    fn kept_limit_is_invisible((world, queries) in any_case()) {
        let grid = world.grid();
        let (mut path, mut other) = (Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &grid);
            let free = BoundedAStar::new().search(&grid, &query, &mut path);
            if free.status == Status::Found {
                let tight = limited(&query, free.cost);
                let answer = BoundedAStar::new().search(&grid, &tight, &mut other);
                prop_assert_eq!(answer.counters.expanded, free.counters.expanded);
                prop_assert_eq!((answer.cost, &other), (free.cost, &path));
            }
        }
    }
}

#[test]
fn too_dear_costs_nothing() {
    let grid = Grid::open(300, 300).unwrap();
    let query = PathQuery::new(Cell::new(10, 10), Cell::new(280, 200))
        .with_rules(OCTILE)
        .with_limits(Limits::UNBOUNDED.with_cost(100 * 2378));
    for outcome in [
        BoundedAStar::new().search(&grid, &query, &mut Path::new()),
        JumpPointSearch::new().search(&grid, &query, &mut Path::new()),
        Planner::new().search(&grid, &query, &mut Path::new()),
    ] {
        assert_eq!(outcome.status, Status::BudgetSpent);
        assert_eq!(outcome.counters.expanded, 0, "{outcome:?}");
    }
}
