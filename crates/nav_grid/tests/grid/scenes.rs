//! Maps and queries of several topics.

use mapgen::Kind;
use nav_grid::{
    Cell, CornerRule, Direction, Directions, Footprint, Grid, IndexedMap, Limits, Metric, Outcome,
    Path, PathQuery, Rules, Search, Size, Terrain, map::Bodies, methods::BoundedAStar,
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
    map.build_mosaic(rules.footprint);
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

/// Reads floors of one size: `.` is walkable, `#` blocked, `2` to `9` ground of that cost, `v` a
/// ledge that can only be left downward, `b` another body's cell, `S` and `G` the ends of the
/// query.
pub fn sketch(floors: &[&[&str]]) -> (Grid, Bodies, PathQuery) {
    let size = Size::new(floors[0][0].len() as u16, floors[0].len() as u16)
        .with_floors(floors.len() as u8);
    let at = |cell: Cell| {
        let row = floors[usize::from(cell.floor)][usize::from(cell.y)];
        row.as_bytes()[usize::from(cell.x)]
    };
    let mut grid = Grid::build(size, |cell| at(cell) != b'#').unwrap();
    let mut bodies = Bodies::new(size);
    let (mut start, mut goal) = (None, None);
    for cell in grid.clone().walkable_cells() {
        match at(cell) {
            cost @ b'2'..=b'9' => assert_eq!(grid.set_cost(cell, cost - b'0'), Ok(1)),
            b'v' => assert_eq!(grid.set_exits(cell, downward()), Ok(1)),
            b'b' => bodies.occupy(cell, Footprint::ONE),
            b'S' => start = Some(cell),
            b'G' => goal = Some(cell),
            _ => {}
        }
    }
    (grid, bodies, PathQuery::new(start.unwrap(), goal.unwrap()))
}

/// Returns the answer of A* and its path, whose cost equals that of the answer.
pub fn ask<'a>(terrain: impl Into<Terrain<'a>>, query: &PathQuery) -> (Outcome, Vec<Cell>) {
    let terrain = terrain.into();
    let mut path = Path::new();
    let outcome = BoundedAStar::new().search(terrain, query, &mut path);
    if outcome.status.has_path() {
        let walked = path.walk(terrain.grid(), query.start, query.rules);
        assert_eq!(walked, Ok(outcome.cost));
    } else {
        assert!(path.is_empty());
    }
    (outcome, path.iter().collect())
}
