//! The numbers of agents in messages.

use bevy_ecs::prelude::*;

/// The number of an agent in messages, and that it is shown even if it is no chaser: give one to each
/// player. No two agents in one view may have the same.
///
/// A chaser without it, and whoever is chased, is shown by a number that follows from its [`Entity`]: from
/// 0 on, below 2^53 as long as an entity's place was not used two million times.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct SyncId(pub u64);

impl SyncId {
    /// The number of an entity, with the one that the game gave it, if it did.
    pub fn of(entity: Entity, given: Option<Self>) -> Self {
        given.unwrap_or_else(|| {
            let generation = u64::from(entity.generation().to_bits());
            Self(generation << 32 | u64::from(entity.index_u32()))
        })
    }
}
