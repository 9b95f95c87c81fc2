//! Bodies of several cells that keep apart.

use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, OnMap};
use nav_grid::{Cell, Footprint};
use nav_tests::{TestWorld, apart::Bodies};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

#[test]
fn large_bodies_keep_apart_too() {
    let mut bodies = Bodies::on(TestWorld::open(30, 30));
    let target = bodies.world.target((25, 15));
    let two = Footprint::new(2).expect("1 to 8");
    let mut large = Chaser::default();
    large.rules.footprint = two;
    for n in 0..6 {
        bodies.spawn(large, Body::solid(two), (n % 2 * 3, 4 + n * 3), target);
    }
    for n in 0..6 {
        bodies.solid((9, 4 + n * 3), target);
    }
    bodies.tick(300);
}

/// A chaser of two by two cells.
fn large() -> (Chaser, Body) {
    let two = Footprint::new(2).expect("1 to 8");
    let mut chaser = Chaser::default();
    chaser.rules.footprint = two;
    (chaser, Body::solid(two))
}

#[test]
fn a_large_body_goes_round_one_that_stands() {
    let mut bodies = Bodies::on(TestWorld::open(24, 12));
    let guard = (
        CellPosition::new(10, 6),
        OnMap(bodies.world.map),
        Body::default(),
    );
    bodies.world.world().spawn(guard);
    let target = bodies.world.target((18, 6));
    let (chaser, body) = large();
    // Enough of them to share a field.
    for n in 0..4 {
        bodies.spawn(chaser, body, (n / 2 * 3, 5 + n % 2 * 2), target);
    }
    bodies.tick_until_all_reached(300);
}

/// Two rows with a niche below.
const NICHE: [&str; 4] = [
    "..................",
    "..................",
    "#########..#######",
    "#########..#######",
];

#[test]
fn a_large_body_has_a_small_one_make_room() {
    let mut bodies = Bodies::new(&NICHE);
    let (left, right) = (bodies.world.target((8, 0)), bodies.world.target((17, 0)));
    let small = bodies.solid((8, 1), left);
    bodies.tick(10);
    assert_eq!(bodies.world.cursor(small).state(), ChaseState::Reached);
    let (chaser, body) = large();
    let large = bodies.spawn(chaser, body, (0, 0), right);
    let far = |bodies: &Bodies| bodies.world.cell(large).x < 15;
    bodies.tick_while(600, far);
    assert!(!far(&bodies), "{}", bodies.world.cell(large));
}

#[test]
fn small_bodies_have_a_large_one_make_room() {
    let mut bodies = Bodies::new(&NICHE);
    let (left, right) = (bodies.world.target((11, 0)), bodies.world.target((17, 0)));
    let (chaser, body) = large();
    let large = bodies.spawn(chaser, body, (7, 0), left);
    bodies.tick(10);
    assert_eq!(bodies.world.cursor(large).state(), ChaseState::Reached);
    let small = [0, 1, 2].map(|x| bodies.solid((x, 0), right));
    let far = |bodies: &Bodies| {
        let far = |&&agent: &&Entity| bodies.world.cell(agent).x < 12;
        small.iter().filter(far).count()
    };
    bodies.tick_while(600, |bodies| far(bodies) > 0);
    assert_eq!(far(&bodies), 0);
}

#[test]
fn a_crowd_of_all_sizes_keeps_apart_and_off_walls() {
    for seed in [1, 2, 3] {
        println!("seed {seed}");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grid =
            mapgen::generate(mapgen::Kind::Caves, 80, 110, seed).expect("a map of this size");
        let (mut bodies, targets) = Bodies::scattered(&grid, 531, &[1, 1, 2, 1, 3], &mut random);
        bodies.wander(&targets, &mut random, 500);
        let walls = bodies.cells().into_keys();
        let mut walls = walls.filter(|&(_, y, x)| !grid.is_walkable(Cell::new(x, y)));
        assert_eq!(walls.next(), None);
        assert!(bodies.world.diagnostics().total.steps > 1000);
    }
}
