//! Searches in slices give the same answers as at once, whatever the method.

use crate::{
    scenes::{OCTILE, caves, far, indexed},
    worlds::{any_case, tries},
};
use nav_grid::{
    Cell, Footprint, Grid, Limits, Method, Path, PathQuery, Planner, Status, Terrain,
    map::Bodies,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, PortalSearch, TrunkSearch},
    query::{Fallback, Progress, Sliced},
    rules::BodyPolicy,
};
use nav_judge::{judge_slices, resume_to_end, settled};
use proptest::{prelude::*, sample::select};

const FALLBACKS: [Fallback; 3] = [
    Fallback::None,
    Fallback::ClosestReached,
    Fallback::NearestReachable,
];

/// Makes a query with a limit of expansions.
fn within(expansions: u32, query: PathQuery) -> PathQuery {
    query.with_limits(Limits {
        expansions,
        ..query.limits
    })
}

proptest! {
    #![proptest_config(tries(20, 2000))]

    #[test]
    fn random_worlds(
        (world, queries) in any_case(),
        expansions in prop_oneof![0..300_u32, Just(u32::MAX)],
        fallback in select(&FALLBACKS[..]),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for &query in queries.iter().take(2) {
            let query = settled(query, &grid).with_fallback(fallback);
            let query = within(expansions, query);
            let map = indexed(&grid, query.rules);
            judge_slices((&map).into(), &query);
            judge_slices(Terrain::from(&map).with_bodies(&bodies), &query);
        }
    }
}

#[test]
fn known_in_first_slice() {
    let (grid, query) = caves();
    let map = indexed(&grid, OCTILE);
    let (mut planner, mut path) = (Planner::new(), Path::new());
    let here = far(query.start, query.start);
    let too_far = query.with_limits(Limits::default());
    for method in Method::ALL {
        for query in [here, too_far] {
            let expected = planner.ask(method, &map, &query, &mut path);
            planner.begin_with(method, &map, &query);
            let progress = planner.resume(&map, 1, &mut path);
            assert_eq!(progress, Progress::Done(expected), "{method}");
            assert_eq!(planner.resume(&map, 1, &mut path), Progress::Idle);
            let known = [Status::AlreadyThere, Status::TooFar];
            let is_known = known.contains(&expected.status);
            let is_refused = matches!(expected.status, Status::Unsupported(_));
            assert!(is_known || is_refused, "{expected:?}");
        }
    }
}

/// Counts the work of slices, which may exceed their size by `more`: the last expansion, or part of
/// a scan.
fn count_work<S: Sliced + Default>(terrain: Terrain<'_>, query: &PathQuery, more: u32) {
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
        let is_right = (10..=10 + more).contains(&taken);
        assert!(is_right, "{taken} in a slice of 10");
        before += taken;
        slices += 1;
    };
    assert_eq!(outcome.status, Status::Found);
    assert!(outcome.counters.work() - before <= 10 + more, "{outcome:?}");
    assert!(slices > 3, "a search of some length: {slices}");
    assert_eq!(search.work(), 0);
}

#[test]
fn work_of_a_slice() {
    let (grid, query) = caves();
    let mut map = indexed(&grid, query.rules);
    count_work::<BoundedAStar>((&map).into(), &query, 0);
    count_work::<Dijkstra>((&map).into(), &query, 0);
    count_work::<MosaicSearch>((&map).into(), &query, 34);
    count_work::<TrunkSearch>((&map).into(), &query, 0);
    count_work::<JumpPointSearch>((&map).into(), &query, 140);
    // Without a copy of the map before the search.
    map.build_jumps(OCTILE);
    count_work::<JumpPointSearch>((&map).into(), &query, 3);
    // Laying a leg may take a wave through a cluster.
    count_work::<PortalSearch>((&map).into(), &query, 40);
}

/// Interrupts a search that is under way in several ways.
fn interrupt<S: Sliced + Default>() {
    let (grid, query) = caves();
    let mut map = indexed(&grid, query.rules);
    let (mut search, mut path) = (S::default(), Path::new());
    assert_eq!(search.resume(&grid, 9, &mut path), Progress::Idle);

    search.begin(&map, &query);
    let progress = search.resume(&map, 3, &mut path);
    assert_eq!(progress, Progress::Suspended);
    search.cancel();
    let progress = search.resume(&map, 3, &mut path);
    assert_eq!(progress, Progress::Idle);

    // Another query replaces it, begun or asked at once.
    let back = far(query.goal, query.start);
    let terrain = Terrain::from(&map);
    let mut whole = Path::new();
    let expected = S::default().search(terrain, &back, &mut whole);
    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Suspended);
    search.begin(terrain, &back);
    let (answer, _) = resume_to_end(&mut search, terrain, 50, &mut path);
    assert_eq!((answer, &path), (expected, &whole));
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Idle);
    assert!(path.is_empty(), "a path goes with its answer");
    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Suspended);
    assert_eq!(search.search(terrain, &back, &mut path), expected);
    assert_eq!(search.resume(terrain, 3, &mut path), Progress::Idle);

    // A map of another size, and an edited map, before the first slice and after it.
    let small = Grid::open(20, 20).unwrap();
    assert_eq!(grid.version(), small.version());
    search.begin(&map, &query);
    assert_eq!(search.resume(&small, 3, &mut path), Progress::Stale);
    for slices in 0..2 {
        search.begin(&map, &query);
        for _ in 0..slices {
            assert_eq!(search.resume(&map, 3, &mut path), Progress::Suspended);
        }
        map.set_walkable(Cell::new(64, 64), false).unwrap();
        map.set_walkable(Cell::new(64, 64), true).unwrap();
        map.repair();
        assert_eq!(search.resume(&map, 3, &mut path), Progress::Stale);
        assert!(path.is_empty());
        assert_eq!(search.resume(&map, 3, &mut path), Progress::Idle);
    }
}

#[test]
fn cancelled_replaced_or_stale() {
    interrupt::<BoundedAStar>();
    interrupt::<Dijkstra>();
    interrupt::<JumpPointSearch>();
    interrupt::<PortalSearch>();
    interrupt::<MosaicSearch>();
    interrupt::<TrunkSearch>();
}

/// The work is that of the search under way, not of a replaced one.
#[test]
fn work_after_replacement() {
    let (grid, query) = caves();
    let map = indexed(&grid, query.rules);
    let start = query.start;
    let is_near = |cell: &Cell| (9..40).contains(&cell.chebyshev(start));
    let near = grid.walkable_cells().filter(is_near).step_by(67);
    let queries: Vec<_> = near.map(|goal| far(start, goal)).chain([query]).collect();
    let mut path = Path::new();
    for method in Method::ALL {
        let mut fresh = Planner::new();
        fresh.begin_with(method, &map, &query);
        let _ = fresh.resume(&map, 5, &mut path);
        for other in &queries {
            for slices in 1.. {
                let mut used = Planner::new();
                used.begin_with(method, &map, other);
                let mut slice = || used.resume(&map, 150, &mut path);
                let is_under_way = (0..slices).all(|_| slice() == Progress::Suspended);
                used.begin_with(method, &map, &query);
                let _ = used.resume(&map, 5, &mut path);
                assert_eq!(used.work(), fresh.work(), "{method} after {slices} slices");
                if !is_under_way {
                    break;
                }
            }
        }
    }
}

/// No search panics on a map of the same size with as many edits.
#[test]
fn another_map_of_equal_version() {
    let (grid, query) = caves();
    let mut other = Grid::open(128, 128).unwrap();
    while other.version() < grid.version() {
        other.set_walkable(Cell::new(9, 9), false).unwrap();
        other.set_walkable(Cell::new(9, 9), true).unwrap();
    }
    let [map, other] = [&grid, &other].map(|grid| indexed(grid, query.rules));
    let (mut planner, mut path) = (Planner::new(), Path::new());
    for method in Method::ALL {
        planner.begin_with(method, &map, &query);
        let _ = planner.resume(&map, 5, &mut path);
        let _ = planner.resume(&other, 5, &mut path);
        let _ = planner.resume(&map, u32::MAX, &mut path);
    }
}

#[test]
fn bodies_move_between_slices() {
    let (grid, query) = caves();
    let query = query.with_rules(OCTILE.with_bodies(BodyPolicy::AvoidAll));
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    let nobody = Bodies::new(grid.size());
    astar.begin(Terrain::from(&grid).with_bodies(&nobody), &query);
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
