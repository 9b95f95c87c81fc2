//! Where to go instead of a goal that cannot be reached, judged by looking at every cell.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Footprint, Grid, IndexedMap, Limits, Link, Path, PathQuery, Planner, Rules, Search,
    Status, Terrain,
    index::Regions,
    map::Bodies,
    planner::nearest_reachable,
    query::{Fallback, Stopped},
    rules::BodyPolicy,
};
use nav_judge::{cells, settled, walk};
use proptest::prelude::*;

/// The best of all cells of the map by ring, distance and reading order.
fn scanned(terrain: Terrain<'_>, regions: &Regions, query: &PathQuery, rings: u8) -> Option<Cell> {
    let goal = query.goal;
    // Whether the walker may stand on a cell is whether it could come there by a link.
    let mut linked = terrain.grid().clone();
    let links = cells(linked.size()).map(|cell| Link::new(query.start, cell));
    linked.set_links(links).unwrap();
    let linked = match terrain.bodies() {
        Some(bodies) => Terrain::from(&linked).with_bodies(bodies),
        None => Terrain::from(&linked),
    };
    // By a link onto the goal, too, which may not end a path: where to stand is asked, not how to come.
    let query = &query.with_last_step(false);
    let is_free = |cell| walk(linked, query, &[cell].into_iter().collect()).is_ok();
    cells(terrain.grid().size())
        .filter(|cell| cell.floor == goal.floor && cell.chebyshev(goal) <= rings.into())
        .filter(|&cell| regions.same(query.start, cell) && is_free(cell))
        .min_by_key(|&cell| {
            let (dx, dy) = (goal.x.abs_diff(cell.x), goal.y.abs_diff(cell.y));
            let squared = u32::from(dx).pow(2) + u32::from(dy).pow(2);
            (goal.chebyshev(cell), squared, cell)
        })
}

proptest! {
    #![proptest_config(tries(15, 40))]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        rings in prop_oneof![0..12_u8, Just(100)],
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for &query in queries.iter().take(2) {
            // The start stands somewhere, the goal may be in a wall.
            let query = PathQuery { start: settled(query, &grid).start, ..query };
            let regions = Regions::of(&grid, query.rules);
            for terrain in [Terrain::from(&grid), Terrain::from(&grid).with_bodies(&bodies)] {
                prop_assert_eq!(
                    nearest_reachable(terrain, &regions, &query, rings),
                    scanned(terrain, &regions, &query, rings)
                );
            }
        }
    }
}

/// A room behind a wall of two columns.
fn halves() -> (Grid, Regions) {
    let grid = Grid::from_fn(60, 30, |cell| cell.x != 30 && cell.x != 31).unwrap();
    let regions = Regions::of(&grid, Rules::default());
    (grid, regions)
}

#[test]
fn goal_itself() {
    let (grid, regions) = halves();
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(20, 9));
    assert_eq!(
        nearest_reachable(&grid, &regions, &query, 0),
        Some(query.goal)
    );
}

#[test]
fn straight_before_corner() {
    let (grid, regions) = halves();
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(40, 15));
    assert_eq!(nearest_reachable(&grid, &regions, &query, 10), None);
    assert_eq!(
        nearest_reachable(&grid, &regions, &query, 11),
        Some(Cell::new(29, 15))
    );
    // In a corner of the map the ring is cut off.
    let query = PathQuery::new(Cell::new(50, 2), Cell::new(0, 0));
    assert_eq!(
        nearest_reachable(&grid, &regions, &query, u8::MAX),
        Some(Cell::new(32, 0))
    );
}

#[test]
fn reading_order() {
    let (grid, regions) = halves();
    let mut bodies = Bodies::new(grid.size());
    let goal = Cell::new(20, 15);
    bodies.occupy(Cell::new(20, 14), Footprint::ONE);
    bodies.occupy(goal, Footprint::ONE);
    let rules = Rules::default().with_bodies(BodyPolicy::AvoidAll);
    // The body at the goal is the one the walker goes to: it does not count.
    let query = PathQuery::new(Cell::new(2, 2), goal).with_rules(rules);
    let terrain = Terrain::from(&grid).with_bodies(&bodies);
    assert_eq!(nearest_reachable(terrain, &regions, &query, 9), Some(goal));

    let mut walled = grid.clone();
    walled.set_walkable(goal, false).unwrap();
    let regions = Regions::of(&walled, rules);
    let terrain = Terrain::from(&walled).with_bodies(&bodies);
    assert_eq!(
        nearest_reachable(terrain, &regions, &query, 9),
        Some(Cell::new(19, 15))
    );
}

#[test]
fn other_regions() {
    let (mut grid, regions) = halves();
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(20, 9));
    let large = Rules::default().with_footprint(Footprint::new(2).unwrap());
    assert_eq!(
        nearest_reachable(&grid, &regions, &query.with_rules(large), 9),
        None
    );
    grid.set_walkable(Cell::new(5, 5), false).unwrap();
    assert_eq!(nearest_reachable(&grid, &regions, &query, 9), None);
}

/// The walker stops beside its goal, but on what takes the goal's place.
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
        .with_fallback(Fallback::NearestReachable { rings: 3 })
        .with_last_step(true);
    let mut path = Path::new();
    let outcome = Planner::new().search(&map, &query, &mut path);
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
    assert_eq!(path.end(), Some(island[1]));
}
