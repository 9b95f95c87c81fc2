//! What an agent leaves that is nowhere any longer.

use super::screen_seats;
use crate::occupancy::Occupancy;
use bevy_ecs::{lifecycle::HookContext, world::DeferredWorld};

/// An agent that is despawned, or loses its place or its map, leaves its screen and the cells of its body. A
/// hook, since a list of removals is kept for two frames only, and a tick may come later.
pub(crate) fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut occupancy) = world.get_resource_mut::<Occupancy>() {
        occupancy.leave(entity);
    }
    screen_seats::leave(&mut world, entity);
}
