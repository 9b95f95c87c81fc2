//! Ending the process of a zone in an orderly way.

use crate::{
    Zone,
    hand_over::receive_news,
    ledger::{Ledger, take_snapshot_now},
};
use bevy_ecs::prelude::*;

/// How often is looked whether all is written before that is given up.
const LOOKS_MAX: u32 = 5000;

/// Has a last snapshot of a zone be kept after its last tick, so that who takes it next goes on from there.
/// `wait` waits a moment for the [`KeeperTask`](crate::KeeperTask). Says whether all is written; if not, the next one goes on from the
/// snapshot before.
pub fn close(world: &mut World, wait: impl Fn()) -> bool {
    let mut is_taken = false;
    for _ in 0..LOOKS_MAX {
        receive_news(world);
        if world.resource::<Zone>().failure().is_some() {
            return false;
        }
        let is_idle = world
            .get_resource::<Ledger>()
            .is_none_or(|ledger| ledger.link.is_idle());
        if is_idle && is_taken {
            return true;
        }
        if is_idle {
            take_snapshot_now(world);
            is_taken = true;
        }
        wait();
    }
    false
}
