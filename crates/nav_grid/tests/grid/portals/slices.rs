//! Searches over portals in slices: long ones, and the work that a leg adds to a slice.

use crate::scenes::{across, far, with_portals};
use mapgen::Kind;
use nav_grid::{
    Area, Cell, CornerRule, IndexedMap, Limits, Metric, Path, PathQuery, Rules, Search, Terrain,
    methods::PortalSearch,
    query::{Fallback, Progress, Sliced},
};
use nav_judge::{Xorshift, by_tier, judge_slices_of};

fn rooms() -> (IndexedMap, PathQuery) {
    let (grid, query) = across(Kind::Rooms, 160, 1);
    (with_portals(&grid, query.rules), query)
}

#[test]
fn long_ways() {
    for seed in 0..by_tier(3, 20) {
        let grid = mapgen::generate(Kind::Mixed, 150, 120, seed).unwrap();
        let open: Vec<Cell> = grid.walkable_cells().collect();
        let mut random = Xorshift::new(seed);
        for rules in Metric::ALL.map(|metric| Rules::new(metric, random.one_of(&CornerRule::ALL))) {
            let map = with_portals(&grid, rules);
            for expansions in [5, 40, u32::MAX] {
                let limits = Limits {
                    expansions,
                    ..Limits::UNBOUNDED
                };
                let query = far(random.one_of(&open), random.one_of(&open))
                    .with_rules(rules)
                    .with_limits(limits)
                    .with_fallback(Fallback::ClosestReached);
                judge_slices_of::<PortalSearch>((&map).into(), &query);
            }
        }
    }
}

/// A slice exceeds its work by one leg at most.
#[test]
fn work_of_legs() {
    let (map, query) = rooms();
    let terrain = Terrain::from(&map);
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let whole = search.search(terrain, &query, &mut path);
    let (expanded, work) = (whole.counters.expanded, whole.counters.work());
    let cells = path.len() as u32;
    assert!(expanded > 20);
    let mut slices = |length| {
        search.begin(terrain, &query);
        let mut slices = 1;
        while search.resume(terrain, length, &mut path) == Progress::Suspended {
            slices += 1;
        }
        slices
    };
    let ones = slices(1);
    // Legs are far fewer than cells, but there are some.
    assert!(ones > expanded && ones < expanded + cells);
    assert_eq!(slices(0), ones, "at least one a slice");
    let tens = slices(10);
    assert!(
        ones <= work && tens <= work.div_ceil(10) + 1,
        "{ones}, {tens}"
    );
    // Laying a leg may take a wave through a cluster.
    assert!(tens >= work / (10 + 40), "{tens} slices for {work}");
    assert_eq!(slices(u32::MAX), 1);
}

/// Repaired portals may have other numbers than fresh ones of the same map.
#[test]
fn rebuilt_meanwhile() {
    let (mut map, query) = rooms();
    let plain = map.grid().clone();
    let comb = Area::new(Cell::new(32, 31), Cell::new(63, 32));
    for cell in comb.cells() {
        let is_comb = cell.y == 31 || cell.x % 2 == 0;
        map.set_walkable(cell, is_comb).unwrap();
    }
    map.repair();
    for cell in comb.cells() {
        map.set_walkable(cell, plain.is_walkable(cell)).unwrap();
    }
    map.repair();
    let anew = with_portals(map.grid(), query.rules);
    let (mut search, mut path, mut other) = (PortalSearch::new(), Path::new(), Path::new());
    let truth = PortalSearch::new().search(&anew, &query, &mut path);
    for slices in 1..60 {
        search.begin(&map, &query);
        for _ in 0..slices {
            let _ = search.resume(&map, 1, &mut other);
        }
        let answer = search.resume(&anew, u32::MAX, &mut other);
        assert_eq!((answer, &other), (Progress::Done(truth), &path));
    }
}
