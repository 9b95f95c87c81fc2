//! Edits of indexed maps.

use crate::{
    IndexedMap,
    cell::{Cell, Directions},
    map::{Area, Edit, EditError, Grid, Link, Shift, Sight, Tile},
    rules::Class,
};

/// Edits. Each checks first and changes nothing if it fails; none repairs indexes.
impl IndexedMap {
    /// Opens or blocks a cell or an area and returns the number of changed cells:
    /// [`Grid::set_walkable`](crate::Grid::set_walkable).
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map.
    pub fn set_walkable(
        &mut self,
        area: impl Into<Area>,
        walkable: bool,
    ) -> Result<u32, EditError> {
        self.grid.set_walkable(area, walkable)
    }

    /// Sets the step cost of a cell or an area: [`Grid::set_cost`](crate::Grid::set_cost).
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map, or the cost is out of range.
    pub fn set_cost(&mut self, area: impl Into<Area>, cost: u8) -> Result<u32, EditError> {
        self.grid.set_cost(area, cost)
    }

    /// Sets the directions in which a cell or an area may be left:
    /// [`Grid::set_exits`](crate::Grid::set_exits).
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

    /// Sets the terrain class of a cell or an area: [`Grid::set_class`](crate::Grid::set_class).
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map.
    pub fn set_class(&mut self, area: impl Into<Area>, class: Class) -> Result<u32, EditError> {
        self.grid.set_class(area, class)
    }

    /// Sets whether a cell or an area can be seen through:
    /// [`Grid::set_sight`](crate::Grid::set_sight).
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map.
    pub fn set_sight(&mut self, area: impl Into<Area>, sight: Sight) -> Result<u32, EditError> {
        self.grid.set_sight(area, sight)
    }

    /// Adds a link, or replaces the one between the same cells and returns that:
    /// [`Grid::set_link`](crate::Grid::set_link).
    ///
    /// # Errors
    ///
    /// When an end is not on the map, or the link costs nothing.
    pub fn set_link(&mut self, link: Link) -> Result<Option<Link>, EditError> {
        self.grid.set_link(link)
    }

    /// Removes the link between two cells and returns it:
    /// [`Grid::remove_link`](crate::Grid::remove_link).
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        self.grid.remove_link(from, to)
    }

    /// Copies the cells of a smaller map: [`Grid::paste`](crate::Grid::paste).
    ///
    /// # Errors
    ///
    /// When part of it would be off this map.
    pub fn paste(&mut self, at: Cell, chunk: &Grid) -> Result<u32, EditError> {
        self.grid.paste(at, chunk)
    }

    /// Moves the map as a window over a larger world: [`Grid::shift`](crate::Grid::shift). Regions
    /// and portals begin again, to be built by [`repair_within`](Self::repair_within); the mosaic
    /// and the roads are dropped.
    pub fn shift(&mut self, by: Shift) {
        self.grid.shift(by);
        self.begin_indexes_again();
    }

    /// Applies an edit and returns the number of changed cells:
    /// [`Grid::apply`](crate::Grid::apply).
    ///
    /// # Errors
    ///
    /// Those of the method that the edit stands for.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        self.grid.apply(edit)
    }

    /// Counts tiles as edited without changing a cell:
    /// [`Grid::touch_tiles`](crate::Grid::touch_tiles).
    #[doc(hidden)]
    pub fn touch_tiles(
        &mut self,
        tiles: impl IntoIterator<Item = Tile>,
        ways: impl IntoIterator<Item = Tile>,
    ) {
        self.grid.touch_tiles(tiles, ways);
    }
}
