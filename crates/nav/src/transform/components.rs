//! Which agents have a `Transform` that goes with their cell, and which way.

use super::cell_walk::CellWalk;
use crate::{CellPosition, WorldPosition};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
use bevy_transform::components::Transform;

/// Has the `Transform` of a chaser follow its [`CellPosition`]: the centre of its cell at the height of its
/// floor, by the [`Frame`](nav_grid::Frame) of its map; of a large chaser, as everywhere, that of its upper
/// left cell. Needs [`NavTransformPlugin`](super::NavTransformPlugin).
///
/// The translation belongs to the plugin then, in the coordinates of the world: for an entity without
/// parents. Scale stays as it is, and so does the rotation, unless it [`faces`](Self::faces) its way. On
/// an agent that is no chaser the translation follows the cell at once.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(CellPosition, Transform, CellWalk)]
pub struct CellToTransform {
    /// Whether it walks from cell to cell in the time from one move tick to the next, which is the
    /// default; otherwise it is in its new cell at once. Whoever comes further than to a neighbouring
    /// column and row, by a teleport or by force, is there at once in any case; over stairs it walks.
    pub smooth: bool,
    /// Whether it turns to where it steps; off by default. Where y points up, the forward direction of
    /// the `Transform` (−z) does, and where z points up, as in games seen from above, its y axis. It
    /// turns at once.
    pub faces: bool,
}

impl Default for CellToTransform {
    fn default() -> Self {
        Self {
            smooth: true,
            faces: false,
        }
    }
}

/// Has the [`WorldPosition`] of a player follow its `Transform`, and so its [`CellPosition`]: for targets that
/// move continuously. Needs [`NavTransformPlugin`](super::NavTransformPlugin).
///
/// The translation is read in [`NavSystems::Observe`](crate::NavSystems::Observe) when the `Transform` was
/// changed, as the place in the world: for an entity without parents. Heights choose the floor if the
/// [`Frame`](nav_grid::Frame) has them. Has no effect on a [`Chaser`](crate::Chaser).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(Transform, WorldPosition)]
pub struct TransformToCell;
