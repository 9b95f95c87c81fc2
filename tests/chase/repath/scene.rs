//! Chasers that fail, and the ticks of their searches.

use bevy_ecs::prelude::*;
use nav::Chaser;
use nav_grid::query::Fallback;
use nav_tests::TestWorld;

/// A room without doors in the corner of a field.
pub const SEALED: [&str; 5] = [
    "...#............",
    "...#............",
    "...#............",
    "####............",
    "................",
];

/// Waits for what is beyond its window.
pub fn waits() -> Chaser {
    Chaser {
        fallback: Fallback::None,
        ..Chaser::default()
    }
}

pub fn gaps(ticks: &[u64]) -> Vec<u64> {
    ticks.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Moves a target to another cell at each of some ticks, and to none where it is before long again.
pub fn walk_about(world: &mut TestWorld, target: Entity, ticks: u16) {
    for tick in 0..ticks {
        world.put(target, (8 + tick % 7, 1));
        world.tick(1);
    }
}
