//! How many chase a target from other processes.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// How many agents of other processes chase this target; without it none do.
///
/// Those of this process count by themselves. From how many chasers on they share a field, and whether a pack
/// surrounds its target, depends on all of them. Set it before [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct ChasedElsewhere(pub u32);
