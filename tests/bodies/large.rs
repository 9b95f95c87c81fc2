//! Bodies of several cells, each with another one in its way.

use super::scene::guard;
use bevy_ecs::prelude::*;
use nav::{Body, Chaser};
use nav_grid::{Cell, Footprint, Grid, Link, Size};
use nav_tests::{TestWorld, apart::Bodies, pairs};

/// Spawns a solid chaser with a square footprint.
fn large(bodies: &mut Bodies, side: u8, at: (u16, u16), target: Entity) -> Entity {
    let body = Body::solid(Footprint::new(side).unwrap());
    bodies.spawn(Chaser::default(), body, at, target)
}

/// Runs until large bodies are within reach of targets at the ends of their ways. Returns the
/// ticks.
fn walk(side: u8, ways: &[[(u16, u16); 2]]) -> u64 {
    let mut bodies = Bodies::on(TestWorld::open(41, 41));
    let send = |&[from, to]: &[(u16, u16); 2]| {
        let target = bodies.world.target(to);
        (large(&mut bodies, side, from, target), target)
    };
    let chases: Vec<_> = ways.iter().map(send).collect();
    let arrived = |bodies: &Bodies, &(chaser, target): &(Entity, Entity)| {
        bodies.world.is_within_reach(chaser, target)
    };
    bodies.tick_while(600, |bodies| {
        !chases.iter().all(|chase| arrived(bodies, chase))
    })
}

#[test]
fn large_bodies_meet_in_the_open() {
    let ends = [
        [(8, 20), (32, 20)],
        [(20, 8), (20, 32)],
        [(8, 20), (32, 21)],
        [(8, 20), (32, 22)],
        [(20, 8), (21, 32)],
        [(9, 9), (31, 31)],
    ];
    for (side, [from, to]) in pairs([2, 3], ends) {
        let (alone, both) = (
            walk(side, &[[from, to]]),
            walk(side, &[[from, to], [to, from]]),
        );
        // One goes around: a look, and as many steps aside as both are wide.
        assert!(
            both <= alone + 50,
            "side {side} from {from:?} to {to:?}: {both} ticks, alone {alone}"
        );
    }
}

#[test]
fn large_body_passes_a_resting_one() {
    for side in [2, 3] {
        // A wall with two gaps: the near one is held by a body that stays.
        let grid = Grid::from_fn(31, 21, |cell| {
            cell.x != 15 || (3..6).contains(&cell.y) || (14..17).contains(&cell.y)
        });
        let mut bodies = Bodies::on(TestWorld::on(grid.unwrap()));
        let idle = guard(&mut bodies, (15, 3));
        bodies
            .world
            .insert(idle, Body::solid(Footprint::new(side).unwrap()));
        let target = bodies.world.target((25, 4));
        let chaser = large(&mut bodies, side, (5, 4), target);
        bodies.tick(60 * nav_tests::TICK_RATE);
        assert!(
            bodies.world.is_within_reach(chaser, target),
            "side {side}:\n{}",
            bodies.world
        );
    }
}

#[test]
fn large_body_finds_stairs_that_fit() {
    let mut grid = Grid::build(Size::new(50, 12).with_floors(2), |_| true).unwrap();
    for (x, wide) in [(6, 1), (40, 3)] {
        for at in (0..wide * wide).map(|n| Cell::new(x + n % wide, 5 + n / wide)) {
            let up = Link::new(at, at.on_floor(1));
            grid.set_link(up).unwrap();
            grid.set_link(up.reversed()).unwrap();
        }
    }
    let mut bodies = Bodies::on(TestWorld::on(grid));
    let target = bodies.world.target(Cell::new(6, 5).on_floor(1));
    let chaser = large(&mut bodies, 3, (6, 5), target);
    bodies.tick(90 * nav_tests::TICK_RATE);
    assert!(
        bodies.world.is_within_reach(chaser, target),
        "{}",
        bodies.world
    );
}
