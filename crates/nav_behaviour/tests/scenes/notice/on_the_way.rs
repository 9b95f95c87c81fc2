//! NPCs that notice a target while they walk.

use super::scene::{chased, guard, player};
use crate::scene::{activity, open_with_behaviours, walk_ends};
use nav::{CellPosition, Destination, GoTo, OnMap};
use nav_behaviour::{Activity, Notice, Patrol, PatrolOrder};
use nav_grid::Cell;

#[test]
fn patrol_interrupted_and_resumed() {
    let mut world = open_with_behaviours(40, 20);
    let one = player(&mut world, (12, 12));
    let npc = guard(&mut world, (2, 4), Notice::new(8));
    let stops = [Cell::new(30, 4), Cell::new(2, 4)];
    let patrol = Patrol::new(PatrolOrder::Loop, stops);
    world.world().entity_mut(npc).insert(patrol);
    world.tick_until(|world| chased(world, npc) == Some(one));
    assert!(world.cell(npc).x >= 4, "out of range still");
    world.seconds(3);
    assert_eq!(activity(&world, npc), Activity::InReach);
    world.world().entity_mut(one).despawn();
    world.tick_until(|world| world.cell(npc) == Cell::new(30, 4));
}

#[test]
fn notices_on_way_to_rally() {
    let mut world = open_with_behaviours(40, 9);
    let rally = (Destination, CellPosition::new(35, 4), OnMap(world.map));
    let rally = world.world().spawn(rally).id();
    let one = player(&mut world, (20, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(5));
    world.chase(npc, rally);
    world.tick(2);
    assert_eq!(chased(&world, npc), Some(rally));
    world.tick_until(|world| chased(world, npc) == Some(one));
}

#[test]
fn walk_ends_in_chase() {
    let mut world = open_with_behaviours(40, 9);
    let one = player(&mut world, (20, 4));
    let npc = guard(&mut world, (4, 4), Notice::new(5));
    world.world().entity_mut(npc).insert(GoTo(Cell::new(35, 4)));
    world.tick_until(|world| chased(world, npc) == Some(one));
    world.tick(1);
    assert_eq!(walk_ends(&mut world), 0);
}
