//! Maps as entities.

use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Area, EditError, Frame, Grid};

/// A map that agents walk on. Spawn one entity per map: a room, an instance, a world.
///
/// Edits through [`NavMap::set_walkable`] take effect in the next tick: chasers whose way they
/// close search again in that very tick, by change detection.
#[derive(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct NavMap {
    grid: Grid,
    frame: Frame,
}

impl NavMap {
    /// A map whose world coordinates are its columns and rows.
    pub fn new(grid: Grid) -> Self {
        Self::with_frame(grid, Frame::default())
    }

    /// A map that lies in the world as `frame` says.
    pub const fn with_frame(grid: Grid, frame: Frame) -> Self {
        Self { grid, frame }
    }

    /// Where agents may stand.
    #[inline]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How world coordinates map to cells.
    #[inline]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Opens or blocks a cell or an area and returns how many cells that changed.
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map, which is left as it was.
    pub fn set_walkable(
        &mut self,
        area: impl Into<Area>,
        walkable: bool,
    ) -> Result<u32, EditError> {
        self.grid.set_walkable(area, walkable)
    }
}
