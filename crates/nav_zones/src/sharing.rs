//! Sharing the places of targets with the zones of their chasers.

use crate::{Zone, chases::send_chases, places::share_places};
use bevy_ecs::prelude::*;

/// Sends the other zones whom the chasers of this one chase, and receives where those are.
///
/// Runs in each tick before navigation. Call it in all zones alike after a tick to compare their
/// [`WorldSum`](nav::WorldSum)s, which cover what chasers see of targets in other zones.
pub fn share(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        let zone = &mut *zone;
        send_chases(world, zone);
        share_places(world, zone);
    });
}
