//! Chasers and bodies larger than a cell.

use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Chaser, NavMap};
use nav_grid::{Cell, Footprint, Limits, Rules};
use nav_tests::{TestWorld, apart::Bodies, by_tier};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

/// A wall with a gap of one cell at row 1 and one of two at rows 6 and 7.
const GAPS: [&str; 9] = [
    "......#......",
    ".............",
    "......#......",
    "......#......",
    "......#......",
    "......#......",
    ".............",
    ".............",
    "......#......",
];

fn side(side: u8) -> Footprint {
    Footprint::new(side).expect("1 to 8")
}

fn of_size(size: u8) -> Chaser {
    Chaser {
        rules: Rules::default().with_footprint(side(size)),
        limits: Limits::window(20),
        ..Chaser::default()
    }
}

fn crossing(world: &TestWorld, chaser: Entity) -> Option<u16> {
    let mut path = world.cursor(chaser).path().iter();
    path.find(|cell| cell.x == 6).map(|cell| cell.y)
}

#[test]
fn wide_gap() {
    for (size, row) in [(1, 1), (2, 6)] {
        for others in [0, 1] {
            let mut world = TestWorld::new(&GAPS);
            let target = world.target((11, 1));
            let chaser = world.chaser_with(of_size(size), (1, 1), target);
            for _ in 0..others {
                world.chaser_with(of_size(3 - size), (1, 1), target);
            }
            world.tick_until(|world| world.cell(chaser).x == 6);
            assert_eq!(
                world.cell(chaser).y,
                row,
                "{size}x{size} with {others} others"
            );
            world.seconds(8);
            assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
            assert!(world.cell(chaser).x > 6);
        }
    }
}

#[test]
fn body_sets_the_footprint() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let chaser = world.chaser_with(of_size(1), (1, 1), target);
    world
        .world()
        .entity_mut(chaser)
        .insert(Body::solid(side(2)));
    world.tick(1);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(2));
    assert_eq!(crossing(&world, chaser), Some(6));
    world.seconds(8);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
    // It grows too large for the gap, and is tuned again.
    world.put(chaser, (1, 6));
    *world.get_mut::<Body>(chaser) = Body::solid(side(3));
    world.get_mut::<Chaser>(chaser).stop_distance = 2;
    world.seconds(8);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(3));
    assert!(world.cell(chaser).x < 6, "{}", world.cell(chaser));
}

#[test]
fn gap_that_narrows() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 6));
    let large = world.chaser_with(of_size(2), (1, 6), target);
    world.tick(1);
    // Only the body's lower half covers this cell; the waypoints keep to row 6.
    world.edit((6, 7), false);
    world.tick(1);
    assert_eq!(world.broken.len(), 1);
    world.seconds(4);
    assert!(world.cell(large).x < 5);
}

#[test]
fn map_prepares_for_sizes() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let two = side(2);
    let prepared = |world: &TestWorld| world.get::<NavMap>(world.map).grid().is_prepared(two);
    assert!(!prepared(&world));
    let large = world.chaser_with(of_size(1), (1, 1), target);
    world.tick(1);
    assert!(!prepared(&world));
    world.get_mut::<Chaser>(large).rules.footprint = two;
    // The map is prepared before its next step at the latest.
    world.tick(nav_tests::STEP_TICKS);
    assert!(prepared(&world));
}

#[test]
fn crowd_of_all_sizes() {
    for seed in 1..=by_tier(1, 3) {
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
