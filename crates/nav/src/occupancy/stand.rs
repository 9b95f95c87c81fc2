//! Where a body is put down.

use bevy_ecs::entity::Entity;
use nav_grid::{Cell, Footprint};

/// Where a body is put down, or is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Stand {
    pub(crate) map: Entity,
    pub(crate) cell: Cell,
    pub(crate) footprint: Footprint,
}
