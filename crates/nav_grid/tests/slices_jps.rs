//! Jump point searches that are cut into slices.

mod worlds;

use mapgen::Kind;
use nav_grid::{
    Cell, CornerRule, Footprint, Grid, Limits, Metric, Outcome, Path, PathQuery, Rules, Search,
    Size, Status, Terrain,
    map::Bodies,
    methods::JumpPointSearch,
    query::{Fallback, Progress, Sliced},
    rules::BodyPolicy,
};
use nav_judge::{Xorshift, settled, walk};
use proptest::prelude::*;
use worlds::any_case;

const RULES: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

fn far(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal)
        .with_rules(RULES)
        .with_limits(Limits::UNBOUNDED)
}

/// A map of caves, and a query across it that takes many expansions.
fn caves() -> (Grid, PathQuery) {
    let grid = mapgen::generate(Kind::Caves, 128, 128, 3).unwrap();
    let start = grid.walkable_cells().next().unwrap();
    let goal = grid.walkable_cells().last().unwrap();
    (grid, far(start, goal))
}

/// Resumes a search to its end; slices are as long as `slice` says.
fn finish(
    jps: &mut JumpPointSearch,
    terrain: Terrain<'_>,
    mut slice: impl FnMut() -> u32,
    path: &mut Path,
) -> Outcome {
    loop {
        match jps.resume(terrain, slice(), path) {
            Progress::Done(outcome) => return outcome,
            Progress::Suspended => assert!(path.is_empty()),
            other => panic!("{other:?}, and nobody edits the map or cancels"),
        }
    }
}

/// However a query is cut, it is answered as it is at once.
fn judge(terrain: Terrain<'_>, query: &PathQuery, seed: u64) {
    let (mut whole, mut path) = (Path::new(), Path::new());
    let expected = JumpPointSearch::new().search(terrain, query, &mut whole);
    if expected.status == Status::Found {
        assert_eq!(walk(terrain, query, &whole), Ok(expected.cost));
    }
    let mut jps = JumpPointSearch::new();
    let mut random = Xorshift::new(seed);
    for slice in [1, 2, 7, 0] {
        jps.begin(terrain, query);
        let slice = || if slice == 0 { random.below(40) } else { slice };
        let answer = finish(&mut jps, terrain, slice, &mut path);
        assert_eq!((answer, &path), (expected, &whole), "{query:?}");
    }
}

#[test]
fn a_slice_takes_as_many_expansions_as_it_may() {
    let (mut grid, query) = caves();
    grid.prepare_jumps(Footprint::ONE, RULES.corners);
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    let expected = jps.search(&grid, &query, &mut path);
    assert_eq!(expected.status, Status::Found);
    let mut slices = 0;
    jps.begin(&grid, &query);
    let mut count = || {
        slices += 1;
        10
    };
    finish(&mut jps, (&grid).into(), &mut count, &mut path);
    // A slice ends with the expansion that spends it.
    let work = expected.counters.work();
    assert!(expected.counters.scanned < work / 4, "{expected:?}");
    assert!(
        (work / 14..=work.div_ceil(10)).contains(&slices),
        "{slices}"
    );
    assert!(slices > 3, "a search of some length: {slices}");
}

#[test]
fn a_budget_is_spent_where_it_is_without_slices() {
    let (grid, query) = caves();
    for fallback in [Fallback::None, Fallback::ClosestReached] {
        for expansions in [0, 1, 6, 7, 8, 20] {
            let limits = Limits {
                expansions,
                ..Limits::UNBOUNDED
            };
            let query = query.with_limits(limits).with_fallback(fallback);
            judge((&grid).into(), &query, 5);
        }
    }
}

#[test]
fn what_needs_no_search_is_answered_by_the_first_slice() {
    let (grid, query) = caves();
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    for (query, status) in [
        (far(query.start, query.start), Status::AlreadyThere),
        (query.with_limits(Limits::default()), Status::TooFar),
    ] {
        jps.begin(&grid, &query);
        let progress = jps.resume(&grid, 1, &mut path);
        let Progress::Done(outcome) = progress else {
            panic!("{progress:?}");
        };
        assert_eq!(outcome.status, status);
        assert_eq!(jps.resume(&grid, 1, &mut path), Progress::Idle);
    }
}

#[test]
fn a_search_is_under_way_from_its_beginning_to_its_end() {
    let (grid, query) = caves();
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Idle);

    jps.begin(&grid, &query);
    finish(&mut jps, (&grid).into(), || 9, &mut path);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Idle);
    assert!(path.is_empty(), "a path goes with its answer");

    jps.begin(&grid, &query);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Suspended);
    jps.cancel();
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Idle);

    jps.begin(&grid, &query);
    jps.search(&grid, &query, &mut path);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Idle);
}

#[test]
fn another_search_takes_the_place_of_the_one_under_way() {
    let (grid, query) = caves();
    let back = far(query.goal, query.start);
    let (mut jps, mut path, mut other) = (JumpPointSearch::new(), Path::new(), Path::new());
    jps.begin(&grid, &query);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Suspended);
    jps.begin(&grid, &back);
    let answer = finish(&mut jps, (&grid).into(), || 9, &mut path);
    let expected = JumpPointSearch::new().search(&grid, &back, &mut other);
    assert_eq!((answer, path), (expected, other));
}

#[test]
fn an_edit_of_the_map_ends_a_search() {
    let (mut grid, query) = caves();
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    for slices in [0, 1] {
        jps.begin(&grid, &query);
        for _ in 0..slices {
            assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Suspended);
        }
        let walkable = grid.is_walkable(Cell::new(60, 60));
        grid.set_walkable(Cell::new(60, 60), !walkable).unwrap();
        assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Stale);
        assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Idle);
    }
}

#[test]
fn a_map_of_another_size_is_not_searched_on() {
    let (grid, query) = caves();
    let small = Grid::open(20, 20).unwrap();
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    jps.begin(&grid, &query);
    assert_eq!(grid.version(), small.version());
    assert_eq!(jps.resume(&small, 9, &mut path), Progress::Stale);
}

#[test]
fn what_is_prepared_meanwhile_changes_nothing() {
    let (mut grid, query) = caves();
    let (mut jps, mut path, mut other) = (JumpPointSearch::new(), Path::new(), Path::new());
    jps.begin(&grid, &query);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Suspended);
    grid.prepare_jumps(Footprint::ONE, RULES.corners);
    let answer = finish(&mut jps, (&grid).into(), || 9, &mut path);
    let mut expected = JumpPointSearch::new().search(&grid, &query, &mut other);
    // But for the copy that was made of the map before.
    assert!(answer.counters.scanned > expected.counters.scanned);
    expected.counters.scanned = answer.counters.scanned;
    assert_eq!((answer, path), (expected, other));
}

#[test]
fn a_map_that_lacks_the_jumps_is_searched_from_the_beginning() {
    let (plain, query) = caves();
    let mut grid = plain.clone();
    grid.prepare_jumps(Footprint::ONE, RULES.corners);
    let (mut jps, mut path, mut other) = (JumpPointSearch::new(), Path::new(), Path::new());
    jps.begin(&grid, &query);
    assert_eq!(jps.resume(&grid, 9, &mut path), Progress::Suspended);
    let answer = finish(&mut jps, (&plain).into(), || 9, &mut path);
    let expected = JumpPointSearch::new().search(&plain, &query, &mut other);
    assert_eq!((answer, path), (expected, other));
}

#[test]
fn bodies_are_minded_where_they_were_at_the_beginning() {
    let grid = Grid::open(40, 9).unwrap();
    let mut bodies = Bodies::new(Size::new(40, 9));
    for y in 0..8 {
        bodies.occupy(Cell::new(20, y), Footprint::ONE);
    }
    let query = far(Cell::new(2, 4), Cell::new(37, 4));
    let query = query.with_rules(RULES.with_bodies(BodyPolicy::AvoidAll));
    let (mut jps, mut path, mut other) = (JumpPointSearch::new(), Path::new(), Path::new());
    let expected = jps.search(
        Terrain::from(&grid).with_bodies(&bodies),
        &query,
        &mut other,
    );
    jps.begin(Terrain::from(&grid).with_bodies(&bodies), &query);
    let nobody = Bodies::new(Size::new(40, 9));
    let answer = finish(
        &mut jps,
        Terrain::from(&grid).with_bodies(&nobody),
        || 1,
        &mut path,
    );
    assert_eq!((answer, path), (expected, other));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn slices_add_up_to_the_whole((world, queries) in any_case(), seed in any::<u64>()) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for &query in &queries {
            let query = settled(query, &grid);
            for fallback in [Fallback::None, Fallback::ClosestReached] {
                judge(Terrain::from(&grid).with_bodies(&bodies), &query.with_fallback(fallback), seed);
            }
        }
    }
}
