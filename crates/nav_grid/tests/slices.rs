//! Searches that are cut into slices answer as they do at once, whatever the method.

mod worlds;

use mapgen::Kind;
use nav_grid::{
    Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Method, Metric, Path, PathQuery,
    Planner, Rules, Status, Terrain,
    map::Bodies,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, TrunkSearch},
    query::{Fallback, Progress, Sliced, Stopped},
    rules::BodyPolicy,
};
use nav_judge::{judge_slices, judge_slices_of, resume_to_end, settled};
use proptest::{prelude::*, sample::select};
use worlds::any_case;

const OCTILE: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

const FALLBACKS: [Fallback; 3] = [
    Fallback::None,
    Fallback::ClosestReached,
    Fallback::NearestReachable { rings: 9 },
];

/// A map with all indexes for a walker, with a road along every sixteenth row and column.
fn built(grid: &Grid, rules: Rules) -> IndexedMap {
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

/// A map of caves, and a query across it that takes every method many expansions.
fn caves() -> (Grid, PathQuery) {
    let grid = mapgen::generate(Kind::Caves, 128, 128, 3).unwrap();
    let start = grid.walkable_cells().next().unwrap();
    let goal = grid.walkable_cells().last().unwrap();
    let query = PathQuery::new(start, goal).with_rules(OCTILE);
    (grid, query.with_limits(Limits::UNBOUNDED))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        expansions in prop_oneof![0..300_u32, Just(u32::MAX)],
        fallback in select(&FALLBACKS[..]),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for &query in queries.iter().take(2) {
            let query = settled(query, &grid).with_fallback(fallback);
            let query = query.with_limits(Limits { expansions, ..query.limits });
            let map = built(&grid, query.rules);
            judge_slices((&map).into(), &query);
            judge_slices(Terrain::from(&map).with_bodies(&bodies), &query);
        }
    }
}

#[test]
fn maps_of_every_kind_and_metric() {
    for kind in [Kind::Open, Kind::Caves, Kind::Rooms, Kind::Maze] {
        let grid = mapgen::generate(kind, 70, 60, 2).unwrap();
        let start = grid.walkable_cells().next().unwrap();
        let goal = grid.walkable_cells().last().unwrap();
        for metric in Metric::ALL {
            let rules = Rules::new(metric, CornerRule::Strict);
            let map = built(&grid, rules);
            let query = PathQuery::new(start, goal)
                .with_rules(rules)
                .with_limits(Limits::UNBOUNDED);
            judge_slices((&map).into(), &query);
        }
    }
}

#[test]
fn a_slice_takes_as_much_work_as_it_may_and_little_more() {
    /// `more` is what the last expansion or part of a scan may take beyond.
    fn count<S: Sliced + Default>(terrain: Terrain<'_>, query: &PathQuery, more: u32) {
        let (mut search, mut path) = (S::default(), Path::new());
        assert_eq!(search.work(), 0);
        search.begin(terrain, query);
        let (mut before, mut slices) = (0, 1);
        let outcome = loop {
            match search.resume(terrain, 10, &mut path) {
                Progress::Done(outcome) => break outcome,
                progress => assert_eq!(progress, Progress::Suspended),
            }
            let taken = search.work() - before;
            assert!(
                (10..=10 + more).contains(&taken),
                "{taken} in a slice of 10"
            );
            before += taken;
            slices += 1;
        };
        assert_eq!(outcome.status, Status::Found);
        assert!(outcome.counters.work() - before <= 10 + more, "{outcome:?}");
        assert!(slices > 3, "a search of some length: {slices}");
        assert_eq!(search.work(), 0);
    }
    let (grid, query) = caves();
    let map = built(&grid, query.rules);
    let terrain = Terrain::from(&map);
    count::<BoundedAStar>(terrain, &query, 0);
    count::<Dijkstra>(terrain, &query, 0);
    count::<MosaicSearch>(terrain, &query, 34);
    count::<TrunkSearch>(terrain, &query, 0);
    count::<JumpPointSearch>(terrain, &query, 140);
}

/// What becomes of a search that is under way.
fn interrupt<S: Sliced + Default>() {
    let (grid, query) = caves();
    let mut map = built(&grid, query.rules);
    let (mut search, mut path) = (S::default(), Path::new());
    assert_eq!(search.resume(&grid, 9, &mut path), Progress::Idle);

    search.begin(&map, &query);
    let progress = search.resume(&map, 3, &mut path);
    assert_eq!(progress, Progress::Suspended);
    search.cancel();
    let progress = search.resume(&map, 3, &mut path);
    assert_eq!(progress, Progress::Idle);

    // Another query takes its place, begun or asked at once.
    let back = PathQuery {
        start: query.goal,
        goal: query.start,
        ..query
    };
    let terrain = Terrain::from(&map);
    let expected = S::default().search(terrain, &back, &mut path);
    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Suspended);
    search.begin(terrain, &back);
    assert_eq!(
        resume_to_end(&mut search, terrain, 50, &mut path).0,
        expected
    );
    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Suspended);
    assert_eq!(search.search(terrain, &back, &mut path), expected);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Idle);

    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Suspended);
    map.set_walkable(Cell::new(64, 64), false).unwrap();
    map.set_walkable(Cell::new(64, 64), true).unwrap();
    map.repair();
    let terrain = Terrain::from(&map);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Stale);
    assert!(path.is_empty());
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Idle);
}

#[test]
fn a_search_under_way_is_cancelled_replaced_or_stale() {
    interrupt::<BoundedAStar>();
    interrupt::<Dijkstra>();
    interrupt::<MosaicSearch>();
    interrupt::<TrunkSearch>();
}

#[test]
fn work_is_that_of_the_search_under_way_whatever_was_replaced_by_it() {
    let (grid, across) = caves();
    let map = built(&grid, across.rules);
    let start = across.start;
    let is_near = |cell: &Cell| (9..40).contains(&cell.chebyshev(start));
    let near = grid.walkable_cells().filter(is_near).step_by(67);
    let queries = near.map(|goal| PathQuery { goal, ..across });
    let queries: Vec<_> = queries.chain([across]).collect();
    let mut path = Path::new();
    for method in Method::ALL {
        let mut fresh = Planner::new();
        fresh.begin_with(method, &map, &across);
        let _ = fresh.resume(&map, 5, &mut path);
        for query in &queries {
            for slices in 1.. {
                let mut used = Planner::new();
                used.begin_with(method, &map, query);
                let mut slice = || used.resume(&map, 150, &mut path);
                let is_under_way = (0..slices).all(|_| slice() == Progress::Suspended);
                used.begin_with(method, &map, &across);
                let _ = used.resume(&map, 5, &mut path);
                assert_eq!(used.work(), fresh.work(), "{method} after {slices} slices");
                if !is_under_way {
                    break;
                }
            }
        }
    }
}

#[test]
fn another_map_of_as_many_edits_does_no_harm() {
    let (grid, query) = caves();
    let mut other = Grid::open(128, 128).unwrap();
    while other.version() < grid.version() {
        other.set_walkable(Cell::new(9, 9), false).unwrap();
        other.set_walkable(Cell::new(9, 9), true).unwrap();
    }
    let (map, other) = (built(&grid, query.rules), built(&other, query.rules));
    let mut planner = Planner::new();
    let mut path = Path::new();
    for method in Method::ALL {
        planner.begin_with(method, &map, &query);
        let _ = planner.resume(&map, 5, &mut path);
        let _ = planner.resume(&other, 5, &mut path);
        let _ = planner.resume(&map, u32::MAX, &mut path);
    }
}

#[test]
fn bodies_may_move_between_slices() {
    let (grid, query) = caves();
    let rules = OCTILE.with_bodies(BodyPolicy::AvoidAll);
    let query = query.with_rules(rules);
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    astar.begin(
        Terrain::from(&grid).with_bodies(&Bodies::new(grid.size())),
        &query,
    );
    for step in 0_u16.. {
        let mut bodies = Bodies::new(grid.size());
        bodies.occupy(Cell::new(step % 128, step / 2 % 128), Footprint::ONE);
        match astar.resume(Terrain::from(&grid).with_bodies(&bodies), 20, &mut path) {
            Progress::Done(outcome) => {
                assert_eq!(outcome.status, Status::Found);
                let walked = path.walk(&grid, query.start, OCTILE);
                assert_eq!(walked, Ok(outcome.cost));
                return;
            }
            progress => assert_eq!(progress, Progress::Suspended),
        }
    }
}

#[test]
fn a_goal_out_of_reach_gets_its_substitute_in_slices() {
    let mut grid = mapgen::generate(Kind::Caves, 128, 128, 3).unwrap();
    let start = grid.walkable_cells().next().unwrap();
    let goal = grid.walkable_cells().last().unwrap();
    for x in goal.x - 2..=goal.x {
        for y in goal.y - 2..=goal.y {
            grid.set_walkable(Cell::new(x, y), false).unwrap();
        }
    }
    grid.set_walkable(goal, true).unwrap();
    let map = built(&grid, OCTILE);
    let query = PathQuery::new(start, goal)
        .with_rules(OCTILE)
        .with_limits(Limits::UNBOUNDED)
        .with_fallback(Fallback::NearestReachable { rings: 20 });
    let outcome = judge_slices_of::<Planner>((&map).into(), &query);
    assert_eq!(outcome.status, Status::Partial(Stopped::Unreachable));
}
