//! Edits of maps, and the indexes that a game builds.

use super::{NavMap, map::IndexNews};
use nav_grid::{
    Area, Cell, Directions, Edit, Link, Rules,
    index::RoadError,
    map::{EditError, Sight},
    rules::Class,
};
// Only the documentation names them.
#[cfg(doc)]
use nav_grid::{Grid, IndexedMap};

/// Edits. Each checks first, and changes nothing if it fails.
impl NavMap {
    /// Opens or blocks a cell or an area and returns the number of changed cells:
    /// [`Grid::set_walkable`].
    ///
    /// # Errors
    ///
    /// When part of the area is off the map. As with all edits that fail, the map is unchanged.
    pub fn set_walkable(&mut self, area: impl Into<Area>, open: bool) -> Result<u32, EditError> {
        self.map.set_walkable(area, open)
    }

    /// Sets the step cost of a cell or an area: [`Grid::set_cost`].
    ///
    /// # Errors
    ///
    /// When part of the area is off the map, or the cost is out of range.
    pub fn set_cost(&mut self, area: impl Into<Area>, cost: u8) -> Result<u32, EditError> {
        self.map.set_cost(area, cost)
    }

    /// Sets the directions in which a cell or an area may be left: [`Grid::set_exits`].
    ///
    /// # Errors
    ///
    /// When part of the area is off the map.
    pub fn set_exits(
        &mut self,
        area: impl Into<Area>,
        exits: Directions,
    ) -> Result<u32, EditError> {
        self.map.set_exits(area, exits)
    }

    /// Sets the terrain class of a cell or an area: [`Grid::set_class`].
    ///
    /// # Errors
    ///
    /// When part of the area is off the map.
    pub fn set_class(&mut self, area: impl Into<Area>, class: Class) -> Result<u32, EditError> {
        self.map.set_class(area, class)
    }

    /// Sets whether a cell or an area can be seen through: [`Grid::set_sight`].
    ///
    /// # Errors
    ///
    /// When part of the area is off the map.
    pub fn set_sight(&mut self, area: impl Into<Area>, sight: Sight) -> Result<u32, EditError> {
        self.map.set_sight(area, sight)
    }

    /// Adds a link, or replaces its cost and returns the old one: [`Grid::set_link`].
    ///
    /// # Errors
    ///
    /// When an end is off the map, or the cost is 0.
    pub fn set_link(&mut self, link: Link) -> Result<Option<u16>, EditError> {
        self.map.set_link(link)
    }

    /// Removes the link between two cells and returns it: [`Grid::remove_link`].
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        self.map.remove_link(from, to)
    }

    /// Applies an edit that is given as a value: [`Grid::apply`].
    ///
    /// # Errors
    ///
    /// Those of the corresponding method.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        self.map.apply(edit)
    }
}

/// Indexes for chasers that name a method, and footprints.
impl NavMap {
    /// Builds the bitboard of the cells where agents of some rules fit: [`Grid::prepare_footprint`].
    ///
    /// Otherwise it is built when the first such chaser comes onto the map.
    pub fn prepare_footprint(&mut self, rules: impl Into<Rules>) {
        self.map.prepare_footprint(rules);
    }

    /// Builds the connected components for chasers of some rules: [`IndexedMap::build_regions`].
    ///
    /// Goals that are cut off then need no search.
    pub fn build_regions(&mut self, rules: Rules) {
        self.prepare_footprint(rules);
        self.map.build_regions(rules);
        self.news = IndexNews::Built;
    }

    /// Marks where scans for jump points end, for agents of one size, corner rule and choice of
    /// classes: [`IndexedMap::build_jumps`].
    pub fn build_jumps(&mut self, rules: Rules) {
        self.map.build_jumps(rules);
        self.news = IndexNews::Built;
    }

    /// Builds the graph of portals for chasers of some rules: [`IndexedMap::build_portals`].
    pub fn build_portals(&mut self, rules: Rules) {
        self.prepare_footprint(rules);
        self.map.build_portals(rules);
        self.news = IndexNews::Built;
    }

    /// Builds the blocks of uniform ground for agents of one size and choice of classes:
    /// [`IndexedMap::build_mosaic`].
    pub fn build_mosaic(&mut self, rules: impl Into<Rules>) {
        let rules = rules.into();
        self.prepare_footprint(rules);
        self.map.build_mosaic(rules);
        self.news = IndexNews::Built;
    }

    /// Replaces the main roads for chasers of some rules by the given cells:
    /// [`IndexedMap::insert_roads`].
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first cell off the map. The roads are then unchanged.
    pub fn insert_roads(
        &mut self,
        rules: Rules,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<(), RoadError> {
        self.prepare_footprint(rules);
        self.news = IndexNews::Built;
        self.map.insert_roads(rules, cells)
    }

    /// Removes all connected components and returns whether there were any.
    pub fn remove_regions(&mut self) -> bool {
        self.map.remove_regions()
    }

    /// Removes all graphs of portals and returns whether there were any.
    pub fn remove_portals(&mut self) -> bool {
        self.map.remove_portals()
    }

    /// Removes the blocks of uniform ground and returns whether there were any.
    pub fn remove_mosaic(&mut self) -> bool {
        self.map.remove_mosaic()
    }

    /// Removes the main roads and returns whether there were any.
    pub fn remove_roads(&mut self) -> bool {
        self.map.remove_roads()
    }
}
