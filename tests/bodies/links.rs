//! Targets behind links and on their ends.

use super::scene::{prepare, tuned, tunings};
use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Guidance};
use nav_grid::{Cell, Direction, Footprint, Grid, Link, Method};
use nav_tests::{TestWorld, pairs, sample};

/// Makes two rooms, to the left and right of column 20.
fn rooms(door: bool) -> Grid {
    Grid::from_fn(41, 21, |cell| cell.x != 20 || (door && cell.y == 10)).unwrap()
}

#[test]
fn one_way_teleporter() {
    let mut grid = Grid::open(100, 20).unwrap();
    let pad = Cell::new(10, 10);
    let there = Cell::new(80, 10);
    grid.set_link(Link::new(pad, there)).unwrap();
    for (count, radius) in [(1, 20), (4, 20), (12, 20), (1, 99), (4, 99), (12, 99)] {
        let mut world = TestWorld::on(grid.clone());
        let target = world.target(there);
        let chaser = nav::Chaser {
            limits: nav_grid::Limits::window(radius),
            ..nav::Chaser::default()
        };
        let pack: Vec<Entity> = (0..count)
            .map(|n| world.chaser_with(chaser, (5, 4 + n), target))
            .collect();
        for second in 0..30 {
            world.seconds(1);
            for &chaser in &pack {
                let is_reached = world.cursor(chaser).state() == ChaseState::Reached;
                let at = world.cell(chaser);
                assert!(
                    !is_reached || world.is_beside(chaser, target),
                    "\"reached\" at {at} after {second} s, {count} of radius {radius}"
                );
            }
        }
        // All the way round, 74 steps.
        for chaser in pack {
            let at = world.cell(chaser);
            assert!(
                world.is_beside(chaser, target),
                "at {at}, {count} of radius {radius}"
            );
        }
    }
}

#[test]
fn lift_onto_balcony() {
    // The player stands where the lift ends, behind a wall whose door is far away.
    let door = |cell: Cell| cell.x >= 58;
    let mut grid = Grid::from_fn(60, 41, |cell| cell.y != 20 || door(cell)).unwrap();
    grid.set_link(Link::new(Cell::new(10, 22), Cell::new(10, 18)))
        .unwrap();
    for (count, body) in [1, 4, 12]
        .into_iter()
        .zip([None, Some(Body::default()), None])
    {
        let mut world = TestWorld::on(grid.clone());
        let target = world.target((10, 18));
        let pack: Vec<Entity> = (0..count)
            .map(|n| world.chaser((5 + n, 30), target))
            .collect();
        for &chaser in &pack {
            if let Some(body) = body {
                world.world().entity_mut(chaser).insert(body);
            }
        }
        world.seconds(50);
        for chaser in pack {
            let at = world.cell(chaser);
            assert!(world.is_beside(chaser, target), "{count}: at {at}");
        }
    }
}

#[test]
fn teleporter_beside_target() {
    for beside in Direction::ALL {
        let there = Cell::new(80, 10);
        let mut grid = Grid::open(100, 20).unwrap();
        let link = Link::new(Cell::new(10, 10), there.step(beside).unwrap());
        grid.set_link(link).unwrap();
        let mut world = TestWorld::on(grid);
        let target = world.target(there);
        let tuned = nav::Chaser {
            limits: nav_grid::Limits::window(99),
            ..nav::Chaser::default()
        };
        let chaser = world.chaser_with(tuned, (5, 10), target);
        world.seconds(10);
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
        assert_eq!(world.cursor(chaser).guidance(), None::<Guidance>);
    }
}

#[test]
fn ladder_onto_large_player() {
    // The short way leads onto the player by each of its cells, the long one beside it.
    let player = Body::solid(Footprint::new(2).expect("1 to 8"));
    let mut out = Vec::new();
    let tunings = tunings().filter(|(method, _)| *method != Method::Sweep);
    let cells: Vec<Cell> = player.footprint.area(Cell::new(26, 8)).cells().collect();
    let bodies = [None, Some(Body::default())];
    for (((method, policy), onto), body) in sample(pairs(pairs(tunings, cells), bodies), 11) {
        let mut grid = rooms(false);
        grid.set_link(Link::new(Cell::new(15, 8), onto)).unwrap();
        let second = Link::new(Cell::new(15, 18), Cell::new(24, 18));
        grid.set_link(second).unwrap();
        let mut world = TestWorld::on(grid);
        prepare(&mut world, method);
        let target = world.target((26, 8));
        world.world().entity_mut(target).insert(player);
        let chaser = world.chaser_with(tuned(method, policy), (12, 8), target);
        if let Some(body) = body {
            world.world().entity_mut(chaser).insert(body);
        }
        world.seconds(20);
        if !world.is_within_reach(chaser, target) {
            let at = world.cell(chaser);
            out.push(format!("{method:?}, {policy:?}, {onto}, {body:?}: at {at}"));
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}
