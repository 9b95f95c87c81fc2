//! Agents and maps that come, go, or lack parts.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use bevy_time::TimeUpdateStrategy;
use nav::{Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, NavMap, OnMap, PathFailure};
use nav_grid::{
    Cell, Footprint, Metric, Rules, Status,
    query::{Fallback, Fault, QueryEnd},
};
use nav_tests::TestWorld;
use std::time::Duration;

/// Sets up a chase under way, with steps taken and more to come.
fn under_way() -> (TestWorld, Entity, Entity) {
    let mut world = TestWorld::open(30, 5);
    let target = world.target((18, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Following);
    (world, chaser, target)
}

fn assert_stands(world: &mut TestWorld, chaser: Entity) {
    let at = world.cell(chaser);
    let searches = world.diagnostics().total.searches();
    world.seconds(3);
    assert_eq!(world.cell(chaser), at);
    assert_eq!(world.diagnostics().total.searches(), searches);
    assert!(world.cursor(chaser).path().is_empty());
    assert_eq!(world.cursor(chaser).searched_for(), None);
}

/// Runs some seconds in which the chaser must fail for one reason throughout, and report it once.
fn assert_fails(world: &mut TestWorld, chaser: Entity, reason: PathFailure) {
    let at = world.cell(chaser);
    world.seconds(5);
    assert_eq!(world.failures(chaser), [reason]);
    assert_eq!(world.searches(chaser), [1]);
    assert_eq!(world.cell(chaser), at);
    assert!(world.arrivals(chaser).is_empty());
}

fn status(failure: Option<&PathFailure>) -> Option<Status> {
    failure.and_then(PathFailure::status)
}

#[test]
fn chase_called_off() {
    let (mut world, chaser, target) = under_way();
    world.world().entity_mut(chaser).remove::<Chasing>();
    assert!(!world.world().entity(target).contains::<ChasedBy>());
    assert_stands(&mut world, chaser);
}

#[test]
fn chase_called_off_early() {
    let (mut world, chaser, _) = under_way();
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(1));
    let tick = world
        .app
        .world_mut()
        .remove_resource::<TimeUpdateStrategy>();
    world.world().insert_resource(frame);
    world.world().entity_mut(chaser).remove::<Chasing>();
    for _ in 0..10 {
        world.app.update();
    }
    world.world().insert_resource(tick.unwrap());
    world.tick(1);
    assert_stands(&mut world, chaser);
}

/// A change of a chaser and its target, in this order.
type Change = fn(&mut TestWorld, Entity, Entity);

#[test]
fn chases_without_a_common_map() {
    let cases: [(Change, PathFailure); 5] = [
        (
            |world, chaser, _| _ = world.world().entity_mut(chaser).remove::<OnMap>(),
            PathFailure::ChaserNotOnMap,
        ),
        (
            |world, chaser, target| world.insert(chaser, OnMap(target)),
            PathFailure::ChaserNotOnMap,
        ),
        (
            |world, _, target| _ = world.world().entity_mut(target).remove::<OnMap>(),
            PathFailure::TargetNotOnMap,
        ),
        (
            |world, _, target| _ = world.world().entity_mut(target).remove::<CellPosition>(),
            PathFailure::TargetNotOnMap,
        ),
        (
            |world, _, target| {
                let elsewhere = world.add_map(&["...................."; 5]);
                world.insert(target, OnMap(elsewhere));
            },
            PathFailure::MapsDiffer,
        ),
    ];
    for (change, reason) in cases {
        let mut world = TestWorld::open(20, 5);
        let target = world.target((10, 2));
        let chaser = world.chaser((2, 2), target);
        change(&mut world, chaser, target);
        assert_fails(&mut world, chaser, reason);
        let map = OnMap(world.map);
        world.insert(chaser, map);
        world.insert(target, (map, CellPosition::new(10, 2)));
        world.seconds(4);
        assert!(world.is_beside(chaser, target), "after {reason}");
    }
}

#[test]
fn target_in_a_wall() {
    let mut world = TestWorld::new(&["..........#....."; 5]);
    let target = world.target((10, 2));
    let waits = Chaser {
        fallback: Fallback::None,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(waits, (2, 2), target);
    world.seconds(2);
    let expected = Some(Status::Invalid(QueryEnd::Goal, Fault::Blocked));
    assert_eq!(status(world.failures(chaser).last()), expected);
    // A move into the next cell of the wall is not news.
    world.put(target, (10, 3));
    world.seconds(2);
    assert_eq!(world.failures(chaser).len(), 1);
    assert_eq!(world.diagnostics().total.invalid, 1);
    world.put(target, (8, 2));
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn target_off_the_map() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    for (column, row) in [(-3.0, 2.0), (25.0, 2.0), (1e12, -1e12), (f64::NAN, 9.0)] {
        world.put_at(target, column, row);
        world.chase(chaser, target);
        world.tick(1);
        let expected = Some(Status::Invalid(QueryEnd::Goal, Fault::OutsideMap));
        assert_eq!(status(world.failures(chaser).last()), expected);
    }
    assert_eq!(world.cell(chaser), Cell::new(2, 2));
    world.put_at(target, 10.0, 2.0);
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn chaser_off_the_map() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((10, 2));
    let chaser = world.chaser((90, 90), target);
    world.seconds(1);
    let expected = Some(Status::Invalid(QueryEnd::Start, Fault::OutsideMap));
    assert_eq!(status(world.failures(chaser).last()), expected);
    world.put(chaser, (2, 2));
    world.seconds(4);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn chasing_oneself_leads_nowhere() {
    let mut world = TestWorld::open(9, 9);
    let target = world.target((2, 2));
    let chaser = world.chaser((4, 4), target);
    // The engine refuses the relation and reports it.
    world.chase(chaser, chaser);
    world.seconds(1);
    assert_eq!(world.cell(chaser), Cell::new(4, 4));
    assert!(!world.world().entity(chaser).contains::<Chasing>());
}

#[test]
fn several_maps_do_not_mix() {
    let mut world = TestWorld::new(&["............"; 5]);
    let walls = world.add_map(&[
        "............",
        ".##########.",
        ".#..........",
        ".##########.",
        "............",
    ]);
    let narrow = world.add_map(&["............"; 1]);
    let mut pairs = Vec::new();
    for (map, row) in [(world.map, 2), (walls, 2), (narrow, 0)] {
        let target = world.target((10, row));
        let chaser = world.chaser((0, row), target);
        for agent in [target, chaser] {
            world.world().entity_mut(agent).insert(OnMap(map));
        }
        pairs.push((chaser, target));
    }
    world.seconds(8);
    for &(chaser, target) in &pairs {
        assert!(world.is_beside(chaser, target));
        assert_eq!(world.arrivals(chaser).len(), 1);
    }
    // An edit of one map, and the end of another.
    world.edit((9, 2), false);
    world.world().despawn(walls);
    world.seconds(1);
    assert_eq!(world.failures(pairs[2].0), []);
    assert_eq!(world.get::<NavMap>(narrow).grid().walkable_count(), 12);
}

#[test]
fn reached_target_despawned() {
    let mut world = TestWorld::open(20, 5);
    let target = world.target((4, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(2);
    world.world().despawn(target);
    world.seconds(2);
    let arrivals = world.reached.iter();
    let all: Vec<_> = arrivals.map(|(_, of)| (of.chaser, of.target)).collect();
    assert_eq!(all, [(chaser, target)]);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Idle);
}

#[test]
fn map_arrives_after_its_agents() {
    let mut world = TestWorld::open(1, 1);
    let map = world.world().spawn_empty().id();
    let target = world.target((0, 0));
    let chaser = world.chaser((2, 2), target);
    world.put_at(target, 10.0, 2.0);
    for agent in [target, chaser] {
        world.world().entity_mut(agent).insert(OnMap(map));
    }
    world.seconds(2);
    let map_component = NavMap::new(nav_tests::draw(&["..............."; 5]));
    world.world().entity_mut(map).insert(map_component);
    world.seconds(4);
    assert_eq!(world.cell(target), Cell::new(10, 2));
    assert!(world.is_beside(chaser, target));
}

/// Sets up a corridor with a chaser, its target at the other end, and a solid body between them.
fn blocked() -> (TestWorld, Entity, Entity) {
    let mut world = TestWorld::open(12, 1);
    let target = world.target((10, 0));
    let chaser = world.chaser((1, 0), target);
    world.world().entity_mut(chaser).insert(Body::default());
    let place = (CellPosition::new(5, 0), OnMap(world.map));
    let blocker = world.world().spawn((place, Body::default())).id();
    world.seconds(8);
    assert_eq!(world.cell(chaser), Cell::new(4, 0));
    (world, chaser, blocker)
}

#[test]
fn bodies_off_the_map() {
    let leave: [fn(&mut EntityWorldMut); 4] = [
        |agent| _ = agent.remove::<OnMap>(),
        |agent| _ = agent.remove::<CellPosition>(),
        |agent| _ = agent.remove::<Body>(),
        |agent| _ = agent.insert(Disabled),
    ];
    for leave in leave {
        let (mut world, chaser, blocker) = blocked();
        leave(&mut world.world().entity_mut(blocker));
        world.seconds(6);
        assert_eq!(world.cell(chaser), Cell::new(9, 0));
    }
}

#[test]
fn reenabled_body_blocks() {
    let (mut world, chaser, blocker) = blocked();
    world.world().entity_mut(blocker).insert(Disabled);
    world.tick(5);
    world
        .world()
        .entity_mut(blocker)
        .insert(CellPosition::new(8, 0));
    world.tick(5);
    world.world().entity_mut(blocker).remove::<Disabled>();
    world.seconds(6);
    assert_eq!(world.cell(chaser), Cell::new(7, 0));
}

#[test]
fn tuned_while_disabled() {
    let mut world = TestWorld::open(30, 30);
    let target = world.target((28, 28));
    let chaser = world.chaser((1, 1), target);
    world.seconds(1);
    world.world().entity_mut(chaser).insert(Disabled);
    world.seconds(1);
    let rules = Rules::new(Metric::FourWay, Rules::default().corners);
    let tuned = rules.with_footprint(Footprint::new(2).unwrap());
    world.world().get_mut::<Chaser>(chaser).unwrap().rules = tuned;
    world.seconds(1);
    world.world().entity_mut(chaser).remove::<Disabled>();
    // The harness judges every step by the new rules.
    world.seconds(20);
    assert!(world.cell(chaser).chebyshev(Cell::new(28, 28)) <= 2);
}
