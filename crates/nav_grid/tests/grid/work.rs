//! The work of searches: everything that grows with distances and windows is counted, and cut into
//! slices.

use crate::scenes::OCTILE;
use nav_grid::{
    Area, Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Method, Metric, Outcome, Path,
    PathQuery, Planner, Rules, Search, Status, Terrain,
    methods::{JumpPointSearch, StraightLine, Sweep},
    query::{Counters, Fallback, Progress, Sliced},
};

/// The work by which a slice may exceed its size: an expansion of a jump point, or a part of a
/// copy.
const BEYOND: u32 = 300;

/// Makes open ground with a wall in the middle, across every straight way.
fn field(side: u16) -> (Grid, PathQuery) {
    let mut grid = Grid::open(side, side).expect("a side of a map");
    let (half, third) = (side / 2, side / 3);
    let wall = Area::new(Cell::new(half, third), Cell::new(half, side - third));
    grid.set_walkable(wall, false).expect("a part of the map");
    let query = PathQuery::new(Cell::new(9, half), Cell::new(side - 10, half))
        .with_rules(OCTILE)
        .with_limits(Limits::UNBOUNDED);
    (grid, query)
}

/// Answers in slices of `work`, each of which may take a little more. Returns the answer and the
/// number of slices.
fn in_slices(
    planner: &mut Planner,
    method: Method,
    terrain: Terrain<'_>,
    query: &PathQuery,
    slice: u32,
) -> (Outcome, u32) {
    let mut path = Path::new();
    planner.begin_with(method, terrain, query);
    let mut before = 0;
    for slices in 1.. {
        let progress = planner.resume(terrain, slice, &mut path);
        let work = match progress {
            Progress::Done(outcome) => outcome.counters.work(),
            _ => planner.work(),
        };
        assert!(
            work - before <= slice + BEYOND,
            "{method}: {work} after {before}"
        );
        before = work;
        if let Progress::Done(outcome) = progress {
            return (outcome, slices);
        }
    }
    unreachable!("no search goes on for ever")
}

#[test]
fn huge_open_map() {
    for (side, prepared) in [(1024, false), (2048, true), (2048, false)] {
        let (grid, query) = field(side);
        let mut map = IndexedMap::new(grid);
        if prepared {
            map.build_jumps(OCTILE);
            map.build_portals(OCTILE);
            map.build_mosaic(Footprint::ONE);
        }
        let terrain = Terrain::from(&map);
        let mut planner = Planner::new();
        for method in Method::ALL {
            if method == Method::Dijkstra {
                continue;
            }
            let whole = planner.ask(method, terrain, &query, &mut Path::new());
            let (outcome, slices) = in_slices(&mut planner, method, terrain, &query, 500);
            assert_eq!(outcome, whole, "{method}");
            let work = whole.counters.work();
            assert!(slices <= work / 500 + 1, "{method}: {slices} for {work}");
            assert!(
                slices >= work / (500 + BEYOND),
                "{method}: {slices} for {work}"
            );
        }
    }
}

#[test]
fn copying_a_window() {
    let (mut grid, query) = field(1500);
    let mut path = Path::new();
    let mut jps = JumpPointSearch::new();
    let copied = jps.search(&grid, &query, &mut path).counters;
    let plain = grid.clone();
    grid.prepare_jumps(OCTILE);
    let prepared = jps.search(&grid, &query, &mut path).counters;
    assert_eq!(copied.expanded, prepared.expanded);
    let copy = copied.scanned - prepared.scanned;
    let cells = 1500 * 1500 / Counters::CELLS_PER_SCAN;
    assert!((cells / 2..cells * 2).contains(&copy), "{copy} for {cells}");
    // Only the window limits it.
    let limits = Limits {
        expansions: 150,
        ..Limits::UNBOUNDED
    };
    let outcome = Planner::new().search(&plain, &query.with_limits(limits), &mut path);
    assert_eq!(outcome.status, Status::Found);
}

#[test]
fn diagonal_scan() {
    let mut grid = Grid::open(8192, 8192).expect("a map");
    grid.prepare_jumps(OCTILE);
    // The goal is walled in: every diagonal is followed to its end.
    for (x, y) in [(5000, 5010), (5010, 5000), (5000, 4990), (4990, 5000)] {
        let corner = Cell::new(x.min(5000), y.min(5000));
        let wall = Area::new(corner, Cell::new(x.max(5000), y.max(5000)));
        grid.set_walkable(wall, false).expect("a part of the map");
    }
    grid.set_walkable(Cell::new(5001, 5001), true)
        .expect("a cell");
    let query = PathQuery::new(Cell::new(100, 100), Cell::new(4900, 5100))
        .with_rules(OCTILE)
        .with_limits(Limits::UNBOUNDED);
    let mut path = Path::new();
    let mut jps = JumpPointSearch::new();
    let far = jps.search(&grid, &query, &mut path);
    assert_eq!(far.status, Status::Found);
    assert_eq!(far.cost, OCTILE.metric.open_ground(4800, 5000));
    let diagonal = 4800 / Counters::CELLS_PER_SCAN;
    assert!(far.counters.scanned >= diagonal, "{far:?}");
    assert!(far.counters.expanded >= 4800 / 2048, "{far:?}");
    assert!(far.counters.work() < 40 * diagonal, "{far:?}");
}

#[test]
fn straight_way() {
    let grid = Grid::open(8192, 100).expect("a map");
    let query =
        PathQuery::new(Cell::new(0, 50), Cell::new(8191, 50)).with_limits(Limits::UNBOUNDED);
    let mut path = Path::new();
    let line = StraightLine::new().search(&grid, &query, &mut path);
    assert_eq!(line.counters.work(), 8191 / Counters::CELLS_PER_SCAN);
    let mut planner = Planner::new();
    for method in [Method::Line, Method::Auto] {
        let (outcome, slices) = in_slices(&mut planner, method, (&grid).into(), &query, 10);
        assert_eq!((outcome.status, slices), (Status::Found, 13));
        assert_eq!(outcome.counters, line.counters);
    }
}

#[test]
fn near_search() {
    let grid = Grid::from_fn(60, 60, |cell| cell.x != 30 || cell.y > 45).expect("a map");
    let query = PathQuery::new(Cell::new(20, 30), Cell::new(38, 30));
    let outcome = Planner::new().search(&grid, &query, &mut Path::new());
    assert_eq!(
        (outcome.status, outcome.counters.scanned),
        (Status::Found, 0)
    );
}

#[test]
fn sweep() {
    let grid = Grid::from_fn(60, 60, |cell| {
        cell.x % 4 != 2 || (cell.y / 30 + cell.x / 4) % 2 == 0
    });
    let grid = grid.expect("a map");
    for metric in Metric::ALL {
        for fallback in [Fallback::None, Fallback::ClosestReached] {
            let query = PathQuery::new(Cell::new(29, 15), Cell::new(41, 28))
                .with_rules(Rules::new(metric, CornerRule::Strict))
                .with_limits(Limits::window(28))
                .with_fallback(fallback);
            let (mut whole, mut path) = (Path::new(), Path::new());
            let mut sweep = Sweep::new();
            let expected = sweep.search(&grid, &query, &mut whole);
            sweep.begin(&grid, &query);
            let mut slices = 1;
            let outcome = loop {
                match sweep.resume(&grid, 3, &mut path) {
                    Progress::Done(outcome) => break outcome,
                    progress => assert_eq!(progress, Progress::Suspended),
                }
                slices += 1;
            };
            assert_eq!((outcome, &path), (expected, &whole), "{metric:?}");
            assert!(slices > 3, "{slices} slices for {expected:?}");
        }
    }
}
