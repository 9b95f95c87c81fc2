//! Floors told apart by their heights in the world.

use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, NavMap, OnMap, WorldPosition};
use nav_grid::{
    Cell, Frame, Grid, Limits, Link, Size,
    map::{Axes, FloorHeights},
};
use nav_tests::TestWorld;

/// Makes three floors of 12×8 cells, 3.2 units a storey from 10 on, with stairs from each to the
/// next.
fn tower() -> TestWorld {
    let mut grid = Grid::build(Size::new(12, 8).with_floors(3), |_| true).unwrap();
    for floor in 0..2 {
        let foot = Cell::new(10, 4).on_floor(floor);
        let stairs = Link::new(foot, Cell::new(10, 3).on_floor(floor + 1));
        grid.set_link(stairs).unwrap();
        grid.set_link(stairs.reversed()).unwrap();
    }
    let frame = Frame::new([0.0, 10.0, 0.0], 1.0, Axes::Y_UP).unwrap();
    let frame = frame.with_heights(FloorHeights::Storeys(3.2)).unwrap();
    let mut world = TestWorld::open(1, 1);
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    world
}

/// Spawns a player that the game moves in world coordinates.
fn player(world: &mut TestWorld, at: [f64; 3]) -> Entity {
    let on_map = OnMap(world.map);
    world.world().spawn((WorldPosition(at), on_map)).id()
}

fn move_to(world: &mut TestWorld, player: Entity, at: [f64; 3]) -> Cell {
    *world.get_mut::<WorldPosition>(player) = WorldPosition(at);
    world.tick(1);
    world.cell(player)
}

#[test]
fn player_climbs_stairs() {
    let mut world = tower();
    let player = player(&mut world, [3.0, 13.2, -4.0]);
    let chaser = world.chaser((6, 2), player);
    world.tick(1);
    assert_eq!(world.cell(player), Cell::new(3, 4).on_floor(1));
    world.seconds(8);
    assert!(world.is_beside(chaser, player), "up the stairs after it");
    // Halfway up the next stairs, at the top, in a jump there, and down again.
    let mut at = |height| move_to(&mut world, player, [8.0, height, -2.0]);
    assert_eq!(at(15.0), Cell::new(8, 2).on_floor(1));
    assert_eq!(at(16.4), Cell::new(8, 2).on_floor(2));
    assert_eq!(at(18.0), Cell::new(8, 2).on_floor(2));
    assert_eq!(at(10.0), Cell::new(8, 2));
}

#[test]
fn above_roof_and_below_ground() {
    let mut world = tower();
    let player = player(&mut world, [3.0, 500.0, -4.0]);
    world.tick(1);
    assert_eq!(world.cell(player), Cell::new(3, 4).on_floor(2));
    let lowest = move_to(&mut world, player, [3.0, -500.0, -4.0]);
    assert_eq!(lowest, Cell::new(3, 4));
}

#[test]
fn world_position_overrides_floor() {
    let mut world = tower();
    let player = player(&mut world, [3.0, 13.2, -4.0]);
    world.tick(1);
    world.put(player, Cell::new(5, 5).on_floor(2));
    world.tick(1);
    assert_eq!(
        world.cell(player),
        Cell::new(5, 5).on_floor(2),
        "a teleport"
    );
    let floor = move_to(&mut world, player, [3.0, 13.2, -3.0]).floor;
    assert_eq!(floor, 1);
}

#[test]
fn chasers_at_floor_height() {
    let mut world = tower();
    let target = world.target(Cell::new(2, 2).on_floor(2));
    // A search over two storeys expands more than the default limit.
    let limits = Limits {
        expansions: 1000,
        ..Limits::default()
    };
    let tuning = Chaser {
        limits,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(tuning, (8, 4), target);
    let place = WorldPosition::default();
    world.world().entity_mut(chaser).insert(place);
    let mut heights = Vec::new();
    let mut before = world.cell(chaser);
    for _ in 0..200 {
        world.tick(1);
        let cell = world.cell(chaser);
        if cell == before {
            continue;
        }
        before = cell;
        let at = world.get::<WorldPosition>(chaser).0;
        let frame = world.get::<NavMap>(world.map).frame();
        assert_eq!(WorldPosition(at), WorldPosition(frame.world_of(cell)));
        assert_eq!(
            CellPosition::from_world(frame, WorldPosition(at)).cell,
            cell
        );
        heights.push(at[1]);
    }
    assert!(world.is_beside(chaser, target));
    heights.dedup();
    assert_eq!(heights, [10.0, 13.2, 16.4]);
}
