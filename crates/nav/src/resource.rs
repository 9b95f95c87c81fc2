//! Resources of a world that may lack them.

use bevy_ecs::prelude::*;

/// A resource of a world, or its default.
pub(crate) fn resource<R: Resource + Copy + Default>(world: &World) -> R {
    world.get_resource().copied().unwrap_or_default()
}
