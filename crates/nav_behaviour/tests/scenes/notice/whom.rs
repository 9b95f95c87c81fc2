//! Which targets are noticed, and where.

use super::scene::{chased, guard, player};
use crate::scene::{changes, on_with_behaviours, open_with_behaviours};
use bevy_ecs::prelude::*;
use nav::{Chasing, NavMap, OnMap, WorldPosition};
use nav_behaviour::{Activity, ActivityCause, Notice, Noticeable, Noticed};
use nav_grid::{Cell, Grid, Size};

#[test]
fn message_names_both() {
    let mut world = open_with_behaviours(20, 9);
    let one = player(&mut world, (10, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.tick(1);
    let mut messages = world.world().resource_mut::<Messages<Noticed>>();
    let said: Vec<Noticed> = messages.drain().collect();
    let cause = ActivityCause::Noticed;
    let expected = Noticed {
        agent: npc,
        target: one,
        cause,
    };
    assert_eq!(said, [expected]);
    assert_eq!(changes(&world, npc), [(Activity::Chasing, cause)]);
    world.seconds(3);
    assert!(world.is_beside(npc, one));
    assert!(world.world().resource::<Messages<Noticed>>().is_empty());
}

#[test]
fn nearer_and_hiding_players() {
    let mut world = open_with_behaviours(40, 9);
    let one = player(&mut world, (12, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(8));
    world.tick(2);
    player(&mut world, (6, 4));
    world.world().entity_mut(one).remove::<Noticeable>();
    world.tick(5);
    assert_eq!(chased(&world, npc), Some(one));
    let other = guard(&mut world, (14, 8), Notice::new(4));
    world.tick(5);
    assert_eq!(chased(&world, other), None, "it noticed one that hides");
}

#[test]
fn other_floors_and_maps() {
    let grid = Grid::build(Size::new(20, 9).with_floors(2), |_| true).unwrap();
    let mut world = on_with_behaviours(grid);
    let npc = guard(&mut world, (4, 4), Notice::new(9));
    let upstairs = guard(&mut world, Cell::new(4, 4).on_floor(1), Notice::new(9));
    let other_map = world.add_map(&["....................."; 9]);
    let elsewhere = player(&mut world, (5, 4));
    world.world().entity_mut(elsewhere).insert(OnMap(other_map));
    let one = player(&mut world, Cell::new(8, 4).on_floor(1));
    world.seconds(1);
    assert_eq!(chased(&world, npc), None);
    assert_eq!(chased(&world, upstairs), Some(one));
    let map = world.map;
    world.world().entity_mut(elsewhere).insert(OnMap(map));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(elsewhere));
}

#[test]
fn replaced_and_removed_maps() {
    let mut world = open_with_behaviours(20, 9);
    let npc = guard(&mut world, (4, 4), Notice::new(9));
    let one = player(&mut world, (19, 8));
    world.tick(3);
    let map = world.map;
    let larger = NavMap::new(Grid::open(300, 200).unwrap());
    world.world().entity_mut(map).insert(larger);
    world.put(one, (250, 150));
    world.put(npc, (245, 150));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(one));
    world.world().entity_mut(npc).remove::<Chasing>();
    world.world().entity_mut(map).despawn();
    world.tick(3);
    assert_eq!(chased(&world, npc), None);
}

#[test]
fn noticed_by_world_position() {
    let mut world = open_with_behaviours(60, 60);
    let at_origin = guard(&mut world, (2, 2), Notice::new(6));
    let npc = guard(&mut world, (40, 40), Notice::new(6));
    let place = (WorldPosition([44.0, 0.0, 41.0]), OnMap(world.map));
    let one = world.world().spawn((place, Noticeable::default())).id();
    world.tick(1);
    assert_eq!(chased(&world, at_origin), None, "before it has a cell");
    assert_eq!(chased(&world, npc), Some(one));
}
