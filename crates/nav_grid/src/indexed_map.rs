//! The indexed map: a grid together with its indexes.

use crate::{
    cell::{Cell, Directions},
    index::{BuiltIndexes, MapIndexes, Mosaic, PortalGraph, Regions, RoadError, TrunkRoads},
    map::{Area, Edit, EditError, Grid, Link, Tile},
    query::Terrain,
    rules::{CornerRule, Footprint, Rules},
};

/// A [`Grid`] together with its indexes.
///
/// An index is built from the map that owns it, so a search never gets the index of another map.
/// Searches take `&IndexedMap` wherever they take a grid.
///
/// # What to build
///
/// | call | for | cost | memory |
/// |---|---|---|---|
/// | [`build_regions`](Self::build_regions) | [`Planner`](crate::Planner): refuses goals that are cut off at once | some 5 µs a tile of 64×64 cells | 64 bytes a tile and more |
/// | [`build_jumps`](Self::build_jumps) | [`JumpPointSearch`](crate::methods::JumpPointSearch), also as chosen by the planner | a few passes, 64 cells at a time | 13 to 15 bits a cell |
/// | [`build_portals`](Self::build_portals) | [`PortalSearch`](crate::methods::PortalSearch), [`PortalField`](crate::fields::PortalField), the planner's far queries | some 20 µs a cluster of 32×32 cells | some 0.7 bytes a cell |
/// | [`build_mosaic`](Self::build_mosaic) | [`MosaicSearch`](crate::methods::MosaicSearch), the planner's far queries | a pass over all cells | up to 1 byte a cell |
/// | [`insert_roads`](Self::insert_roads) | [`TrunkSearch`](crate::methods::TrunkSearch) | O(n log n) in the road cells | 40 to 230 bytes a road cell |
/// | [`prepare_footprint`](Self::prepare_footprint) | large bodies: searches of all methods | a pass, 64 cells at a time | a bit a cell |
///
/// A map has one index of each kind; building it for other rules replaces it. Jumps and
/// footprints are kept for every size and rule requested.
///
/// # Edits
///
/// Edits keep footprints and jumps up to date. The other indexes are out of date after an edit
/// until [`repair`](Self::repair) is called. Meanwhile methods that need them answer
/// [`Feature::Preparation`](crate::query::Feature::Preparation), and the planner uses others.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, IndexedMap, Limits, Path, PathQuery, Rules, Search, Status};
/// use nav_grid::methods::PortalSearch;
///
/// let mut map = IndexedMap::new(Grid::open(500, 500)?);
/// map.build_portals(Rules::default());
/// map.set_walkable(Cell::new(250, 250), false)?;
/// map.repair();
///
/// let query = PathQuery::new(Cell::new(3, 3), Cell::new(490, 480)).with_limits(Limits::UNBOUNDED);
/// let outcome = PortalSearch::new().search(&map, &query, &mut Path::new());
/// assert_eq!(outcome.status, Status::Found);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexedMap {
    grid: Grid,
    indexes: MapIndexes,
}

/// The map and its indexes.
impl IndexedMap {
    /// A map without indexes.
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            indexes: MapIndexes::default(),
        }
    }

    /// The map.
    #[inline]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The map alone, without its indexes.
    pub fn into_grid(self) -> Grid {
        self.grid
    }

    /// The connected components, if they were built.
    #[inline]
    pub const fn regions(&self) -> Option<&Regions> {
        self.indexes.regions.as_ref()
    }

    /// The graph of portals, if it was built.
    #[inline]
    pub const fn portals(&self) -> Option<&PortalGraph> {
        self.indexes.portals.as_ref()
    }

    /// The blocks of uniform ground, if they were built.
    #[inline]
    pub const fn mosaic(&self) -> Option<&Mosaic> {
        self.indexes.mosaic.as_ref()
    }

    /// The main roads, if they were inserted.
    #[inline]
    pub const fn roads(&self) -> Option<&TrunkRoads> {
        self.indexes.roads.as_ref()
    }

    /// Bytes of the map and its indexes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.grid.heap_bytes()
            + self.regions().map_or(0, Regions::heap_bytes)
            + self.portals().map_or(0, PortalGraph::heap_bytes)
            + self.mosaic().map_or(0, Mosaic::heap_bytes)
            + self.roads().map_or(0, TrunkRoads::heap_bytes)
    }
}

/// Building and repairing indexes.
impl IndexedMap {
    /// Makes the bitboard of the places where a body of one size fits:
    /// [`Grid::prepare_footprint`]. Results are the same without it, but slower for bodies of 2×2
    /// cells and more.
    pub fn prepare_footprint(&mut self, footprint: Footprint) {
        self.grid.prepare_footprint(footprint);
    }

    /// Marks the ends of scans for jump points, for bodies of one size under one corner rule:
    /// [`Grid::prepare_jumps`].
    pub fn build_jumps(&mut self, footprint: Footprint, corners: CornerRule) {
        self.grid.prepare_jumps(footprint, corners);
    }

    /// Builds the connected components for walkers of some rules, unless they are built and up to
    /// date.
    ///
    /// # Complexity
    ///
    /// That of [`Regions::of`].
    pub fn build_regions(&mut self, rules: Rules) {
        let regions = self.regions();
        if !regions.is_some_and(|regions| regions.serve(&self.grid, rules)) {
            self.indexes.regions = Some(Regions::of(&self.grid, rules));
        }
    }

    /// Builds the graph of portals for walkers of some rules, unless there is a graph that
    /// [serves](PortalGraph::serves) them.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster of 32×32 cells.
    pub fn build_portals(&mut self, rules: Rules) {
        let portals = self.portals();
        if !portals.is_some_and(|portals| portals.serves(&self.grid, rules)) {
            self.indexes.portals = Some(PortalGraph::new(&self.grid, rules));
        }
    }

    /// Builds the blocks of uniform ground for bodies of one size, unless they are built and up to
    /// date.
    ///
    /// # Complexity
    ///
    /// A pass over all cells, 64 at a time where a tile is uniform.
    pub fn build_mosaic(&mut self, footprint: Footprint) {
        let mosaic = self.mosaic();
        if !mosaic.is_some_and(|mosaic| mosaic.is_of(&self.grid, footprint)) {
            self.indexes.mosaic = Some(Mosaic::new(&self.grid, footprint));
        }
    }

    /// Marks cells as main roads for walkers of some rules, and removes all earlier marks.
    /// [`Rules::bodies`] does not matter. Cells where the body does not fit are ignored until an
    /// edit makes room there.
    ///
    /// To mark all ground of the least cost, pass
    /// `grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1)`.
    /// [`road_cells_along`](crate::methods::road_cells_along) returns lines from corner to corner.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first cell, in reading order, that is not on the map; the roads do not
    /// change then.
    ///
    /// # Complexity
    ///
    /// O(n log n) in the marked cells, and a bit for each cell of the map.
    pub fn insert_roads(
        &mut self,
        rules: Rules,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<(), RoadError> {
        self.indexes.roads = Some(TrunkRoads::new(&self.grid, rules, cells)?);
        Ok(())
    }

    /// A list of the indexes, from which [`build`](Self::build) makes the same on an equal map.
    pub fn built(&self) -> BuiltIndexes {
        let roads = self.roads();
        BuiltIndexes {
            footprints: self.grid.clearance.footprints().collect(),
            jumps: self.grid.clearance.jump_rules().collect(),
            regions: self.regions().map(Regions::rules),
            portals: self.portals().map(PortalGraph::rules),
            mosaic: self.mosaic().map(Mosaic::footprint),
            roads: roads.map(|roads| (roads.rules(), roads.marked_cells().to_vec())),
        }
    }

    /// Builds the indexes of a list. Replaces indexes of the same kind.
    ///
    /// # Errors
    ///
    /// [`RoadError`] if a main road leaves the map; everything else is built.
    ///
    /// # Complexity
    ///
    /// That of the calls above.
    pub fn build(&mut self, built: &BuiltIndexes) -> Result<(), RoadError> {
        for &footprint in &built.footprints {
            self.prepare_footprint(footprint);
        }
        for &(footprint, corners) in &built.jumps {
            self.build_jumps(footprint, corners);
        }
        if let Some(rules) = built.regions {
            self.build_regions(rules);
        }
        if let Some(rules) = built.portals {
            self.build_portals(rules);
        }
        if let Some(footprint) = built.mosaic {
            self.build_mosaic(footprint);
        }
        match &built.roads {
            Some((rules, cells)) => self.insert_roads(*rules, cells.iter().copied()),
            None => Ok(()),
        }
    }

    /// Drops the connected components and returns whether there were any.
    pub fn remove_regions(&mut self) -> bool {
        self.indexes.regions.take().is_some()
    }

    /// Drops the graph of portals and returns whether there was one.
    pub fn remove_portals(&mut self) -> bool {
        self.indexes.portals.take().is_some()
    }

    /// Drops the blocks of uniform ground and returns whether there were any.
    pub fn remove_mosaic(&mut self) -> bool {
        self.indexes.mosaic.take().is_some()
    }

    /// Drops the main roads and returns whether there were any.
    pub fn remove_roads(&mut self) -> bool {
        self.indexes.roads.take().is_some()
    }

    /// Updates all indexes to the map as it is now. Each equals a newly built one.
    ///
    /// # Complexity
    ///
    /// O(1) without edits. Else [`Regions::repair`] for regions; some 20 µs for each cluster of
    /// portals whose cells changed and its neighbours; a pass over all cells of the edited tiles
    /// for the mosaic; roads are built again.
    pub fn repair(&mut self) {
        let Self { grid, indexes } = self;
        if let Some(regions) = &mut indexes.regions {
            regions.repair(grid);
        }
        if let Some(portals) = &mut indexes.portals {
            portals.repair(grid);
        }
        if let Some(mosaic) = &mut indexes.mosaic {
            mosaic.repair(grid);
        }
        if let Some(roads) = &mut indexes.roads {
            roads.repair(grid);
        }
    }
}

/// Edits. Each checks first and changes nothing if it fails; none repairs indexes.
impl IndexedMap {
    /// Opens or blocks a cell or an area and returns the number of changed cells:
    /// [`Grid::set_walkable`].
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

    /// Adds a link, or replaces its cost and returns the previous one: [`Grid::set_link`].
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

    /// Applies an edit and returns the number of changed cells: [`Grid::apply`].
    ///
    /// # Errors
    ///
    /// Those of the method that the edit stands for.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        self.grid.apply(edit)
    }

    /// Counts tiles as edited without changing a cell: [`Grid::touch_tiles`].
    pub fn touch_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) {
        self.grid.touch_tiles(tiles);
    }
}

impl From<Grid> for IndexedMap {
    fn from(grid: Grid) -> Self {
        Self::new(grid)
    }
}

impl<'a> From<&'a IndexedMap> for Terrain<'a> {
    /// The map with its indexes, without bodies.
    fn from(map: &'a IndexedMap) -> Self {
        Self {
            grid: &map.grid,
            bodies: None,
            indexes: Some(&map.indexes),
        }
    }
}

impl PartialEq for IndexedMap {
    /// Maps are equal if their grids are; indexes do not count.
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
    }
}

impl Eq for IndexedMap {}

#[cfg(feature = "serde")]
impl serde::Serialize for IndexedMap {
    /// As the grid. Indexes are not saved: they follow from the map.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.grid.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for IndexedMap {
    /// A map without indexes.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Grid::deserialize(deserializer).map(Self::new)
    }
}
