//! Jump point searches in slices: they may copy the map at first, and bodies with it.

use crate::scenes::{OCTILE, caves, far};
use nav_grid::{
    Cell, Footprint, Grid, Path, PathQuery, Search, Size, Terrain,
    map::Bodies,
    methods::JumpPointSearch,
    query::{Progress, Sliced},
    rules::BodyPolicy,
};
use nav_judge::resume_to_end;

/// Begins on one map, and continues and ends on another.
fn change_over(first: &Grid, then: &Grid, query: &PathQuery) -> (nav_grid::Outcome, Path) {
    let (mut jps, mut path) = (JumpPointSearch::new(), Path::new());
    jps.begin(first, query);
    assert_eq!(jps.resume(first, 9, &mut path), Progress::Suspended);
    let (answer, _) = resume_to_end(&mut jps, then.into(), 9, &mut path);
    (answer, path)
}

#[test]
fn jumps_prepared_meanwhile() {
    let (plain, query) = caves();
    let mut prepared = plain.clone();
    prepared.prepare_jumps(OCTILE);
    let (answer, path) = change_over(&plain, &prepared, &query);
    let mut other = Path::new();
    let mut expected = JumpPointSearch::new().search(&prepared, &query, &mut other);
    // Except for the copy that was made of the earlier map.
    assert!(answer.counters.scanned > expected.counters.scanned);
    expected.counters.scanned = answer.counters.scanned;
    assert_eq!((answer, path), (expected, other));
}

/// The search begins again.
#[test]
fn jumps_lacking_meanwhile() {
    let (plain, query) = caves();
    let mut prepared = plain.clone();
    prepared.prepare_jumps(OCTILE);
    let (answer, path) = change_over(&prepared, &plain, &query);
    let mut other = Path::new();
    let expected = JumpPointSearch::new().search(&plain, &query, &mut other);
    assert_eq!((answer, path), (expected, other));
}

#[test]
fn bodies_as_at_first() {
    let grid = Grid::open(40, 9).unwrap();
    let nobody = Bodies::new(Size::new(40, 9));
    let mut bodies = nobody.clone();
    for y in 0..8 {
        bodies.occupy(Cell::new(20, y), Footprint::ONE);
    }
    let rules = OCTILE.with_bodies(BodyPolicy::AvoidAll);
    let query = far((2, 4), (37, 4)).with_rules(rules);
    let [crowded, empty] = [&bodies, &nobody].map(|who| Terrain::from(&grid).with_bodies(who));
    let (mut jps, mut path, mut other) = (JumpPointSearch::new(), Path::new(), Path::new());
    let expected = jps.search(crowded, &query, &mut other);
    jps.begin(crowded, &query);
    let (answer, _) = resume_to_end(&mut jps, empty, 1, &mut path);
    assert_eq!((answer, path), (expected, other));
}
