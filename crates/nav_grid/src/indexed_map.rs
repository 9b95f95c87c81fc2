//! The indexed map: a grid together with the indexes that were built of it.

use crate::{
    cell::{Cell, Directions},
    index::{BuiltIndexes, MapIndexes, Mosaic, PortalGraph, Regions, RoadError, TrunkRoads},
    map::{Area, Edit, EditError, Grid, Link, Tile},
    query::Terrain,
    rules::{CornerRule, Footprint, Rules},
};

/// A [`Grid`] together with the indexes that were built of it.
///
/// An index can only be built of the map that owns it, so no search can be handed the index of
/// another map. Searches take `&IndexedMap` wherever they take a grid.
///
/// # What to build
///
/// | call | for | cost | memory |
/// |---|---|---|---|
/// | [`build_regions`](Self::build_regions) | [`Planner`](crate::Planner): goals that are cut off are refused at once | some 5 µs a tile of 64×64 cells | 64 bytes a tile and more |
/// | [`build_jumps`](Self::build_jumps) | [`JumpPointSearch`](crate::methods::JumpPointSearch), also as chosen by the planner | a few passes, 64 cells at a time | 13 to 15 bits a cell |
/// | [`build_portals`](Self::build_portals) | [`PortalSearch`](crate::methods::PortalSearch), [`PortalField`](crate::fields::PortalField), the planner's far queries | some 20 µs a cluster of 32×32 cells | some 0.7 bytes a cell |
/// | [`build_mosaic`](Self::build_mosaic) | [`MosaicSearch`](crate::methods::MosaicSearch), the planner's far queries | a pass over all cells | up to 1 byte a cell |
/// | [`insert_roads`](Self::insert_roads) | [`TrunkSearch`](crate::methods::TrunkSearch) | O(n log n) in the road cells | 40 to 230 bytes a road cell |
/// | [`prepare_footprint`](Self::prepare_footprint) | large bodies: searches of all methods | a pass, 64 cells at a time | a bit a cell |
///
/// A map has one index of each kind; building it for other rules replaces it. Jumps and
/// footprints are kept for all that were asked for.
///
/// # Edits
///
/// Footprints and jumps are right after every edit. The other indexes are out of date after an
/// edit until [`repair`](Self::repair) is called: meanwhile methods that need them answer
/// [`Feature::Preparation`](crate::query::Feature::Preparation), and the planner does without.
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
    /// A map of which nothing is built yet.
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

    /// The map alone; indexes are dropped.
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

    /// Bytes that the map and its indexes keep on the heap.
    pub fn heap_bytes(&self) -> usize {
        let MapIndexes {
            regions,
            portals,
            mosaic,
            roads,
        } = &self.indexes;
        self.grid.heap_bytes()
            + regions.as_ref().map_or(0, Regions::heap_bytes)
            + portals.as_ref().map_or(0, PortalGraph::heap_bytes)
            + mosaic.as_ref().map_or(0, Mosaic::heap_bytes)
            + roads.as_ref().map_or(0, TrunkRoads::heap_bytes)
    }
}

/// Building and repairing indexes.
impl IndexedMap {
    /// Makes the bitboard of the places where a body of one size fits:
    /// [`Grid::prepare_footprint`]. Searches and builders answer the same without it, and slower
    /// for bodies of 2×2 cells and more.
    pub fn prepare_footprint(&mut self, footprint: Footprint) {
        self.grid.prepare_footprint(footprint);
    }

    /// Marks where scans for jump points end, for bodies of one size under one corner rule:
    /// [`Grid::prepare_jumps`].
    pub fn build_jumps(&mut self, footprint: Footprint, corners: CornerRule) {
        self.grid.prepare_jumps(footprint, corners);
    }

    /// Builds the connected components for walkers of some rules; does nothing if they are there
    /// and up to date.
    ///
    /// # Complexity
    ///
    /// That of [`Regions::of`].
    pub fn build_regions(&mut self, rules: Rules) {
        let Self { grid, indexes } = self;
        let there = indexes.regions.take();
        let there = there.filter(|regions| regions.serve(grid, rules));
        indexes.regions = there.or_else(|| Some(Regions::of(grid, rules)));
    }

    /// Builds the graph of portals for walkers of some rules; does nothing if it is there, up to
    /// date and [serves](PortalGraph::serves) them.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster of 32×32 cells.
    pub fn build_portals(&mut self, rules: Rules) {
        let Self { grid, indexes } = self;
        let there = indexes.portals.take();
        let there = there.filter(|portals| portals.serves(grid, rules));
        indexes.portals = there.or_else(|| Some(PortalGraph::new(grid, rules)));
    }

    /// Builds the blocks of uniform ground for bodies of one size; does nothing if they are there
    /// and up to date.
    ///
    /// # Complexity
    ///
    /// A pass over all cells, 64 at a time where a tile is uniform.
    pub fn build_mosaic(&mut self, footprint: Footprint) {
        let Self { grid, indexes } = self;
        let there = indexes.mosaic.take();
        let there = there.filter(|mosaic| mosaic.is_of(grid, footprint));
        indexes.mosaic = there.or_else(|| Some(Mosaic::new(grid, footprint)));
    }

    /// Marks cells as main roads for walkers of some rules, in place of those that were marked
    /// before. [`Rules::bodies`] does not matter. Cells where the body does not fit count for
    /// nothing until an edit makes room there.
    ///
    /// To take all ground of the least cost for roads, mark
    /// `grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1)`;
    /// [`road_cells_along`](crate::methods::road_cells_along) marks lines from corner to corner.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first cell, in reading order, that is not on the map; the roads are
    /// then as they were.
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

    /// What was built: what it takes to build the same of an equal map.
    pub fn built(&self) -> BuiltIndexes {
        let Self { grid, indexes } = self;
        let MapIndexes {
            regions,
            portals,
            mosaic,
            roads,
        } = indexes;
        let roads = roads.as_ref();
        BuiltIndexes {
            footprints: grid.prepared_footprints().collect(),
            jumps: grid.prepared_jumps().collect(),
            regions: regions.as_ref().map(Regions::rules),
            portals: portals.as_ref().map(PortalGraph::rules),
            mosaic: mosaic.as_ref().map(Mosaic::footprint),
            roads: roads.map(|roads| (roads.rules(), roads.marked_cells().to_vec())),
        }
    }

    /// Builds what was built of another map, in place of the indexes of those kinds that there are.
    ///
    /// # Errors
    ///
    /// [`RoadError`] if a main road leaves the map; everything else is built.
    ///
    /// # Complexity
    ///
    /// That of the calls above.
    pub fn build(&mut self, built: &BuiltIndexes) -> Result<(), RoadError> {
        let BuiltIndexes {
            footprints,
            jumps,
            regions,
            portals,
            mosaic,
            roads,
        } = built;
        for &footprint in footprints {
            self.prepare_footprint(footprint);
        }
        for &(footprint, corners) in jumps {
            self.build_jumps(footprint, corners);
        }
        if let &Some(rules) = regions {
            self.build_regions(rules);
        }
        if let &Some(rules) = portals {
            self.build_portals(rules);
        }
        if let &Some(footprint) = mosaic {
            self.build_mosaic(footprint);
        }
        match roads {
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

    /// Brings all indexes up to date with the map. Each equals one built anew.
    ///
    /// # Complexity
    ///
    /// O(1) if nothing was edited. Else [`Regions::repair`] for regions; some 20 µs for each
    /// cluster of portals whose cells changed and its neighbours; one look at every cell of the
    /// edited tiles for the mosaic; roads are built anew.
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
    /// Opens or blocks a cell or an area and returns how many cells that changed:
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

    /// Counts tiles as edited though nothing of them changes: [`Grid::touch_tiles`].
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
    /// The map with its indexes, and nobody on it.
    fn from(map: &'a IndexedMap) -> Self {
        Self {
            grid: &map.grid,
            bodies: None,
            indexes: Some(&map.indexes),
        }
    }
}

impl PartialEq for IndexedMap {
    /// Maps are equal on which the same can be done, whatever was built of them.
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
    /// A map of which nothing is built yet.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Grid::deserialize(deserializer).map(Self::new)
    }
}
