//! How bodies stand in the way of others.

use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, OnMap};
use nav_grid::{Cell, Rules, rules::BodyPolicy};
use nav_tests::TestWorld;

fn with_policy(bodies: BodyPolicy) -> Chaser {
    Chaser {
        rules: Rules::default().with_bodies(bodies),
        ..Chaser::default()
    }
}

/// Spawns a column of standing bodies at x = 6, from row 0 to 7 of 9, and a target behind it.
fn line_of_guards() -> (TestWorld, Entity, Vec<Entity>) {
    let mut world = TestWorld::open(14, 9);
    let map = world.map;
    let guard = |y| (CellPosition::new(6, y), OnMap(map), Body::default());
    let guards = (0..8).map(|y| world.world().spawn(guard(y)).id()).collect();
    let target = world.target((11, 4));
    (world, target, guards)
}

fn crosses_row(world: &TestWorld, chaser: Entity) -> u16 {
    let mut path = world.cursor(chaser).path().iter();
    path.find(|cell| cell.x == 6).expect("a way across").y
}

#[test]
fn avoiders_walk_around() {
    let (mut world, target, _) = line_of_guards();
    let chaser = world.chaser_with(with_policy(BodyPolicy::AvoidAll), (2, 4), target);
    world.tick(1);
    assert_eq!(crosses_row(&world, chaser), 8);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn far_bodies_are_ignored() {
    let (mut world, target, _) = line_of_guards();
    let near = world.chaser_with(with_policy(BodyPolicy::AvoidNear(4)), (2, 4), target);
    let far = world.chaser_with(with_policy(BodyPolicy::AvoidNear(3)), (2, 4), target);
    world.tick(1);
    assert_eq!(
        (crosses_row(&world, near), crosses_row(&world, far)),
        (8, 4)
    );
}

#[test]
fn moved_bodies_block() {
    let (mut world, target, guards) = line_of_guards();
    world.tick(1);
    world.put(guards[4], (0, 0));
    world.world().despawn(guards[5]);
    let chaser = world.chaser_with(with_policy(BodyPolicy::AvoidAll), (2, 5), target);
    world.tick(1);
    // Straight on, across the cell of the body that is gone.
    assert_eq!(crosses_row(&world, chaser), 5);
}

#[test]
fn two_bodies_in_one_cell() {
    let mut world = TestWorld::new(&[".....", "##.##", "....."]);
    let map = world.map;
    let guard = (CellPosition::new(2, 1), OnMap(map), Body::default());
    let [leaver, _] = [(); 2].map(|()| world.world().spawn(guard).id());
    let target = world.target((2, 2));
    let chaser = world.chaser_with(with_policy(BodyPolicy::AvoidAll), (0, 0), target);
    world.tick(1);
    world.put(leaver, (4, 0));
    world.seconds(3);
    assert_eq!(world.cell(chaser).y, 0);
}

#[test]
fn other_maps_and_floors_ignored() {
    let (mut world, target, guards) = line_of_guards();
    let other = world.add_map(&["..........", ".........."]);
    for guard in guards {
        world.world().entity_mut(guard).insert(OnMap(other));
    }
    let chaser = world.chaser_with(with_policy(BodyPolicy::AvoidAll), (2, 4), target);
    world.tick(1);
    assert_eq!(crosses_row(&world, chaser), 4);
    assert_eq!(world.cell(target), Cell::new(11, 4));
}
