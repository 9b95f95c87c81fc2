//! Targets that are cells to go onto.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// Makes a target a cell that its chasers enter, instead of somebody beside whom they stop: a post, a
/// rally point, the slot of a formation.
///
/// Spawn it with [`OnMap`](super::OnMap) and [`CellPosition`](super::CellPosition), and have agents go
/// there by [`Chasing`](super::Chasing). A chaser is within reach as soon as it covers the cell: its
/// stop distance, sight and links do not count. Of several with bodies one enters; the others wait as
/// near as they come. A destination has no [`Body`](super::Body): whoever comes first may pass over
/// it.
///
/// One entity may serve any number of chasers, which then share a field. To send a single agent
/// somewhere, `GoTo` of the crate `nav_behaviour` does the rest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct Destination;
