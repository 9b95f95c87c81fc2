//! Several indexes of a kind on one map, wanted, built in slices and dropped.

use crate::scenes::{OCTILE, far, indexed};
use nav_grid::{
    Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Method, Metric, Path, PathQuery,
    Planner, Rules, Status,
    index::{BuiltIndexes, SlicedIndex},
    query::Feature,
};

fn large() -> Rules {
    OCTILE.with_footprint(Footprint::new(2).unwrap())
}

/// Makes rooms whose doors let bodies of one cell through.
fn rooms() -> Grid {
    Grid::from_fn(200, 150, |cell| {
        cell.x % 40 != 39 && cell.y % 50 != 49 || cell.x % 40 == 10 || cell.y % 50 == 20
    })
    .unwrap()
}

/// Returns the status of a query across, by portals.
fn across(map: &IndexedMap, rules: Rules) -> Status {
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(190, 140))
        .with_rules(rules)
        .with_limits(Limits::UNBOUNDED);
    let outcome = Planner::new().ask(Method::Portal, map, &query, &mut Path::new());
    outcome.status
}

#[test]
fn kept_beside_each_other() {
    let mut map = IndexedMap::new(rooms());
    for rules in [OCTILE, large(), Rules::default(), OCTILE] {
        map.build_regions(rules);
        map.build_portals(rules);
    }
    // Regions do not depend on the costs of a metric, portals do.
    assert_eq!(
        (map.indexes().regions().len(), map.indexes().portals().len()),
        (2, 3)
    );
    for edited in [false, true] {
        if edited {
            map.set_walkable(Cell::new(10, 49), false).unwrap();
            map.repair();
        }
        for rules in [OCTILE, large(), Rules::default()] {
            assert!(
                map.indexes()
                    .regions_for(rules)
                    .unwrap()
                    .serves(map.grid(), rules)
            );
            assert!(
                map.indexes()
                    .portals_for(rules)
                    .unwrap()
                    .serves(map.grid(), rules)
            );
        }
        assert_eq!(across(&map, OCTILE), Status::Found);
        assert_eq!(across(&map, large()), Status::Unreachable);
    }
    let cut = Rules::new(Metric::Octile, CornerRule::Cut);
    assert!(map.indexes().regions_for(cut).is_none() && map.indexes().portals_for(cut).is_none());

    let built = map.built();
    let mut other = IndexedMap::new(map.grid().clone());
    other.build(&built).unwrap();
    assert_eq!(other.built(), built);
    other.retain(&BuiltIndexes {
        regions: vec![OCTILE],
        ..BuiltIndexes::default()
    });
    assert_eq!(
        (
            other.indexes().regions().len(),
            other.indexes().portals().len()
        ),
        (1, 0)
    );
}

#[test]
fn wanted_in_slices() {
    let mut map = IndexedMap::new(rooms());
    assert!(map.progress().is_complete());
    map.want(OCTILE);
    map.want(large());
    map.want(OCTILE);
    assert_eq!(
        (map.indexes().regions().len(), map.indexes().portals().len()),
        (2, 2)
    );
    let begun = map.progress();
    assert_eq!(begun.due, begun.of);
    assert_eq!(
        across(&map, OCTILE),
        Status::Unsupported(Feature::Preparation)
    );
    let (mut slices, mut before) = (0, begun.due);
    loop {
        let done = map.repair_within(500);
        let progress = map.progress();
        assert_eq!(progress.of, begun.of);
        if done == 0 {
            assert!(progress.is_complete());
            break;
        }
        assert!(progress.due <= before && (500..6000).contains(&done) || progress.due == 0);
        before = progress.due;
        slices += 1;
    }
    assert!(slices > 10, "{slices}");
    let mut whole = IndexedMap::new(map.grid().clone());
    for rules in [OCTILE, large()] {
        whole.build_regions(rules);
        whole.build_portals(rules);
    }
    assert!(whole.indexes().portals() == map.indexes().portals());
    assert_eq!(whole.built(), map.built());
    for (one, other) in whole
        .indexes()
        .regions()
        .iter()
        .zip(map.indexes().regions())
    {
        assert_eq!(one.sizes(), other.sizes());
    }
    assert_eq!(across(&map, OCTILE), Status::Found);
}

/// A method with an index serves the walker that it was built for, and an edited map once it is
/// repaired.
#[test]
fn unprepared_or_edited() {
    let grid = Grid::open(80, 80).unwrap();
    let (bare, mut built) = (IndexedMap::new(grid.clone()), indexed(&grid, OCTILE));
    let (mut planner, mut path) = (Planner::new(), Path::new());
    let unprepared = Status::Unsupported(Feature::Preparation);
    for method in [Method::Portal, Method::Mosaic, Method::Trunk] {
        let mut ask = |map: &IndexedMap, rules| {
            let query = far((1, 1), (70, 70)).with_rules(rules);
            planner.ask(method, map, &query, &mut path).status
        };
        assert_eq!(ask(&bare, OCTILE), unprepared, "{method}");
        assert_eq!(ask(&built, OCTILE), Status::Found, "{method}");
        assert_eq!(ask(&built, large()), unprepared, "{method}");
        built.set_walkable(Cell::new(30, 30), false).unwrap();
        assert_eq!(ask(&built, OCTILE), unprepared, "{method}");
        built.repair();
        assert_eq!(ask(&built, OCTILE), Status::Found, "{method}");
        built.set_walkable(Cell::new(30, 30), true).unwrap();
        built.repair();
    }
}
