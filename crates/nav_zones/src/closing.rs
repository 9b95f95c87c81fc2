//! Orderly shutdown of a zone.

use crate::{
    Zone,
    hand_over::receive_news,
    ledger::{Ledger, take_snapshot_now, write_births_and_deaths},
};
use bevy_ecs::prelude::*;

/// Number of polls after which [`close`] gives up: 10 seconds in the program `zones`, which waits
/// two milliseconds between polls.
const LOOKS_MAX: u32 = 5000;

/// Stores a snapshot after the last tick, from which the next holder of the zone continues.
///
/// Calls `wait` between polls, to pause while the [`KeeperTask`](crate::KeeperTask) works. Returns
/// whether everything was written. If not, the next holder continues from the snapshot before.
pub fn close(world: &mut World, wait: impl Fn()) -> bool {
    let mut is_taken = false;
    for _ in 0..LOOKS_MAX {
        receive_news(world);
        if world.resource::<Zone>().failure().is_some() {
            return false;
        }
        if is_idle(world) {
            if is_taken {
                return true;
            }
            // Until nothing is left to write: the snapshot has no agent whose birth is not written.
            write_births_and_deaths(world);
            if is_idle(world) {
                take_snapshot_now(world);
                is_taken = true;
            }
        }
        wait();
    }
    false
}

fn is_idle(world: &World) -> bool {
    world.resource::<Ledger>().link.is_idle()
}
