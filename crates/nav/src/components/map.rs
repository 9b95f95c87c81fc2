//! Maps as entities.

use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{Area, Cell, Directions, Edit, EditError, Footprint, Frame, Grid, Link};

/// A map that agents walk on. Spawn one entity per map: a room, an instance, a world.
///
/// Edits take effect in the next tick, or in the same one if made before
/// [`NavSystems::Observe`](crate::NavSystems::Observe): chasers whose way they close search
/// again at once, and [`PathBroken`](crate::PathBroken) says so. Only chasers with a waypoint in
/// an edited tile of 64×64 cells are looked at. Systems that cannot borrow the map edit it with
/// [`EditMap`](crate::EditMap).
#[derive(Component, Debug)]
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
    /// The version of the grid when the plugin last looked for edits; `None` if it never did,
    /// as for a map that replaces another one.
    #[cfg_attr(feature = "serialize", serde(skip))]
    seen: Option<u64>,
}

impl NavMap {
    /// A map whose world coordinates are its columns and rows.
    pub fn new(grid: Grid) -> Self {
        Self::with_frame(grid, Frame::default())
    }

    /// A map that lies in the world as `frame` says.
    pub const fn with_frame(grid: Grid, frame: Frame) -> Self {
        Self {
            grid,
            frame,
            seen: None,
        }
    }

    /// Where agents may stand and how they get about.
    #[inline]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How world coordinates map to cells.
    #[inline]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Opens or blocks a cell or an area and returns how many cells that changed:
    /// [`Grid::set_walkable`].
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map, which is left as it was. So with all edits.
    pub fn set_walkable(
        &mut self,
        area: impl Into<Area>,
        walkable: bool,
    ) -> Result<u32, EditError> {
        self.grid.set_walkable(area, walkable)
    }

    /// Sets the step cost of a cell or an area: [`Grid::set_cost`].
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map, or the cost is out of range.
    pub fn set_cost(&mut self, area: impl Into<Area>, cost: u8) -> Result<u32, EditError> {
        self.grid.set_cost(area, cost)
    }

    /// Sets the directions in which a cell or an area may be left: [`Grid::set_exits`].
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map.
    pub fn set_exits(
        &mut self,
        area: impl Into<Area>,
        exits: Directions,
    ) -> Result<u32, EditError> {
        self.grid.set_exits(area, exits)
    }

    /// Adds a link, or replaces its cost and returns what that was: [`Grid::set_link`].
    ///
    /// # Errors
    ///
    /// When an end is not on the map, or the link costs nothing.
    pub fn set_link(&mut self, link: Link) -> Result<Option<u16>, EditError> {
        self.grid.set_link(link)
    }

    /// Removes the link between two cells and returns it: [`Grid::remove_link`].
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        self.grid.remove_link(from, to)
    }

    /// Makes a change that is kept as a value: [`Grid::apply`].
    ///
    /// # Errors
    ///
    /// As the method that the edit stands for.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        self.grid.apply(edit)
    }

    /// Prepares for bodies of one size, as [`Grid::prepare_footprint`]: at load, so that no
    /// tick pays for it. A chaser of a size that is not prepared has the map prepare when it
    /// comes onto it.
    pub fn prepare_footprint(&mut self, footprint: Footprint) {
        self.grid.prepare_footprint(footprint);
    }

    /// The version up to which edits were seen, which from now on is the current one. `None`
    /// stands for a map that is new.
    pub(crate) fn see_edits(&mut self) -> Option<u64> {
        self.seen.replace(self.grid.version())
    }
}

impl Clone for NavMap {
    /// A copy is a new map: whoever is put on it is looked at.
    fn clone(&self) -> Self {
        Self::with_frame(self.grid.clone(), self.frame)
    }
}

impl PartialEq for NavMap {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid && self.frame == other.frame
    }
}
