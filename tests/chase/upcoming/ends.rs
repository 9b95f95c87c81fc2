//! The ends of upcoming paths, and chasers without one.

use super::scene::{ahead, cells};
use nav::{Chaser, MoveTimer, NavBudget};
use nav_grid::Cell;
use nav_tests::TestWorld;
use nav_tests::scenes::far_sighted;

#[test]
fn queued_chaser_goes_straight() {
    let mut world = TestWorld::open(60, 20);
    world.world().insert_resource(NavBudget::Units(0));
    let target = world.target((50, 15));
    let chaser = world.chaser_with(far_sighted(), (5, 5), target);
    world.tick(1);
    let points = cells(&ahead(&mut world, chaser, 8));
    assert_eq!(points.len(), 8);
    let mut went = Vec::new();
    while went.len() < 8 {
        world.tick_until(|world| {
            went.last().copied().unwrap_or(Cell::new(5, 5)) != world.cell(chaser)
        });
        went.push(world.cell(chaser));
    }
    assert!(
        went.ends_with(&points[..7]) || went == points,
        "{went:?} {points:?}"
    );
}

#[test]
fn target_on_chasers_cell() {
    let mut world = TestWorld::open(20, 20);
    let target = world.target((10, 10));
    let chaser = world.chaser((5, 10), target);
    world.tick(3);
    let cell = world.cell(chaser);
    world.put(target, cell);
    // Before its move tick, so that a step is still ahead.
    world.get_mut::<MoveTimer>(chaser).next_step.0 += 10_000_000_000;
    world.tick(1);
    let points = cells(&ahead(&mut world, chaser, 9));
    assert_eq!(points.len(), 1);
    world.get_mut::<MoveTimer>(chaser).next_step.0 = 0;
    world.tick(1);
    assert_eq!(vec![world.cell(chaser)], points);
    assert!(ahead(&mut world, chaser, 9).is_empty());
}

#[test]
fn no_point_on_target() {
    for stop_distance in [1, 3] {
        let mut world = TestWorld::open(30, 12);
        let target = world.target((20, 6));
        let tuning = Chaser {
            stop_distance,
            ..Chaser::default()
        };
        let chaser = world.chaser_with(tuning, (4, 6), target);
        world.tick(1);
        let points = cells(&ahead(&mut world, chaser, 100));
        assert_eq!(points.last(), Some(&Cell::new(20 - stop_distance, 6)));
        let few = cells(&ahead(&mut world, chaser, 4));
        assert_eq!(few, points[..4]);
        assert!(ahead(&mut world, chaser, 0).is_empty());
    }
}

#[test]
fn idle_chaser_has_no_points() {
    let mut world = TestWorld::open(12, 12);
    let target = world.target((9, 9));
    let chaser = world.chaser((1, 1), target);
    assert!(ahead(&mut world, target, 9).is_empty());
    world.tick(1);
    assert!(!ahead(&mut world, chaser, 9).is_empty());
    world.world().entity_mut(chaser).remove::<nav::Chasing>();
    assert!(ahead(&mut world, chaser, 9).is_empty());
    world.world().despawn(target);
    world.tick(3);
    assert!(ahead(&mut world, chaser, 9).is_empty());
}
