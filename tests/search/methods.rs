//! Chasers with an explicit search method, and maps prepared for it.

use bevy_ecs::prelude::*;
use nav::{Chaser, NavMap, PathFailure};
use nav_grid::{
    Cell, Limits, Method, Path, PathQuery, Planner, Rules, Status,
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

/// Methods that use the indexes of the map.
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

/// Builds the indexes that a method needs or profits from; all ground is road.
fn build(map: &mut NavMap, method: Method, rules: Rules) {
    if method == Method::Auto {
        map.build_regions(rules);
    }
    nav_tests::scenes::prepare(map, method, rules);
}

/// Prepares the map for a method, with all of its ground for roads.
fn prepare(world: &mut TestWorld, method: Method) {
    let map = world.map;
    let mut map = world.get_mut::<NavMap>(map);
    let rules = Rules::default();
    build(&mut map, method, rules);
}

/// Sets up a chaser in the left room and its target in the right one, on a prepared map.
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
fn named_method_answers() {
    let mut world = TestWorld::new(&ROOMS);
    let mut chasers = Vec::new();
    for method in Method::ALL {
        prepare(&mut world, method);
        // One target for each chaser: chasers of one target could share a field.
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
fn classic_chaser_uses_astar() {
    let mut world = TestWorld::new(&ROOMS);
    prepare(&mut world, Method::Auto);
    let target = world.target((10, 2));
    world.chaser_with(Chaser::classic(), (0, 2), target);
    world.tick(1);
    assert_eq!(world.found[0].1.outcome.method, Method::AStar);
}

#[test]
fn closed_door_seen_at_once() {
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
fn opened_door_is_seen() {
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
fn regions_follow_doors() {
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
fn unsupported_method_names_feature() {
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
        // With a moving target it asks again after every interval, without growing waits.
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
fn indexes_for_other_rules() {
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
fn saves_without_method() {
    let old = r#"{"stop_distance":3}"#;
    let chaser: Chaser = serde_json::from_str(old).unwrap();
    assert_eq!(chaser.method, Method::Auto);
    let named: Chaser = serde_json::from_str(r#"{"method":"jps"}"#).unwrap();
    assert_eq!(named.method, Method::Jps);
    let unknown = serde_json::from_str::<Chaser>(r#"{"method":"warp"}"#);
    assert!(unknown.unwrap_err().to_string().contains("`auto`, `line`"));
}
