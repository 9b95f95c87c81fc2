//! Chasers that name the method of their searches, and maps prepared for it.

use bevy_ecs::prelude::*;
use nav::{Chaser, NavMap, PathFailure};
use nav_grid::{
    Cell, Grid, Limits, Method, Path, PathQuery, Planner, Rules, Status,
    query::{Fallback, Feature},
};
use nav_tests::TestWorld;

/// Two rooms with two doors, at rows 2 and 8 of column 5.
const ROOMS: [&str; 9] = [
    ".....#.....",
    ".....#.....",
    "...........",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    ".....#.....",
    "...........",
];
const NEAR_DOOR: Cell = Cell::new(5, 2);
const FAR_DOOR: Cell = Cell::new(5, 8);

/// Those that look at what was prepared of the map.
const BY_CHART: [Method; 5] = [
    Method::Auto,
    Method::Jps,
    Method::Portal,
    Method::Mosaic,
    Method::Trunk,
];

fn by(method: Method) -> Chaser {
    Chaser {
        limits: Limits::window(20),
        fallback: Fallback::None,
        method,
        ..Chaser::default()
    }
}

/// Builds what a method needs, or is faster with; all ground is road.
fn build(map: &mut NavMap, method: Method, rules: Rules) {
    if method == Method::Auto {
        map.build_regions(rules);
    }
    nav_tests::scenes::prepare(map, method, rules);
}

/// Has the map prepare for a method, with all of its ground for roads.
fn prepare(world: &mut TestWorld, method: Method) {
    let map = world.map;
    let mut map = world.get_mut::<NavMap>(map);
    let rules = Rules::default();
    build(&mut map, method, rules);
}

/// A chaser in the left room after a target in the right one, on a map that is prepared.
fn rooms(method: Method) -> (TestWorld, Entity, Entity) {
    let mut world = TestWorld::new(&ROOMS);
    prepare(&mut world, method);
    let target = world.target((10, 2));
    let chaser = world.chaser_with(by(method), (0, 2), target);
    (world, chaser, target)
}

fn crosses(world: &TestWorld, chaser: Entity, cell: Cell) -> bool {
    world.cursor(chaser).path().iter().any(|at| at == cell)
}

#[test]
fn each_chaser_is_answered_by_the_method_it_names() {
    let mut world = TestWorld::new(&ROOMS);
    let mut chasers = Vec::new();
    for method in Method::ALL {
        prepare(&mut world, method);
        // One each: those of one target would share a field where they may.
        let target = world.target((10, 4));
        chasers.push((method, world.chaser_with(by(method), (0, 2), target)));
    }
    world.tick(1);
    let map = world.get::<NavMap>(world.map);
    let terrain = map.indexed();
    let query = PathQuery::new(Cell::new(0, 2), Cell::new(10, 4)).with_limits(Limits::window(20));
    for (method, chaser) in chasers {
        let mut path = Path::new();
        let expected = Planner::new().ask(method, terrain, &query, &mut path);
        assert_eq!(expected.status.has_path(), method != Method::Line);
        let found = world.found.iter().find(|(_, m)| m.chaser == chaser);
        let found = found.map(|(_, m)| m.outcome);
        assert_eq!(found, expected.status.has_path().then_some(expected));
        // It may have taken its first step in the same tick.
        let expected: Vec<Cell> = path.iter().collect();
        let ahead: Vec<Cell> = world.cursor(chaser).path().iter().collect();
        assert!(expected.ends_with(&ahead), "{method}");
        assert!(expected.len() - ahead.len() <= 1, "{method}");
    }
}

#[test]
fn the_classic_chaser_stays_with_bounded_a_star() {
    let mut world = TestWorld::new(&ROOMS);
    prepare(&mut world, Method::Auto);
    let target = world.target((10, 2));
    world.chaser_with(Chaser::classic(), (0, 2), target);
    world.tick(1);
    assert_eq!(world.found[0].1.outcome.method, Method::AStar);
}

#[test]
fn a_door_that_closes_is_seen_in_the_same_tick() {
    for method in BY_CHART {
        let (mut world, chaser, target) = rooms(method);
        world.tick(1);
        assert!(crosses(&world, chaser, NEAR_DOOR), "{method}");
        world.edit(NEAR_DOOR, false);
        world.tick(1);
        assert_eq!(world.searches(chaser), [1, 2], "{method}");
        assert!(crosses(&world, chaser, FAR_DOOR), "{method}");
        world.seconds(10);
        assert!(world.is_beside(chaser, target), "{method}");
        assert_eq!(world.failures(chaser), [], "{method}");
    }
}

#[test]
fn a_door_that_opens_is_seen() {
    for method in BY_CHART {
        let (mut world, chaser, target) = rooms(method);
        world.edit(NEAR_DOOR, false);
        world.edit(FAR_DOOR, false);
        world.seconds(2);
        let failures = world.failures(chaser);
        assert_eq!(
            failures[0].status(),
            Some(Status::Unreachable),
            "{method}: {failures:?}"
        );
        assert_eq!(world.found.len(), 0, "{method}");
        world.edit(NEAR_DOOR, true);
        world.seconds(10);
        assert!(world.is_beside(chaser, target), "{method}");
    }
}

#[test]
fn regions_that_follow_the_doors_spare_the_search() {
    let (mut world, chaser, _) = rooms(Method::Auto);
    world.edit(NEAR_DOOR, false);
    world.edit(FAR_DOOR, false);
    world.tick(1);
    let failures = world.failures(chaser);
    let PathFailure::Search(outcome) = failures[0] else {
        panic!("{failures:?}");
    };
    assert_eq!((failures.len(), outcome.counters.work()), (1, 0));
}

#[test]
fn nothing_is_prepared_that_nobody_asked_for() {
    let built = |method| {
        let mut map = NavMap::new(Grid::open(70, 70).unwrap());
        build(&mut map, method, Rules::default());
        (
            map.regions_for(Rules::default()).is_some(),
            map.portals_for(Rules::default()).is_some(),
            map.mosaic().is_some(),
            map.roads().is_some(),
        )
    };
    for method in Method::ALL {
        let expected = (
            method == Method::Auto,
            method == Method::Portal,
            method == Method::Mosaic,
            method == Method::Trunk,
        );
        assert_eq!(built(method), expected, "{method}");
    }
}

#[test]
fn a_method_that_cannot_serve_says_why() {
    for (method, feature, words) in [
        (
            Method::Portal,
            Feature::Preparation,
            "the method portal cannot serve a map that is not prepared for it, or was edited since",
        ),
        (
            Method::Jps,
            Feature::Costs,
            "the method jps cannot serve step costs",
        ),
    ] {
        let mut world = TestWorld::new(&ROOMS);
        if method == Method::Jps {
            let map = world.map;
            let mut map = world.get_mut::<NavMap>(map);
            map.set_cost(Cell::new(7, 7), 3).unwrap();
        }
        let target = world.target((10, 2));
        let chaser = world.chaser_with(by(method), (0, 2), target);
        world.seconds(5);
        let failures = world.failures(chaser);
        assert_eq!(failures[0].status(), Some(Status::Unsupported(feature)));
        assert_eq!(failures[0].to_string(), words);
        assert_eq!(failures.len(), 1, "nothing changed");
        // After a target that moves it asks again after every interval, without growing waits.
        for tick in 0..80 {
            world.put(target, (7 + tick % 3, 2));
            world.tick(1);
        }
        assert_eq!(world.failures(chaser).len(), 9);
        let total = world.diagnostics().total;
        assert_eq!((total.unsupported, total.searches()), (9, 9));
    }
}

#[test]
fn a_wall_falls_on_a_chaser_of_any_method() {
    for method in Method::ALL {
        let mut world = TestWorld::open(20, 5);
        prepare(&mut world, method);
        let target = world.target((15, 2));
        let chaser = world.chaser_with(by(method), (2, 2), target);
        world.seconds(1);
        let at = world.cell(chaser);
        world.edit(at, false);
        world.seconds(5);
        assert!(world.is_beside(chaser, target), "{method}");
    }
}

#[test]
fn a_map_prepared_for_other_rules_serves_them_once_asked() {
    let (mut world, ..) = rooms(Method::Portal);
    let four_way = Rules {
        metric: nav_grid::Metric::FourWay,
        ..Rules::default()
    };
    let target = world.target((10, 8));
    let chaser = Chaser {
        rules: four_way,
        ..by(Method::Portal)
    };
    let chaser = world.chaser_with(chaser, (0, 8), target);
    world.tick(1);
    assert_eq!(world.failures(chaser).len(), 1);
    world.seconds(5);
    assert_eq!(world.failures(chaser).len(), 1, "nothing changed");
    let map = world.map;
    world.get_mut::<NavMap>(map).build_portals(four_way);
    world.seconds(1);
    assert!(crosses(&world, chaser, FAR_DOOR));
}

#[test]
fn saves_without_a_method_load_as_auto() {
    let old = r#"{"stop_distance":3}"#;
    let chaser: Chaser = serde_json::from_str(old).unwrap();
    assert_eq!(chaser.method, Method::Auto);
    let named: Chaser = serde_json::from_str(r#"{"method":"jps"}"#).unwrap();
    assert_eq!(named.method, Method::Jps);
    let unknown = serde_json::from_str::<Chaser>(r#"{"method":"warp"}"#);
    assert!(unknown.unwrap_err().to_string().contains("`auto`, `line`"));
}
