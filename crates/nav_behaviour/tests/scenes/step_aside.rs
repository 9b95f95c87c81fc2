//! Idle bodies that make way for others.

use super::scene::{TestWorld, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, Chaser, Chasing, GoTo, OnMap};
use nav_behaviour::{Home, StepAside};
use nav_grid::{Cell, Footprint};

/// Spawns a solid body that chases nothing and makes way.
fn bystander(world: &mut TestWorld, at: (u16, u16)) -> Entity {
    let chaser = (Chaser::default(), OnMap(world.map));
    let body = (Body::default(), StepAside::default());
    let at = CellPosition::new(at.0, at.1);
    world.world().spawn((chaser, body, at)).id()
}

/// Spawns a solid chaser.
fn walker(world: &mut TestWorld, at: (u16, u16), target: Entity) -> Entity {
    let walker = world.chaser(at, target);
    world.insert(walker, Body::default());
    walker
}

/// Makes two rooms with a gate between them, a bystander in it, and a chaser behind.
fn gate() -> (TestWorld, Entity, Entity) {
    gate_in(&[
        "###################",
        "#........#........#",
        "#.................#",
        "#........#........#",
        "###################",
    ])
}

/// The same in a drawing with a gate at 9,2.
fn gate_in(rows: &[&str]) -> (TestWorld, Entity, Entity) {
    let mut world = with_behaviours(rows);
    let idle = bystander(&mut world, (9, 2));
    let target = world.target((16, 2));
    let walker = walker(&mut world, (2, 2), target);
    (world, idle, walker)
}

#[test]
fn out_of_a_gate_and_back() {
    let (mut world, idle, walker) = gate();
    let post = world.cell(idle);
    world.seconds(10);
    assert_eq!(world.cell(walker).x, 15);
    world.seconds(5);
    assert_eq!(world.cell(idle), post);
}

#[test]
fn without_it_nobody_passes() {
    let (mut world, idle, walker) = gate();
    world.world().entity_mut(idle).remove::<StepAside>();
    world.seconds(30);
    assert_eq!(world.cell(walker), Cell::new(8, 2));
}

#[test]
fn for_walkers_to_a_place() {
    let (mut world, _, walker) = gate();
    world.stop(walker);
    world.insert(walker, GoTo(Cell::new(12, 2)));
    world.seconds(10);
    assert_eq!(world.cell(walker), Cell::new(12, 2));
}

#[test]
fn row_in_a_corridor() {
    let mut world = with_behaviours(&[
        "##################",
        "############.....#",
        "#................#",
        "############.....#",
        "##################",
    ]);
    let idle = [7, 8, 9].map(|x| bystander(&mut world, (x, 2)));
    let target = world.target((15, 2));
    let walker = walker(&mut world, (1, 2), target);
    let posts = idle.map(|one| world.cell(one));
    world.tick_at_most(1200, |world| world.is_within_reach(walker, target));
    world.seconds(30);
    // The first that is asked need not stand first afterwards.
    let mut back = idle.map(|one| world.cell(one));
    back.sort_unstable();
    assert_eq!(back, posts);
}

#[test]
fn large_body() {
    let (mut world, idle, walker) = gate_in(&[
        "###################",
        "#........#........#",
        "#.................#",
        "#.................#",
        "#........#........#",
        "###################",
    ]);
    let target = world.get::<Chasing>(walker).0;
    let large = Footprint::new(2).unwrap();
    world.insert(walker, Body::solid(large));
    world.tune(walker, |chaser| chaser.rules.footprint = large);
    world.tick_at_most(300, |world| world.is_within_reach(walker, target));
    world.seconds(8);
    assert_eq!(world.cell(idle), Cell::new(9, 2));
}

#[test]
fn no_place_to_go() {
    let mut world = with_behaviours(&["#########", "#.......#", "#########"]);
    let idle = bystander(&mut world, (4, 1));
    let target = world.target((7, 1));
    let walker = walker(&mut world, (1, 1), target);
    world.seconds(20);
    assert_eq!([walker, idle].map(|one| world.cell(one).x), [3, 4]);
    assert!(!world.get::<StepAside>(idle).is_aside());
}

#[test]
fn other_errands_come_first() {
    for chases in [false, true] {
        let (mut world, idle, walker) = gate();
        world.tick_until(|world| world.get::<StepAside>(idle).is_aside());
        let place = Cell::new(3, 3);
        if chases {
            let other = world.target(place);
            world.insert(idle, Chasing(other));
        } else {
            world.insert(idle, GoTo(place));
        }
        world.seconds(30);
        let apart = world.cell(idle).chebyshev(place);
        assert_eq!(apart, u16::from(chases), "at {}", world.cell(idle));
        assert!(world.cell(walker).x > 9, "at {}", world.cell(walker));
    }
}

#[test]
fn home_waits() {
    let (mut world, idle, walker) = gate();
    world.insert(idle, Home(Cell::new(9, 2)));
    let mut set_off = 0;
    let mut before = false;
    while world.ticks() < 600 {
        world.tick(1);
        let goes = world.world().get::<GoTo>(idle).is_some();
        set_off += u32::from(goes && !before);
        before = goes;
    }
    assert_eq!(set_off, 2, "once aside and once back");
    assert_eq!(world.cell(idle), Cell::new(9, 2));
    assert!(world.cell(walker).x > 9, "at {}", world.cell(walker));
}
