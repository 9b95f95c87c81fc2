//! Maps and queries of several topics.

use mapgen::Kind;
use nav_grid::{
    Cell, CornerRule, Direction, Directions, Grid, IndexedMap, Limits, Metric, PathQuery, Rules,
    rules::BodyPolicy,
};

pub const OCTILE: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

/// The exits of a ledge: it can be jumped down and not climbed.
pub fn downward() -> Directions {
    let down = [Direction::SouthWest, Direction::South, Direction::SouthEast];
    down.into_iter().collect()
}

/// A query without limits by [`OCTILE`].
pub fn far(start: impl Into<Cell>, goal: impl Into<Cell>) -> PathQuery {
    PathQuery::new(start.into(), goal.into())
        .with_rules(OCTILE)
        .with_limits(Limits::UNBOUNDED)
}

/// Makes a map with all indexes for a walker, with a road along every sixteenth row and column.
pub fn indexed(grid: &Grid, rules: Rules) -> IndexedMap {
    let rules = rules.with_bodies(BodyPolicy::Ignore);
    let road = |cell: &Cell| (cell.x % 16).min(cell.y % 16) < rules.footprint.side().into();
    let mut map = IndexedMap::new(grid.clone());
    map.build_regions(rules);
    map.build_portals(rules);
    map.build_mosaic(rules);
    map.insert_roads(rules, grid.walkable_cells().filter(road))
        .unwrap();
    map
}

/// Makes a map with portals for a walker.
pub fn with_portals(grid: &Grid, rules: Rules) -> IndexedMap {
    let mut map = IndexedMap::new(grid.clone());
    map.build_portals(rules);
    map
}

/// Generates a map, and makes a query from its first walkable cell to its last.
pub fn across(kind: Kind, side: u16, seed: u64) -> (Grid, PathQuery) {
    let grid = mapgen::generate(kind, side, side, seed).unwrap();
    let start = grid.walkable_cells().next().unwrap();
    let goal = grid.walkable_cells().last().unwrap();
    (grid, far(start, goal))
}

/// Makes caves, across which every method takes many expansions.
pub fn caves() -> (Grid, PathQuery) {
    across(Kind::Caves, 128, 3)
}
