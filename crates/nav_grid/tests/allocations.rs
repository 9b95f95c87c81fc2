//! A warm search allocates no memory, and neither do other shapes of its path.

use heap_meter::{Meter, allocations_during};
use nav_grid::{
    Area, Cell, CornerRule, Directions, Footprint, Grid, IndexedMap, Limits, Link, Metric, Path,
    PathQuery, Planner, Rules, Search, Size, Terrain,
    fields::{CostField, FieldLimits, FieldQuery, FieldStatus, FlowField, FlowMaker, PortalField},
    index::Regions,
    map::Bodies,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, PortalSearch, Sweep, TrunkSearch,
    },
    path::TurningPoints,
    planner::nearest_reachable,
    query::{Fallback, Progress, Sliced},
    rules::BodyPolicy,
    smoothing::Straightener,
};

#[global_allocator]
static METER: Meter = Meter;

/// Makes a map with all layers, and bodies on it.
fn layered() -> (Grid, Bodies) {
    let size = Size::new(90, 90).with_floors(2);
    let open = |cell: Cell| !(cell.x * 7 + cell.y * 13 + u16::from(cell.floor)).is_multiple_of(23);
    let mut grid = Grid::build(size, open).unwrap();
    let mut bodies = Bodies::new(size);
    for place in (0..80).step_by(8) {
        let cell = Cell::new(place, 85 - place);
        let mud = Area::new(cell, Cell::new(place + 2, 87 - place));
        grid.set_cost(mud, 7).unwrap();
        grid.set_link(Link::new(cell, cell.on_floor(1))).unwrap();
        bodies.occupy(Cell::new(place, 40), Footprint::ONE);
    }
    (grid, bodies)
}

/// Searches between all pairs of a sample of cells, twice with each of three limits.
fn ask_all(method: &mut impl Search, path: &mut Path, ground: Terrain<'_>, rules: Rules) {
    ask_some(method, path, ground, rules, 97);
}

/// Searches as [`ask_all`], with a sample of one cell in `step`.
fn ask_some<M: Search>(
    method: &mut M,
    path: &mut Path,
    ground: Terrain<'_>,
    rules: Rules,
    step: usize,
) {
    let cells: Vec<Cell> = ground.grid().walkable_cells().step_by(step).collect();
    for limits in [Limits::default(), Limits::window(20), Limits::UNBOUNDED] {
        let mut pass = || {
            let mut answered = 0;
            for &start in cells.iter().step_by(7) {
                for &goal in cells.iter().step_by(5) {
                    let query = PathQuery::new(start, goal)
                        .with_rules(rules)
                        .with_limits(limits)
                        .with_fallback(Fallback::ClosestReached);
                    let outcome = method.search(ground, &query, path);
                    answered += usize::from(outcome.status.has_path());
                }
            }
            assert!(answered > 0 || limits.radius > M::SUPPORT.radius_max);
        };
        let cold = allocations_during(&mut pass);
        let warm = allocations_during(&mut pass);
        assert_eq!(warm, 0, "{limits:?}; the cold pass took {cold}");
        assert!(
            cold > 0 || limits != Limits::default(),
            "the counter counts"
        );
    }
}

/// Searches as [`ask_all`], in slices.
fn ask_in_slices(method: &mut impl Sliced, path: &mut Path, ground: Terrain<'_>, rules: Rules) {
    let cells: Vec<Cell> = ground.grid().walkable_cells().step_by(1601).collect();
    let mut pass = || {
        let mut slices = 0;
        for pair in cells.windows(2) {
            let query = PathQuery::new(pair[0], pair[1])
                .with_rules(rules)
                .with_limits(Limits::UNBOUNDED);
            method.begin(ground, &query);
            while method.resume(ground, 5, path) == Progress::Suspended {
                slices += 1;
            }
        }
        assert!(slices > 0);
    };
    let cold = allocations_during(&mut pass);
    let warm = allocations_during(&mut pass);
    assert_eq!(warm, 0, "the cold pass took {cold}");
}

/// Makes fields around a sample of targets, and follows them from a sample of starts.
fn make_fields(path: &mut Path, ground: Terrain<'_>, rules: Rules) {
    let cells: Vec<Cell> = ground.grid().walkable_cells().step_by(397).collect();
    let mut weighted = CostField::new();
    let (mut maker, mut flow) = (FlowMaker::new(), FlowField::new());
    let mut pass = || {
        for &target in &cells {
            let query = FieldQuery::new(target).with_rules(rules);
            weighted.compute(ground, &query);
            let near = query.with_limits(FieldLimits::window(20));
            maker.make(ground.grid(), &near, &mut flow);
            for &start in &cells {
                weighted.follow(ground.grid(), start, path);
                flow.look(start);
            }
        }
    };
    let cold = allocations_during(&mut pass);
    assert_eq!(allocations_during(&mut pass), 0, "after {cold} when cold");
    let query = FieldQuery::new(cells[0]).with_rules(rules);
    assert_eq!(weighted.compute(ground, &query).status, FieldStatus::Whole);
}

/// Makes all shapes of the paths between a sample of cells, twice.
fn reshape_all(ground: Terrain<'_>, rules: Rules) {
    let cells: Vec<Cell> = ground.grid().walkable_cells().step_by(301).collect();
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    let (mut straightener, mut turns) = (Straightener::new(), TurningPoints::new());
    let mut pulled = Vec::new();
    let mut pass = || {
        let mut reshaped = 0;
        for pair in cells.windows(2) {
            let query = PathQuery::new(pair[0], pair[1])
                .with_rules(rules)
                .with_limits(Limits::UNBOUNDED)
                .with_fallback(Fallback::ClosestReached);
            if !astar.search(ground, &query, &mut path).status.has_path() {
                continue;
            }
            reshaped += usize::from(path.look_ahead(ground, &query, 20).is_some());
            let cost = straightener.pull(ground, &query, &path, &mut pulled);
            assert_eq!(straightener.straighten(ground, &query, &mut path), cost);
            turns.compact(ground.grid(), query.start, rules, &path);
            turns.expand(query.start, &mut path).unwrap();
        }
        assert!(reshaped > 0);
    };
    pass();
    assert_eq!(allocations_during(pass), 0);
}

/// One test only: the counter is global and tests of one file share a process.
#[test]
fn warm_searches() {
    let plain = Grid::from_fn(200, 200, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0).unwrap();
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    ask_all(
        &mut astar,
        &mut path,
        Terrain::from(&plain),
        Rules::default(),
    );
    let near = Terrain::from(&plain);
    ask_some(&mut Sweep::new(), &mut path, near, Rules::default(), 301);
    ask_some(
        &mut JumpPointSearch::new(),
        &mut path,
        near,
        Rules::default(),
        301,
    );
    ask_in_slices(
        &mut JumpPointSearch::new(),
        &mut path,
        near,
        Rules::default(),
    );
    ask_in_slices(&mut BoundedAStar::new(), &mut path, near, Rules::default());
    ask_in_slices(&mut Dijkstra::new(), &mut path, near, Rules::default());
    ask_in_slices(&mut Planner::new(), &mut path, near, Rules::default());
    reshape_all(near, Rules::default());
    let (grid, bodies) = layered();
    let rules = Rules::default()
        .with_footprint(Footprint::new(2).unwrap())
        .with_bodies(BodyPolicy::AvoidAll);
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    ask_all(
        &mut astar,
        &mut path,
        Terrain::from(&grid).with_bodies(&bodies),
        rules,
    );
    reshape_all(Terrain::from(&grid).with_bodies(&bodies), rules);

    make_fields(&mut path, Terrain::from(&grid).with_bodies(&bodies), rules);
    make_fields(&mut path, Terrain::from(&plain), Rules::default());
    let mut fenced = Grid::open(90, 90).unwrap();
    for cell in Area::new(Cell::new(0, 0), Cell::new(89, 89)).cells() {
        let exits = Directions(!((cell.x * 31 + cell.y * 17) as u8 % 4));
        fenced.set_exits(cell, exits).unwrap();
    }
    let unit = Rules::new(Metric::Unit, CornerRule::Cut);
    make_fields(&mut path, Terrain::from(&fenced), unit);
    let regions = Regions::of(&plain, Rules::default());
    let query = PathQuery::new(Cell::new(1, 0), Cell::new(10, 0));
    let find = || assert!(nearest_reachable(&plain, &regions, &query).is_some());
    assert_eq!(allocations_during(find), 0);

    let mut map = IndexedMap::new(grid.clone());
    map.build_mosaic(rules.footprint);
    let road = grid.walkable_cells().filter(|cell| cell.y % 30 < 4);
    map.insert_roads(rules, road).unwrap();
    let indexed = Terrain::from(&map);
    ask_some(&mut MosaicSearch::new(), &mut path, indexed, rules, 301);
    ask_some(&mut TrunkSearch::new(), &mut path, indexed, rules, 301);
    ask_in_slices(&mut MosaicSearch::new(), &mut path, indexed, rules);
    ask_in_slices(&mut TrunkSearch::new(), &mut path, indexed, rules);

    far_ways(&plain);
}

/// Makes paths over portals, and fields whose target moves.
fn far_ways(grid: &Grid) {
    for metric in [Metric::Unit, Metric::Octile] {
        let rules = Rules::new(metric, CornerRule::Strict);
        let mut map = IndexedMap::new(grid.clone());
        map.build_portals(rules);
        let terrain = Terrain::from(&map);
        let cells: Vec<Cell> = grid.walkable_cells().step_by(977).collect();
        let (mut search, mut path) = (PortalSearch::new(), Path::new());
        let mut field = PortalField::new();
        let mut pass = || {
            let mut answered = 0;
            for &goal in cells.iter().step_by(3) {
                assert_eq!(field.aim(terrain, rules, goal), Ok(()));
                for &start in &cells {
                    let query = PathQuery::new(start, goal)
                        .with_rules(rules)
                        .with_limits(Limits::UNBOUNDED);
                    let outcome = search.search(terrain, &query, &mut path);
                    answered += usize::from(outcome.status.has_path());
                    search.begin(terrain, &query);
                    while search.resume(terrain, 9, &mut path) == Progress::Suspended {}
                    let next = field.next_move(terrain, start);
                    assert_eq!(next.is_some(), outcome.status.has_path());
                }
            }
            assert!(answered > 0);
        };
        let cold = allocations_during(&mut pass);
        let warm = allocations_during(&mut pass);
        assert_eq!(warm, 0, "{metric:?}; the cold pass took {cold}");
    }
}
