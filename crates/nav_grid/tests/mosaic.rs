//! Searches over blocks of uniform ground.

use nav_grid::{
    Area, Cell, CornerRule, Direction, Footprint, Grid, IndexedMap, Limits, Metric, Path,
    PathQuery, Rules, Search, Status, Terrain,
    map::Bodies,
    methods::{Dijkstra, MosaicSearch},
    query::Feature,
    rules::BodyPolicy,
};

/// Asks both searches, which must agree on status and cost, and returns the status.
fn judge(map: &IndexedMap, search: &mut MosaicSearch, query: &PathQuery) -> Status {
    let grid = map.grid();
    let mut path = Path::new();
    let truth = Dijkstra::new().search(grid, query, &mut path);
    let answer = search.search(map, query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
    assert_eq!(answer.cost, truth.cost, "{query:?} on {grid:?}");
    if truth.status == Status::Found {
        assert_eq!(path.walk(grid, query.start, query.rules), Ok(truth.cost));
        assert_eq!(path.end(), Some(query.goal));
    } else {
        assert!(path.is_empty());
    }
    answer.status
}

/// A map with its blocks for bodies of one cell.
fn built(grid: Grid) -> IndexedMap {
    let mut map = IndexedMap::new(grid);
    map.build_mosaic(Footprint::ONE);
    map
}

fn far(start: (u16, u16), goal: (u16, u16)) -> PathQuery {
    PathQuery::new(start.into(), goal.into())
        .with_rules(Rules::new(Metric::Octile, CornerRule::Strict))
        .with_limits(Limits::UNBOUNDED)
}

#[test]
fn open_ground_takes_a_crossing_a_block() {
    let grid = Grid::open(640, 640).unwrap();
    let map = built(grid);
    let query = far((1, 1), (638, 600));
    let mut path = Path::new();
    let outcome = MosaicSearch::new().search(&map, &query, &mut path);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(outcome.cost, Metric::Octile.open_ground(637, 599));
    assert_eq!(
        path.walk(map.grid(), query.start, query.rules),
        Ok(outcome.cost)
    );
    assert!(outcome.counters.expanded <= 20, "{:?}", outcome.counters);
    // A block is given costs before it is expanded.
    assert!(
        outcome.counters.touched >= outcome.counters.expanded,
        "{:?}",
        outcome.counters
    );
}

#[test]
fn a_wall_is_walked_around_at_its_very_end() {
    let mut grid = Grid::open(200, 200).unwrap();
    grid.set_walkable(Area::new(Cell::new(100, 0), Cell::new(100, 170)), false)
        .unwrap();
    let map = built(grid);
    for metric in Metric::ALL {
        for corners in CornerRule::ALL {
            let query = far((20, 20), (180, 30)).with_rules(Rules::new(metric, corners));
            judge(&map, &mut MosaicSearch::new(), &query);
        }
    }
}

#[test]
fn cheap_ground_beside_a_block_is_worth_a_detour() {
    let mut grid = Grid::open(128, 128).unwrap();
    let mud = Area::new(Cell::new(0, 0), Cell::new(127, 63));
    grid.set_cost(mud, 20).unwrap();
    let map = built(grid);
    // Both ends are inside one block, and the way leads out of it.
    let query = far((70, 58), (120, 57));
    let mut path = Path::new();
    MosaicSearch::new().search(&map, &query, &mut path);
    assert!(path.iter().any(|cell| cell.y == 64));
    judge(&map, &mut MosaicSearch::new(), &query);
}

#[test]
fn a_walled_in_goal_is_out_of_reach() {
    let mut grid = Grid::open(150, 150).unwrap();
    for (x, y) in [
        (90, 90),
        (91, 90),
        (92, 90),
        (90, 91),
        (92, 91),
        (90, 92),
        (91, 92),
        (92, 92),
    ] {
        grid.set_walkable(Cell::new(x, y), false).unwrap();
    }
    let map = built(grid);
    let mut search = MosaicSearch::new();
    let query = far((3, 3), (91, 91));
    assert_eq!(judge(&map, &mut search, &query), Status::Unreachable);
    let window = query.with_limits(Limits::window(30));
    assert_eq!(judge(&map, &mut search, &window), Status::TooFar);
}

#[test]
fn a_map_that_is_not_prepared_or_was_edited_is_not_served() {
    let mut map = IndexedMap::new(Grid::open(80, 80).unwrap());
    let query = far((1, 1), (70, 70));
    let mut path = Path::new();
    let mut search = MosaicSearch::new();
    let unprepared = Status::Unsupported(Feature::Preparation);
    assert_eq!(search.search(&map, &query, &mut path).status, unprepared);

    map.build_mosaic(Footprint::ONE);
    map.set_walkable(Cell::new(30, 30), false).unwrap();
    assert_eq!(search.search(&map, &query, &mut path).status, unprepared);

    map.repair();
    assert_eq!(search.search(&map, &query, &mut path).status, Status::Found);
    let large = Rules::default().with_footprint(Footprint::new(2).unwrap());
    let outcome = search.search(&map, &query.with_rules(large), &mut path);
    assert_eq!(outcome.status, unprepared, "it is for bodies of one cell");

    assert!(map.remove_mosaic() && !map.remove_mosaic());
    assert_eq!(search.search(&map, &query, &mut path).status, unprepared);
}

#[test]
fn bodies_are_not_served() {
    let grid = Grid::open(80, 80).unwrap();
    let map = built(grid);
    let bodies = Bodies::new(map.grid().size());
    let rules = Rules::default().with_bodies(BodyPolicy::AvoidAll);
    let query = far((1, 1), (70, 70)).with_rules(rules);
    let terrain = Terrain::from(&map).with_bodies(&bodies);
    let outcome = MosaicSearch::new().search(terrain, &query, &mut Path::new());
    assert_eq!(outcome.status, Status::Unsupported(Feature::Bodies));
}

#[test]
fn a_budget_counts_crossings() {
    let grid = Grid::open(640, 64).unwrap();
    let map = built(grid);
    let limits = |expansions| Limits {
        expansions,
        ..Limits::UNBOUNDED
    };
    let ask = |expansions| {
        let query = far((1, 30), (638, 30)).with_limits(limits(expansions));
        MosaicSearch::new()
            .search(&map, &query, &mut Path::new())
            .status
    };
    assert_eq!(ask(9), Status::BudgetSpent);
    assert_eq!(ask(10), Status::Found);
}

#[test]
fn a_ledge_inside_open_ground_is_jumped_down_only() {
    let mut grid = Grid::open(100, 100).unwrap();
    let down = [Direction::SouthWest, Direction::South, Direction::SouthEast];
    let ledge = Area::new(Cell::new(0, 50), Cell::new(99, 50));
    grid.set_exits(ledge, down.into_iter().collect()).unwrap();
    let map = built(grid);
    let mut search = MosaicSearch::new();
    let down = far((10, 10), (80, 90));
    assert_eq!(judge(&map, &mut search, &down), Status::Found);
    let up = far((80, 90), (10, 10));
    assert_eq!(judge(&map, &mut search, &up), Status::Unreachable);
}
