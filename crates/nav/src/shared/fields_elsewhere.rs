//! Which fields of a target other processes have.

use crate::systems::fields::Fields;
use crate::systems::storage::targets::Targets;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// The fields of a target that other processes made: what stands for the group of chasers of each, in order.
///
/// This process makes them, too, once it has chasers of their groups: whether a chaser that comes to a field finds
/// it made does not depend on the process then. Set it before [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct FieldsElsewhere(pub Vec<u64>);

impl FieldsElsewhere {
    /// The fields of a target that this process made.
    pub fn made_here(world: &World, target: Entity) -> Self {
        let made = || {
            let slot = world.get_resource::<Targets>()?.slot(target)?;
            Some(world.get_resource::<Fields>()?.made(slot))
        };
        Self(made().unwrap_or_default())
    }

    /// Adds those that another process made.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
    }
}
