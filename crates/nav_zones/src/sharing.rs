//! Sharing of targets' places with the zones of their chasers.

use crate::{Zone, chases::send_chases, places::share_places};
use bevy_ecs::prelude::*;

/// Sends the other zones the chases of this zone, and receives the places of the targets.
///
/// Runs in each tick before navigation. To compare [`WorldSum`](nav::internals::WorldSum)s after a tick, call
/// it in all zones first: the sums cover what chasers see of targets in other zones.
pub fn share(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        let zone = &mut *zone;
        send_chases(world, zone);
        share_places(world, zone);
    });
}
