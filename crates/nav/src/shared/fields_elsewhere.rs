//! Which fields of a target other processes have.

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
    /// Adds those that another process made.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
    }
}
