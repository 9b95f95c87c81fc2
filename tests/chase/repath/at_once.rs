//! Reasons to search at the next move tick: another target, another tuning, an interruption.

use super::scene::{SEALED, waits};
use bevy_ecs::prelude::Entity;
use nav::{Chaser, PathCursor};
use nav_grid::Cell;
use nav_tests::{STEP_TICKS, TestWorld};

#[test]
fn another_target() {
    let mut world = TestWorld::open(40, 40);
    let one = world.target((30, 20));
    let other = world.target((20, 30));
    let chaser = world.chaser((20, 20), one);
    world.tick(3);
    world.chase(chaser, other);
    world.tick(STEP_TICKS);
    assert_eq!(world.searches(chaser), [1, 1 + STEP_TICKS]);
    assert_eq!(world.cursor(chaser).path().end(), Some(Cell::new(20, 30)));
    world.seconds(5);
    assert!(world.is_beside(chaser, other));
}

#[test]
fn new_target_ends_back_off() {
    let mut world = TestWorld::new(&SEALED);
    let outside = world.target((10, 1));
    let inside = world.target((0, 2));
    let chaser = world.chaser((0, 0), outside);
    world.seconds(9);
    world.chase(chaser, inside);
    world.tick(1);
    assert_eq!(world.searches(chaser).last(), Some(&181));
    world.seconds(2);
    assert!(world.is_beside(chaser, inside));
}

#[test]
fn another_tuning() {
    let mut world = TestWorld::open(60, 3);
    let target = world.target((50, 1));
    let chaser = world.chaser_with(waits(), (2, 1), target);
    world.seconds(5);
    assert_eq!(world.searches(chaser), [1]);
    world.get_mut::<Chaser>(chaser).limits.radius = 60;
    world.tick(STEP_TICKS * 2);
    assert_eq!(world.searches(chaser).len(), 2);
}

/// The classic bug: a stun drops the path but not the place for which it was computed. If the
/// target has not moved since, no rule asks for a new path.
#[test]
fn stun_then_new_path() {
    let mut world = TestWorld::open(40, 5);
    let target = world.target((18, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(1);
    world.get_mut::<PathCursor>(chaser).interrupt();
    assert_eq!(world.cursor(chaser).searched_for(), None);
    world.tick(1);
    assert_eq!(world.searches(chaser), [1, 21]);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
}

/// Spawns four hundred chasers of a target in the 20 columns on the left.
fn hundreds(world: &mut TestWorld, target: Entity) -> Vec<Entity> {
    (0..400_u16)
        .map(|number| world.chaser((number % 20, number / 20), target))
        .collect()
}

fn cells(world: &TestWorld, crowd: &[Entity]) -> Vec<Cell> {
    crowd.iter().map(|&one| world.cell(one)).collect()
}

/// A tick with all of their searches would take as long as ten ticks.
#[test]
fn hundreds_set_out_at_once() {
    let mut world = TestWorld::open(200, 40);
    let target = world.target((190, 20));
    let crowd = hundreds(&mut world, target);
    let before = cells(&world, &crowd);
    world.tick(STEP_TICKS);
    let set_out = before
        .iter()
        .zip(cells(&world, &crowd))
        .filter(|&(&from, at)| from != at);
    assert_eq!(
        set_out.count(),
        crowd.len(),
        "those who walk after one move tick"
    );
    world.seconds(60);
    assert!(world.is_beside(crowd[399], target));
}

/// Out of step they cost more: chasers that step in the same tick lie side by side in memory.
#[test]
fn waiting_chasers_stay_in_step() {
    let wall = format!("{}#{}", ".".repeat(20), ".".repeat(179));
    let mut rows = vec![wall.as_str(); 40];
    let gap = ".".repeat(200);
    rows[39] = &gap;
    let mut world = TestWorld::new(&rows);
    let target = world.target((190, 20));
    let crowd = hundreds(&mut world, target);
    for tick in 0..60 {
        let before = cells(&world, &crowd);
        world.tick(1);
        let is_in_step = tick % STEP_TICKS == 0;
        assert!(
            is_in_step || before == cells(&world, &crowd),
            "somebody steps in tick {tick}, between the move ticks of all"
        );
    }
}
