//! The numbers of agents in messages.

use bevy_ecs::prelude::*;

/// The number of an agent in messages. It also makes an agent visible that is no chaser: give one
/// to each player. It must be unique within a view.
///
/// A chaser or a target without it is shown under a number derived from its [`Entity`]. That number
/// is below 2^53 until an entity index was reused two million times.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct SyncId(pub u64);

impl SyncId {
    /// Returns the number of an entity: the given one, or the one derived from it.
    pub fn of(entity: Entity, given: Option<Self>) -> Self {
        given.unwrap_or_else(|| {
            let generation = u64::from(entity.generation().to_bits());
            Self(generation << 32 | u64::from(entity.index_u32()))
        })
    }
}
