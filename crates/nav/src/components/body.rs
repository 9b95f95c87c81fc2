//! Who takes up room.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::Footprint;

/// An agent, chaser or target, that occupies the cells it stands on: others may search their
/// way around it, as their [`Rules::bodies`](nav_grid::Rules::bodies) say. Agents without a body
/// are in nobody's way.
///
/// A body is where its [`CellPosition`](super::CellPosition) is, the upper left cell of its
/// footprint. How large a chaser is to itself, where it fits through, is its own
/// [`Rules::footprint`](nav_grid::Rules::footprint); give a large chaser both.
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
pub struct Body(pub Footprint);
