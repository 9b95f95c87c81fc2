//! Chasers larger than a cell.

use bevy_ecs::prelude::*;
use nav::{Body, ChaseState, Chaser, NavMap};
use nav_grid::{Cell, Footprint, Limits, Rules};
use nav_tests::TestWorld;

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

fn of_size(side: u8) -> Chaser {
    Chaser {
        rules: Rules::default().with_footprint(Footprint::new(side).expect("1 to 8")),
        limits: Limits::window(20),
        ..Chaser::default()
    }
}

fn crossing(world: &TestWorld, chaser: Entity) -> Option<u16> {
    let mut path = world.cursor(chaser).path().iter();
    path.find(|cell| cell.x == 6).map(|cell| cell.y)
}

#[test]
fn a_large_body_takes_the_wide_gap() {
    for (side, row) in [(1, 1), (2, 6)] {
        for others in [0, 1] {
            let mut world = TestWorld::new(&GAPS);
            let target = world.target((11, 1));
            let chaser = world.chaser_with(of_size(side), (1, 1), target);
            for _ in 0..others {
                world.chaser_with(of_size(3 - side), (1, 1), target);
            }
            world.tick_until(|world| world.cell(chaser).x == 6);
            assert_eq!(
                world.cell(chaser).y,
                row,
                "{side}x{side} with {others} others"
            );
            world.seconds(8);
            assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
            assert!(world.cell(chaser).x > 6);
        }
    }
}

#[test]
fn a_body_says_how_large_its_chaser_is() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let chaser = world.chaser_with(of_size(1), (1, 1), target);
    let side = |side| Footprint::new(side).expect("1 to 8");
    world
        .world()
        .entity_mut(chaser)
        .insert(Body::solid(side(2)));
    world.tick(1);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(2));
    assert_eq!(crossing(&world, chaser), Some(6));
    world.seconds(8);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
    // It grows beyond what fits through, and is tuned anew.
    world.put(chaser, (1, 6));
    *world.get_mut::<Body>(chaser) = Body::solid(side(3));
    world.get_mut::<Chaser>(chaser).stop_distance = 2;
    world.seconds(8);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(3));
    assert!(world.cell(chaser).x < 6, "{}", world.cell(chaser));
}

#[test]
fn a_body_too_large_for_any_gap_stays_on_its_side() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let huge = world.chaser_with(of_size(3), (1, 1), target);
    world.seconds(6);
    assert!(world.cell(huge).x <= 3);
    assert!(world.arrivals(huge).is_empty());
}

#[test]
fn a_gap_that_narrows_turns_the_large_body_back() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 6));
    let large = world.chaser_with(of_size(2), (1, 6), target);
    world.tick(1);
    // Covered by the body's lower half only; the waypoints keep to row 6.
    world.edit((6, 7), false);
    world.tick(1);
    assert_eq!(world.broken.len(), 1);
    world.seconds(4);
    assert!(world.cell(large).x < 5);
}

#[test]
fn a_map_prepares_for_the_sizes_that_come_onto_it() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let two = Footprint::new(2).expect("1 to 8");
    let prepared = |world: &TestWorld| world.get::<NavMap>(world.map).grid().is_prepared(two);
    assert!(!prepared(&world));
    let large = world.chaser_with(of_size(1), (1, 1), target);
    world.tick(1);
    assert!(!prepared(&world));
    world.get_mut::<Chaser>(large).rules.footprint = two;
    // At the latest when it wants to step.
    world.tick(nav_tests::STEP_TICKS);
    assert!(prepared(&world));
}

#[test]
fn a_large_body_reaches_a_target_in_a_niche_where_it_does_not_fit() {
    let mut world = TestWorld::new(&[
        "#########",
        "####.####",
        ".........",
        ".........",
        ".........",
    ]);
    let target = world.target((4, 1));
    let large = world.chaser_with(of_size(3), (0, 2), target);
    world.seconds(4);
    assert_eq!(world.cursor(large).state(), ChaseState::Reached);
    let body = Footprint::new(3).expect("1 to 8").area(world.cell(large));
    assert!(body.cells().any(|cell| cell == Cell::new(4, 2)));
}

#[test]
fn large_bodies_from_all_sides_stop_beside() {
    for side in 2..=5 {
        for start in [
            (0, 0),
            (10, 0),
            (20, 0),
            (0, 12),
            (22, 12),
            (0, 22),
            (11, 22),
        ] {
            let mut world = TestWorld::open(28, 28);
            let target = world.target((13, 13));
            let large = world.chaser_with(of_size(side), start, target);
            world.seconds(8);
            let area = Footprint::new(side)
                .expect("1 to 8")
                .area(world.cell(large));
            let ring = area
                .cells()
                .map(|cell| cell.chebyshev(Cell::new(13, 13)))
                .min();
            assert_eq!(ring, Some(1), "side {side} from {start:?}");
        }
    }
}
