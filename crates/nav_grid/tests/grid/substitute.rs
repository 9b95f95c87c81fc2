//! Substitutes for a goal that cannot be reached, judged by looking at every cell.

use crate::{
    closest::reached,
    worlds::{any_case, tries},
};
use nav_grid::{
    Area, Cell, Footprint, Grid, IndexedMap, Limits, Link, Method, Path, PathQuery, Planner, Rules,
    Search, Status, Terrain,
    index::Regions,
    planner::nearest_reachable,
    query::{Fallback, Stopped},
    rules::{Cost, LinkKinds},
};
use nav_judge::{cells, settled, walk};
use proptest::prelude::*;

/// Returns the best of all cells of the map by ring, distance, cost on open ground and reading
/// order.
fn scanned(terrain: Terrain<'_>, regions: &Regions, query: &PathQuery) -> Option<Cell> {
    let goal = query.goal;
    // The walker may stand on a cell if it could come there by a link.
    let mut linked = terrain.grid().clone();
    let links = cells(linked.size()).map(|cell| Link::new(query.start, cell));
    linked.set_links(links).unwrap();
    let linked = match terrain.bodies() {
        Some(bodies) => Terrain::from(&linked).with_bodies(bodies),
        None => Terrain::from(&linked),
    };
    // A link onto the goal counts too, although it may not end a path: the question is where to
    // stand.
    let rules = query.rules.with_links(LinkKinds::ALL);
    let query = &query.with_last_step(false).with_rules(rules);
    let is_free = |cell| walk(linked, query, &[cell].into_iter().collect()).is_ok();
    cells(terrain.grid().size())
        .filter(|cell| cell.floor == goal.floor)
        .filter(|&cell| regions.same(query.start, cell) && is_free(cell))
        .min_by_key(|&cell| {
            let (dx, dy) = (
                cell.x.abs_diff(query.start.x),
                cell.y.abs_diff(query.start.y),
            );
            nearness(cell, goal, query.rules.metric.open_ground(dx, dy))
        })
}

/// Returns the distance of a cell to a goal in a straight line, with the cost that tells equals
/// apart.
fn nearness(cell: Cell, goal: Cell, cost: Cost) -> (bool, u16, u32, Cost, Cell) {
    let (dx, dy) = (goal.x.abs_diff(cell.x), goal.y.abs_diff(cell.y));
    let squared = u32::from(dx).pow(2) + u32::from(dy).pow(2);
    (
        cell.floor != goal.floor,
        goal.chebyshev(cell),
        squared,
        cost,
        cell,
    )
}

proptest! {
    #![proptest_config(tries(15, 40))]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for &query in queries.iter().take(2) {
            // The start is on ground, the goal may be in a wall.
            let query = PathQuery { start: settled(query, &grid).start, ..query };
            let regions = Regions::of(&grid, query.rules);
            for terrain in [Terrain::from(&grid), Terrain::from(&grid).with_bodies(&bodies)] {
                prop_assert_eq!(
                    nearest_reachable(terrain, &regions, &query),
                    scanned(terrain, &regions, &query)
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(tries(60, 400))]

    /// Without regions, every method reaches the nearest cell with a way in its window.
    #[test]
    fn without_regions((world, queries) in any_case(), radius in 1..12_u16) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let (mut planner, mut path) = (Planner::new(), Path::new());
        for &query in queries.iter().take(3) {
            let query = PathQuery { start: settled(query, &grid).start, ..query }
                .with_limits(Limits::window(radius))
                .with_fallback(Fallback::NearestReachable);
            let invalid = Planner::answer_at_once(&grid, &query).is_some();
            if invalid || !grid.fits(query.start, query.rules.footprint) {
                continue;
            }
            for terrain in [Terrain::from(&grid), Terrain::from(&grid).with_bodies(&bodies)] {
                let costs = reached(terrain, &query);
                let all = costs.iter();
                let nearest = all.map(|(&cell, &cost)| nearness(cell, query.goal, cost)).min();
                let (.., nearest) = nearest.expect("the start");
                for method in Method::ALL {
                    let outcome = planner.ask(method, terrain, &query, &mut path);
                    let is_served = !matches!(outcome.status, Status::Unsupported(_));
                    if !is_served || method == Method::Line {
                        continue;
                    }
                    let expected = if nearest == query.goal {
                        Status::Found
                    } else if nearest == query.start {
                        Status::Unreachable
                    } else {
                        Status::Partial(Stopped::Unreachable)
                    };
                    prop_assert_eq!(outcome.status, expected, "{} {:?}", method, query);
                    if outcome.status.has_path() {
                        prop_assert_eq!(path.end(), Some(nearest), "{} {:?}", method, query);
                        prop_assert_eq!(walk(terrain, &query, &path), Ok(outcome.cost));
                    }
                }
            }
        }
    }
}

/// Makes a room behind a wall of two columns.
fn halves() -> (Grid, Regions) {
    let grid = Grid::from_fn(60, 30, |cell| cell.x != 30 && cell.x != 31).unwrap();
    let regions = Regions::of(&grid, Rules::default());
    (grid, regions)
}

#[test]
fn other_regions() {
    let (mut grid, regions) = halves();
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(20, 9));
    let large = Rules::default().with_footprint(Footprint::new(2).unwrap());
    assert_eq!(
        nearest_reachable(&grid, &regions, &query.with_rules(large)),
        None
    );
    grid.set_walkable(Cell::new(5, 5), false).unwrap();
    assert_eq!(nearest_reachable(&grid, &regions, &query), None);
}

/// The walker stops beside its goal, but on a substitute for it.
#[test]
fn by_link() {
    // An island around the goal, which is in a wall; the only way to the island is a link.
    let goal = Cell::new(20, 5);
    let island = [Cell::new(19, 5), Cell::new(20, 4)];
    let is_ground = |cell: Cell| cell.x < 10 || island.contains(&cell);
    let mut grid = Grid::from_fn(30, 11, is_ground).unwrap();
    grid.set_link(Link::new(Cell::new(5, 5), island[1]))
        .unwrap();
    let mut map = IndexedMap::new(grid);
    let rules = Rules::default();
    map.build_regions(rules);
    let query = PathQuery::new(Cell::new(2, 5), goal)
        .with_limits(Limits::window(28))
        .with_fallback(Fallback::NearestReachable)
        .with_last_step(true);
    let mut path = Path::new();
    let outcome = Planner::new().search(&map, &query, &mut path);
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    assert_eq!(path.end(), Some(island[1]));
}

/// Three cells are as near to the goal on three sides of a block: the one on the side of the start
/// is the cheapest to reach.
#[test]
fn cheapest_of_equals() {
    let block = Area::new(Cell::new(14, 2), Cell::new(16, 4));
    let plain = Grid::from_fn(30, 7, |cell| !block.contains(cell)).unwrap();
    let plain = IndexedMap::new(plain);
    let mut prepared = plain.clone();
    prepared.build_regions(Rules::default());
    prepared.build_portals(Rules::default());
    for (start, end, steps) in [
        ((2, 3), (13, 3), 11),
        ((28, 3), (17, 3), 11),
        ((15, 0), (15, 1), 1),
        ((15, 6), (15, 5), 1),
    ] {
        for radius in [20, u16::MAX] {
            let query = PathQuery::new(Cell::from(start), Cell::new(15, 3))
                .with_fallback(Fallback::NearestReachable)
                .with_limits(Limits::window(radius));
            for (map, method) in [&plain, &prepared]
                .into_iter()
                .flat_map(|map| Method::ALL.map(|method| (map, method)))
            {
                let mut path = Path::new();
                let outcome = Planner::new().ask(method, map, &query, &mut path);
                if method != Method::Line && !matches!(outcome.status, Status::Unsupported(_)) {
                    let found = (path.end(), outcome.cost);
                    assert_eq!(found, (Some(Cell::from(end)), steps), "{method} {query:?}");
                }
            }
        }
    }
}
