//! Searches over portals in slices answer as whole ones do, however they are cut.

use mapgen::Kind;
use nav_grid::{
    Area, Cell, CornerRule, Direction, Grid, IndexedMap, Limits, Link, Metric, Outcome, Path,
    PathQuery, Rules, Search, Size, Status, Terrain,
    methods::PortalSearch,
    query::{Fallback, Feature, Progress, Sliced},
};
use proptest::{prelude::*, sample::select};

fn built(grid: Grid, rules: Rules) -> IndexedMap {
    let mut map = IndexedMap::new(grid);
    map.build_portals(rules);
    map
}

fn far(start: Cell, goal: Cell) -> PathQuery {
    PathQuery::new(start, goal).with_limits(Limits::UNBOUNDED)
}

/// Searches in slices of some sizes in turn; also tells how many it took.
fn cut(
    search: &mut PortalSearch,
    terrain: Terrain<'_>,
    query: &PathQuery,
    sizes: &[u32],
    path: &mut Path,
) -> (Outcome, usize) {
    search.begin(terrain, query);
    for (slices, &size) in (1..).zip(sizes.iter().cycle()) {
        match search.resume(terrain, size, path) {
            Progress::Done(outcome) => return (outcome, slices),
            Progress::Suspended => assert!(path.is_empty()),
            end => panic!("{end:?} after {slices} slices"),
        }
    }
    unreachable!("a cycle has no end")
}

/// Two floors of rooms with ways up and down, and a ledge that is jumped down only.
fn layered(seed: u64) -> Grid {
    let size = Size::new(100, 90).with_floors(2);
    let rooms = mapgen::generate(Kind::Rooms, 100, 90, seed).unwrap();
    let mut grid = Grid::build(size, |cell| rooms.is_walkable(cell.on_floor(0))).unwrap();
    let open: Vec<Cell> = rooms.walkable_cells().collect();
    for number in 1..9 {
        let at = |by: usize| open[number * by % open.len()];
        let (low, high) = (at(7919), at(104_729).on_floor(1));
        grid.set_link(Link::new(low, high)).unwrap();
        grid.set_link(Link::new(high, low).with_cost(9)).unwrap();
    }
    let ledge = Area::new(Cell::new(0, 40), Cell::new(60, 40));
    let down = [Direction::SouthWest, Direction::South, Direction::SouthEast];
    grid.set_exits(ledge, down.into_iter().collect()).unwrap();
    grid
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn slices_of_any_size_answer_as_the_whole(
        (seed, layers) in (0..20_u64, any::<bool>()),
        metric in select(&Metric::ALL[..]),
        corners in select(&CornerRule::ALL[..]),
        sizes in proptest::collection::vec(0..12_u32, 1..6),
        expansions in select(vec![5, 40, u32::MAX]),
        ends in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
    ) {
        let grid = if layers {
            layered(seed)
        } else {
            mapgen::generate(Kind::Mixed, 150, 120, seed).unwrap()
        };
        let rules = Rules::new(metric, corners);
        let map = built(grid, rules);
        let terrain = Terrain::from(&map);
        let open: Vec<Cell> = map.grid().walkable_cells().collect();
        let (mut whole, mut sliced) = (PortalSearch::new(), PortalSearch::new());
        let (mut path, mut same) = (Path::new(), Path::new());
        for (start, goal) in ends {
            let limits = Limits { expansions, ..Limits::UNBOUNDED };
            let query = PathQuery::new(*start.get(&open), *goal.get(&open))
                .with_rules(rules)
                .with_limits(limits)
                .with_fallback(Fallback::ClosestReached);
            let truth = whole.search(terrain, &query, &mut path);
            let (answer, _) = cut(&mut sliced, terrain, &query, &sizes, &mut same);
            prop_assert_eq!(answer, truth);
            prop_assert_eq!(&same, &path);
        }
    }
}

fn rooms() -> (IndexedMap, PathQuery) {
    let grid = mapgen::generate(Kind::Rooms, 160, 160, 1).unwrap();
    let open: Vec<Cell> = grid.walkable_cells().collect();
    let query = far(open[0], open[open.len() - 1]);
    (built(grid, Rules::default()), query)
}

#[test]
fn a_slice_ends_after_as_much_work_and_at_most_a_leg_more() {
    let (map, query) = rooms();
    let terrain = Terrain::from(&map);
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let whole = search.search(terrain, &query, &mut path);
    let expanded = whole.counters.expanded as usize;
    assert!(expanded > 20);
    let (outcome, ones) = cut(&mut search, terrain, &query, &[1], &mut path);
    assert_eq!(outcome, whole);
    // Legs are fewer than cells by far, but there are some.
    assert!(ones > expanded && ones < expanded + path.len());
    let (_, none) = cut(&mut search, terrain, &query, &[0], &mut path);
    assert_eq!(none, ones, "at least one a slice");
    let (_, tens) = cut(&mut search, terrain, &query, &[10], &mut path);
    let work = whole.counters.work() as usize;
    assert!(
        ones <= work && tens <= work.div_ceil(10) + 1,
        "{ones}, {tens}"
    );
    // Laying a leg may take a wave through a cluster.
    assert!(tens >= work / (10 + 40), "{tens} slices for {work}");
    assert_eq!(
        cut(&mut search, terrain, &query, &[u32::MAX], &mut path).1,
        1
    );
}

/// Where the goal is near, cheaper paths are looked for cell by cell.
#[test]
fn near_goals_take_slices_too() {
    let grid = mapgen::generate(Kind::Clutter { percent: 25 }, 64, 64, 3).unwrap();
    let rules = Rules::new(Metric::Octile, CornerRule::Strict);
    let map = built(grid, rules);
    let terrain = Terrain::from(&map);
    let open: Vec<Cell> = map.grid().walkable_cells().collect();
    let (mut search, mut path, mut same) = (PortalSearch::new(), Path::new(), Path::new());
    let mut cells_looked_at = 0;
    for number in 0..300 {
        let at = |by: usize| open[number * by % open.len()];
        let query = far(at(7919), at(104_729)).with_rules(rules);
        let whole = search.search(terrain, &query, &mut path);
        for sizes in [&[1][..], &[2, 7], &[60]] {
            let (answer, slices) = cut(&mut search, terrain, &query, sizes, &mut same);
            assert_eq!(answer, whole);
            assert_eq!(same, path);
            if sizes == [1] {
                assert!(slices as u32 >= whole.counters.expanded);
                cells_looked_at = cells_looked_at.max(whole.counters.expanded);
            }
        }
    }
    // There are 4 clusters, with some portals each.
    assert!(cells_looked_at > 100);
}

#[test]
fn an_edit_ends_the_search() {
    let (mut map, query) = rooms();
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    search.begin(&map, &query);
    let first = search.resume(&map, 5, &mut path);
    assert_eq!(first, Progress::Suspended);
    map.set_walkable(query.start, false).unwrap();
    map.repair();
    assert_eq!(search.resume(&map, 5, &mut path), Progress::Stale);
    assert_eq!(search.resume(&map, 5, &mut path), Progress::Idle);
}

/// Portals that were repaired may have other numbers than those of the same map made anew.
#[test]
fn portals_that_are_made_anew_meanwhile_are_gone_by() {
    let (mut map, query) = rooms();
    let plain = map.grid().clone();
    for cell in Area::new(Cell::new(32, 31), Cell::new(63, 32)).cells() {
        let is_comb = cell.y == 31 || cell.x % 2 == 0;
        map.set_walkable(cell, is_comb).unwrap();
    }
    map.repair();
    for cell in Area::new(Cell::new(32, 31), Cell::new(63, 32)).cells() {
        map.set_walkable(cell, plain.is_walkable(cell)).unwrap();
    }
    map.repair();
    let anew = built(map.grid().clone(), query.rules);
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

#[test]
fn a_new_search_takes_the_place_of_the_old_one() {
    let (map, query) = rooms();
    let terrain = Terrain::from(&map);
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Idle);

    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Suspended);
    search.cancel();
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Idle);

    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Suspended);
    search.search(terrain, &far(query.goal, query.start), &mut path);
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Idle);

    search.begin(terrain, &query);
    assert_eq!(search.resume(terrain, 5, &mut path), Progress::Suspended);
    let back = far(query.goal, query.start);
    let (outcome, _) = cut(&mut search, terrain, &back, &[3], &mut path);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(path.end(), Some(query.start));
}

#[test]
fn what_needs_no_search_is_answered_by_the_first_slice() {
    let (map, query) = rooms();
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let mut first = |terrain: Terrain<'_>, query: &PathQuery| {
        search.begin(terrain, query);
        match search.resume(terrain, 1, &mut path) {
            Progress::Done(outcome) => outcome.status,
            other => panic!("{other:?}"),
        }
    };
    let terrain = Terrain::from(&map);
    let here = far(query.start, query.start);
    assert_eq!(first(terrain, &here), Status::AlreadyThere);
    let unprepared = Status::Unsupported(Feature::Preparation);
    assert_eq!(first(map.grid().into(), &query), unprepared);
}
