//! Chases over floors and links.

use bevy_ecs::prelude::*;
use nav::{CellPosition, ChaseState, Chaser, NavMap, OnMap, WorldPosition};
use nav_grid::{Cell, Grid, Link, Size};
use nav_tests::TestWorld;

/// Makes two floors of 12×8 cells, with stairs up and down at the right.
fn house() -> (TestWorld, Link) {
    let mut grid = Grid::build(Size::new(12, 8).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(10, 4), Cell::new(10, 3).on_floor(1));
    grid.set_link(stairs).unwrap();
    grid.set_link(stairs.reversed()).unwrap();
    (TestWorld::on(grid), stairs)
}

#[test]
fn stairs_are_one_waypoint() {
    let (mut world, stairs) = house();
    let target = world.target(Cell::new(8, 3).on_floor(1));
    let chaser = world.chaser((8, 4), target);
    world.tick(1);
    let path: Vec<Cell> = world.cursor(chaser).path().iter().collect();
    let foot = path.iter().position(|&cell| cell == stairs.from).unwrap();
    assert_eq!(path[foot + 1], stairs.to);
}

/// Sets up a target at the end of a link across a wall, and chasers before the link. Returns the
/// link's first cell.
fn across_a_link(chaser: Chaser, count: u16) -> (TestWorld, Cell, Entity, Vec<Entity>) {
    let mut grid = Grid::from_fn(24, 8, |cell| cell.x != 12).unwrap();
    let (from, to) = (Cell::new(3, 3), Cell::new(18, 3));
    grid.set_link(Link::new(from, to)).unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target(to);
    let chasers = (0..count)
        .map(|n| world.chaser_with(chaser, (8, n % 8), target))
        .collect();
    (world, from, target, chasers)
}

/// The link leads onto its target, so a chaser cannot take it until the target moves. It waits on
/// the nearest cell to the target that it can reach. That is a cell at the wall, seven steps away
/// in a straight line, and not the link's first cell, fifteen steps away.
#[test]
fn link_onto_target() {
    for count in [1, 3, 12] {
        let (mut world, _, target, chasers) = across_a_link(Chaser::default(), count);
        world.seconds(10);
        for &chaser in &chasers {
            // Several cells at the wall have equally few steps left; this is the nearest of them in
            // a straight line.
            assert_eq!(world.cell(chaser), Cell::new(11, 3), "{count}");
            assert!(world.arrivals(chaser).is_empty());
        }
        world.put(target, (18, 5));
        world.seconds(10);
        for chaser in chasers {
            assert!(world.is_beside(chaser, target), "{count}");
            assert_eq!(world.arrivals(chaser).len(), 1);
        }
    }
}

#[test]
fn reach_through_links() {
    let archer = Chaser {
        reach_through_links: true,
        ..Chaser::default()
    };
    for count in [1, 3, 12] {
        let (mut world, from, _, chasers) = across_a_link(archer, count);
        world.seconds(10);
        for chaser in chasers {
            let state = world.cursor(chaser).state();
            assert_eq!((world.cell(chaser), state), (from, ChaseState::Reached));
            assert_eq!(world.arrivals(chaser).len(), 1);
        }
    }
}

#[test]
fn world_positions_keep_their_floor() {
    let (mut world, _) = house();
    let target = world.target(Cell::new(2, 2).on_floor(1));
    let chaser = world.chaser(Cell::new(6, 2).on_floor(1), target);
    world.put_at(target, 3.0, 4.0);
    world.tick(1);
    assert_eq!(world.cell(target), Cell::new(3, 4).on_floor(1));
    world
        .world()
        .entity_mut(chaser)
        .insert(WorldPosition::default());
    world.seconds(4);
    assert_eq!(world.cell(chaser).floor, 1);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn stairs_of_several_maps() {
    let (mut world, _) = house();
    let bare = Grid::build(Size::new(12, 8).with_floors(2), |_| true).unwrap();
    let other = world.world().spawn(NavMap::new(bare)).id();
    let upstairs = Cell::new(5, 5).on_floor(1);
    let here = world.target(upstairs);
    let there = world.target(upstairs);
    world.world().entity_mut(there).insert(OnMap(other));
    let one = world.chaser((1, 1), here);
    let two = world.chaser((1, 1), there);
    world.world().entity_mut(two).insert(OnMap(other));
    world.seconds(8);
    assert!(world.is_beside(one, here));
    assert_eq!(world.get::<CellPosition>(two).cell.floor, 0);
}
