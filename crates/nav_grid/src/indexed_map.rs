//! The indexed map: a grid together with its indexes.

use crate::{
    cell::Cell,
    index::{
        BuildProgress, BuiltIndexes, MapIndexes, Mosaic, PortalGraph, Regions, RoadError,
        SlicedIndex, TrunkRoads,
    },
    map::Grid,
    query::Terrain,
    rules::Rules,
};

/// A [`Grid`] together with its indexes.
///
/// An index is built from the map that owns it, so a search never gets the index of another map.
/// Searches take `&IndexedMap` wherever they take a grid.
///
/// # What to build
///
/// Each call with what it is for, its cost, and the memory that the index takes:
///
/// - [`build_regions`](Self::build_regions), by which the [`Planner`](crate::Planner) refuses goals
///   that are cut off: some 5 µs a tile of 64×64 cells; 64 bytes a tile and more.
/// - [`build_jumps`](Self::build_jumps), for [`JumpPointSearch`](crate::methods::JumpPointSearch),
///   also as chosen by the planner: a few passes, 64 cells at a time; 13 to 15 bits a cell.
/// - [`build_portals`](Self::build_portals), for [`PortalSearch`](crate::methods::PortalSearch),
///   [`PortalField`](crate::fields::PortalField) and the planner's far queries: some 20 µs a
///   cluster of 32×32 cells, on dense clutter 80; some 0.7 bytes a cell, there 1.4.
/// - [`build_mosaic`](Self::build_mosaic), for [`MosaicSearch`](crate::methods::MosaicSearch): a
///   pass over all cells; up to 1 byte a cell.
/// - [`insert_roads`](Self::insert_roads), for [`TrunkSearch`](crate::methods::TrunkSearch):
///   O(n log n) in the road cells; 40 to 260 bytes each.
/// - [`prepare_footprint`](Self::prepare_footprint), for large bodies, by all methods: a pass, 64
///   cells at a time; a bit a cell.
///
/// Footprints, jumps, components and graphs of portals are kept for every size and rule requested.
/// There is one mosaic and one set of roads; building them for others replaces them.
///
/// # In slices
///
/// [`want`](Self::want) notes what walkers of some rules need, and builds nothing.
/// [`repair_within`](Self::repair_within) builds and repairs for a bound of work, so that a game's
/// tick never pays for a whole map. An index that is not complete serves no search.
///
/// # Edits
///
/// Edits keep footprints and jumps up to date. The other indexes are out of date after an edit
/// until [`repair`](Self::repair) or [`repair_within`](Self::repair_within) brings them up to date.
/// Meanwhile methods that need them answer
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
// Decision 3: docs/decisions/0003-indexes-beside-the-map.md
#[derive(Clone, Debug)]
pub struct IndexedMap {
    pub(crate) grid: Grid,
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

    /// Its indexes, to look at.
    #[inline]
    pub const fn indexes(&self) -> Indexes<'_> {
        Indexes {
            grid: &self.grid,
            indexes: &self.indexes,
        }
    }
}

/// The indexes of a map, to look at.
#[derive(Clone, Copy, Debug)]
pub struct Indexes<'a> {
    grid: &'a Grid,
    indexes: &'a MapIndexes,
}

impl<'a> Indexes<'a> {
    /// All connected components, in the order in which they were built or wanted.
    #[inline]
    pub fn regions(self) -> &'a [Regions] {
        self.indexes.regions.as_slice()
    }

    /// All graphs of portals, in the order in which they were built or wanted.
    #[inline]
    pub fn portals(self) -> &'a [PortalGraph] {
        self.indexes.portals.as_slice()
    }

    /// The connected components for walkers of some rules, if they were built or are wanted.
    pub fn regions_for(self, rules: Rules) -> Option<&'a Regions> {
        self.indexes.regions.find(rules)
    }

    /// The graph of portals for walkers of some rules, if it was built or is wanted.
    pub fn portals_for(self, rules: Rules) -> Option<&'a PortalGraph> {
        self.indexes.portals.find(rules)
    }

    /// The connected components for walkers of some rules, if they are complete and up to date.
    pub fn ready_regions(self, rules: Rules) -> Option<&'a Regions> {
        self.indexes.regions.ready(self.grid, rules)
    }

    /// The graph of portals for walkers of some rules, if it is complete and up to date.
    pub fn ready_portals(self, rules: Rules) -> Option<&'a PortalGraph> {
        self.indexes.portals.ready(self.grid, rules)
    }

    /// The blocks of uniform ground, if they were built.
    #[inline]
    pub const fn mosaic(self) -> Option<&'a Mosaic> {
        self.indexes.mosaic.as_ref()
    }

    /// The main roads, if they were inserted.
    #[inline]
    pub const fn roads(self) -> Option<&'a TrunkRoads> {
        self.indexes.roads.as_ref()
    }
}

/// Building and repairing indexes.
impl IndexedMap {
    /// Makes the bitboard of the places where agents of some rules fit:
    /// [`Grid::prepare_footprint`]. Results are the same without it, but slower for bodies of 2×2
    /// cells and more.
    pub fn prepare_footprint(&mut self, rules: impl Into<Rules>) {
        self.grid.prepare_footprint(rules);
    }

    /// Marks the ends of scans for jump points, for agents of one size, corner rule and choice of
    /// classes: [`Grid::prepare_jumps`].
    pub fn build_jumps(&mut self, rules: Rules) {
        self.grid.prepare_jumps(rules);
    }

    /// Notes that connected components and portals for walkers of some rules shall be there. Builds
    /// nothing: [`repair_within`](Self::repair_within) does.
    ///
    /// # Complexity
    ///
    /// Allocates tables of some 100 bytes a tile and a cluster. O(1) if they are noted already.
    #[doc(hidden)]
    pub fn want(&mut self, rules: Rules) {
        let Self { grid, indexes } = self;
        indexes.regions.want(grid, rules);
        indexes.portals.want(grid, rules);
    }

    /// Builds the connected components for walkers of some rules, or brings them up to date. Keeps
    /// those for other rules.
    ///
    /// # Complexity
    ///
    /// That of [`Regions::of`].
    pub fn build_regions(&mut self, rules: Rules) {
        let Self { grid, indexes } = self;
        indexes.regions.want(grid, rules).repair(grid);
    }

    /// Builds the graph of portals for walkers of some rules, or brings it up to date. Keeps those
    /// for other rules.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster of 32×32 cells.
    pub fn build_portals(&mut self, rules: Rules) {
        let Self { grid, indexes } = self;
        indexes.portals.want(grid, rules).repair(grid);
    }

    /// Builds the blocks of uniform ground for agents of one size and choice of classes, unless
    /// they are built and up to date. Takes a [`Footprint`](crate::Footprint) too, for agents that
    /// all classes suit.
    ///
    /// # Complexity
    ///
    /// A pass over all cells.
    pub fn build_mosaic(&mut self, rules: impl Into<Rules>) {
        let (mosaic, rules) = (&self.indexes.mosaic, rules.into());
        if !mosaic
            .as_ref()
            .is_some_and(|mosaic| mosaic.is_of(&self.grid, rules))
        {
            self.indexes.mosaic = Some(Mosaic::new(&self.grid, rules));
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
    /// O(n log n) in the marked cells.
    pub fn insert_roads(
        &mut self,
        rules: Rules,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<(), RoadError> {
        self.indexes.roads = Some(TrunkRoads::new(&self.grid, rules, cells)?);
        Ok(())
    }

    /// A list of the indexes, from which [`build`](Self::build) makes the same on an equal map.
    #[doc(hidden)]
    pub fn built(&self) -> BuiltIndexes {
        let Self { grid, indexes } = self;
        let roads = indexes.roads.as_ref();
        let mut built = BuiltIndexes {
            footprints: grid.prepared_footprints(),
            jumps: grid.prepared_jumps(),
            mosaic: indexes.mosaic.as_ref().map(Mosaic::rules),
            roads: roads.map(|roads| (roads.rules(), roads.marked_cells().to_vec())),
            ..BuiltIndexes::default()
        };
        let (complete, due) = (&mut built.regions, &mut built.due_regions);
        indexes.regions.name(complete, due);
        let (complete, due) = (&mut built.portals, &mut built.due_portals);
        indexes.portals.name(complete, due);
        built
    }

    /// Builds the indexes of a list that are not complete, or begins them if they are due. Replaces
    /// the mosaic and the roads by those of the list.
    ///
    /// # Errors
    ///
    /// [`RoadError`] if a main road leaves the map; everything else is built.
    ///
    /// # Complexity
    ///
    /// That of the calls above.
    #[doc(hidden)]
    pub fn build(&mut self, built: &BuiltIndexes) -> Result<(), RoadError> {
        for &rules in &built.footprints {
            self.prepare_footprint(rules);
        }
        for &rules in &built.jumps {
            self.build_jumps(rules);
        }
        let Self { grid, indexes } = self;
        let (complete, due) = (&built.regions, &built.due_regions);
        indexes.regions.build(grid, complete, due);
        let (complete, due) = (&built.portals, &built.due_portals);
        indexes.portals.build(grid, complete, due);
        if let Some(rules) = built.mosaic {
            self.build_mosaic(rules);
        }
        match &built.roads {
            Some((rules, cells)) => self.insert_roads(*rules, cells.iter().copied()),
            None => Ok(()),
        }
    }

    /// Drops the indexes that a list does not name. Footprints and jumps stay.
    #[doc(hidden)]
    pub fn retain(&mut self, built: &BuiltIndexes) {
        let indexes = &mut self.indexes;
        let (complete, due) = (&built.regions, &built.due_regions);
        indexes.regions.retain(complete, due);
        let (complete, due) = (&built.portals, &built.due_portals);
        indexes.portals.retain(complete, due);
        indexes
            .mosaic
            .take_if(|mosaic| built.mosaic != Some(mosaic.rules()));
        indexes.roads.take_if(|_| built.roads.is_none());
    }

    /// Updates all indexes to the map as it is now. Each equals a newly built one.
    ///
    /// # Complexity
    ///
    /// O(1) without edits. Else [`Regions::repair`] for regions; some 20 µs for each cluster of
    /// portals whose cells changed and its neighbours; a pass over all cells of the edited tiles
    /// for the mosaic; roads are built again.
    pub fn repair(&mut self) {
        self.repair_within(u32::MAX);
    }

    /// Builds what is [wanted](Self::want) and repairs what edits changed, for an amount of work.
    /// Returns the work done, 0 if nothing was due. Connected components come first, since they
    /// take least and refuse goals that are cut off; then portals, each in the order of their
    /// rules.
    ///
    /// A unit of work takes some 50 ns, as one of [`Counters::work`](crate::query::Counters::work)
    /// does. A call ends at the first tile or cluster after `work`. The mosaic and the roads are
    /// not cut into slices, and do not count: they are repaired at once, as
    /// [`repair`](Self::repair) says.
    #[doc(hidden)]
    pub fn repair_within(&mut self, work: u32) -> u32 {
        let Self { grid, indexes } = self;
        if let Some(mosaic) = &mut indexes.mosaic {
            mosaic.repair(grid);
        }
        if let Some(roads) = &mut indexes.roads {
            roads.repair(grid);
        }
        let done = indexes.regions.repair_within(grid, work);
        let left = work.saturating_sub(done);
        done.saturating_add(indexes.portals.repair_within(grid, left))
    }

    /// Brings indexes up to date at once that were complete before an edit.
    #[doc(hidden)]
    pub fn repair_complete(&mut self) {
        let Self { grid, indexes } = self;
        indexes.regions.repair_complete(grid);
        indexes.portals.repair_complete(grid);
    }

    /// Brings complete indexes up to date, and begins incomplete ones again, which a map may have
    /// that was [built](Self::build) from a list.
    #[doc(hidden)]
    pub fn settle(&mut self) {
        self.repair_complete();
        let Self { grid, indexes } = self;
        indexes.regions.begin_due_again(grid);
        indexes.portals.begin_due_again(grid);
    }

    /// Begins the connected components and portals again, and drops the mosaic and the roads.
    pub(crate) fn begin_indexes_again(&mut self) {
        let Self { grid, indexes } = self;
        indexes.regions.begin_all_again(grid);
        indexes.portals.begin_all_again(grid);
        (indexes.mosaic, indexes.roads) = (None, None);
    }

    /// How far the connected components and portals are built. Edits count once a repair has seen
    /// them. O(1) for each index.
    pub fn progress(&self) -> BuildProgress {
        let mut progress = BuildProgress { due: 0, of: 0 };
        self.indexes.regions.add_progress(&mut progress);
        self.indexes.portals.add_progress(&mut progress);
        progress
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
