//! Where the field of a target leads.

use super::CellPosition;
use crate::NavTime;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

/// Where a target was when the field that its chasers share was last aimed at it, and when that
/// was.
///
/// Comes with [`ChasedBy`](super::ChasedBy). The field itself is not kept with the world: it
/// follows from this place and the map, so a world that is saved and loaded goes on alike.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct FieldAnchor {
    /// The place and the moment; `None` as long as nobody shares a field.
    pub aimed: Option<(CellPosition, NavTime)>,
}
