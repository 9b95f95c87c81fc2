//! The cell to which an agent belongs.

use crate::Activity;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::Chaser;
use nav_grid::Cell;

/// The cell of its map to which a chaser walks while it chases nothing, has no patrol and no slot
/// in a formation, and does not wander: after a chase, or when it was pushed or put elsewhere. A
/// [`Leash`](crate::Leash) can be tied to it, and [`Wander`](crate::Wander) is around it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct Home(pub Cell);
