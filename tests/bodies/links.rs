//! Packs that use links, and targets behind links.

use super::scene::{count_in_reach, not_in_reach, prepare, tuned, tunings};
use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Guidance};
use nav_grid::{Cell, Direction, Footprint, Grid, Link, Method, Size};
use nav_tests::{TestWorld, apart::Bodies, pairs, sample};

/// Makes two rooms, to the left and right of column 20.
fn rooms(door: bool) -> Grid {
    Grid::from_fn(41, 21, |cell| cell.x != 20 || (door && cell.y == 10)).unwrap()
}

/// Sends a pack from the left room to a target in the right one. Returns how many are beside it
/// after a minute, and the cells of the others.
fn through(grid: Grid, count: u16) -> (usize, Vec<String>) {
    let mut bodies = Bodies::on(TestWorld::on(grid));
    let target = bodies.world.target((28, 10));
    let pack: Vec<Entity> = (0..count)
        .map(|n| bodies.solid((10 + n % 6, 7 + n / 6), target))
        .collect();
    bodies.tick(1_200);
    let near = count_in_reach(&bodies.world, &pack, target);
    (near, not_in_reach(&bodies.world, &pack, target))
}

#[test]
fn ladder_equals_door() {
    for count in sample([24, 2, 4, 8], 2) {
        let full = usize::from(count).min(8);
        assert_eq!(through(rooms(true), count).0, full, "{count} by the door");
        for to in [Cell::new(21, 10), Cell::new(24, 6)] {
            let mut grid = rooms(false);
            grid.set_link(Link::new(Cell::new(19, 10), to)).unwrap();
            let (near, far) = through(grid, count);
            assert_eq!(near, full, "{count} by a ladder to {to}: others at {far:?}");
        }
    }
}

#[test]
fn pack_climbs_stairs() {
    let mut grid = Grid::build(Size::new(30, 20).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(15, 10), Cell::new(15, 10).on_floor(1));
    grid.set_link(stairs).unwrap();
    grid.set_link(stairs.reversed()).unwrap();
    let mut bodies = Bodies::on(TestWorld::on(grid));
    let target = bodies.world.target(Cell::new(22, 10).on_floor(1));
    let pack: Vec<Entity> = (0..16)
        .map(|n| bodies.solid((6 + n % 4, 8 + n / 4), target))
        .collect();
    bodies.tick(1_200);
    assert_eq!(count_in_reach(&bodies.world, &pack, target), 8);
}

#[test]
fn one_way_teleporter() {
    let mut grid = Grid::open(100, 20).unwrap();
    let pad = Cell::new(10, 10);
    let there = Cell::new(80, 10);
    grid.set_link(Link::new(pad, there)).unwrap();
    for (count, radius) in [(1, 20), (4, 20), (1, 99), (4, 99), (12, 99)] {
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
fn target_on_ladder_end() {
    // The ladder leads onto the target itself; a door a few cells away leads to it, too.
    let mut grid = Grid::from_fn(41, 21, |cell| cell.x != 20 || cell.y == 16).unwrap();
    grid.set_link(Link::new(Cell::new(19, 10), Cell::new(22, 10)))
        .unwrap();
    for count in [1, 4, 12] {
        let mut bodies = Bodies::on(TestWorld::on(grid.clone()));
        let target = bodies.world.target((22, 10));
        let pack: Vec<Entity> = (0..count)
            .map(|n| bodies.solid((12 + n % 4, 8 + n / 4), target))
            .collect();
        bodies.tick(1_200);
        let near = count_in_reach(&bodies.world, &pack, target);
        assert_eq!(near, usize::from(count).min(8), "{count} chasers");
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

#[test]
fn ladder_onto_player_without_solids() {
    for side in sample([1, 2, 3], 2) {
        let footprint = Footprint::new(side).expect("1 to 8");
        for body in [None, Some(Body::soft(footprint))] {
            let mut grid = rooms(false);
            let ladder = Link::new(Cell::new(15, 8), Cell::new(26, 8));
            grid.set_link(ladder).unwrap();
            let second = Link::new(Cell::new(15, 17), Cell::new(23, 17));
            grid.set_link(second).unwrap();
            let mut world = TestWorld::on(grid);
            let target = world.target((26, 8));
            let mut chaser = nav::Chaser::default();
            chaser.rules.footprint = footprint;
            let mut pack = Vec::new();
            for n in 0..6 {
                let npc = world.chaser_with(chaser, (6 + 2 * n, 6), target);
                if let Some(body) = body {
                    world.world().entity_mut(npc).insert(body);
                }
                pack.push(npc);
            }
            world.seconds(40);
            let far = not_in_reach(&world, &pack, target);
            assert!(far.is_empty(), "side {side}, {body:?}: {far:?}");
        }
    }
}
