//! Maps as entities.

use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
#[cfg(feature = "serialize")]
use nav_grid::index::BuiltIndexes;
use nav_grid::{
    Area, Cell, CornerRule, Directions, Edit, Footprint, Frame, Grid, IndexedMap, Link, Rules,
    index::{Mosaic, PortalGraph, Regions, RoadError, TrunkRoads},
    map::{EditError, FloorHeights},
};
use std::hash::{Hash, Hasher};

/// A map that agents walk on. Spawn one entity per map: a room, an instance, a world.
///
/// # Edits
///
/// Edits take effect in the next tick, or in the same one if made before
/// [`NavSystems::Observe`](crate::NavSystems::Observe): chasers whose way they close search
/// again at once, and [`PathBroken`](crate::PathBroken) says so. Chasers whose way an edit near them may
/// have opened or shortened search again within one interval, each in its turn. Only edited tiles of
/// 64×64 cells are looked at. Systems that cannot borrow the map edit it with
/// [`EditMap`](crate::EditMap).
///
/// # What to build
///
/// Indexes are built at load, so that no tick pays for it. They follow edits once a tick in
/// [`NavSystems::Observe`](crate::NavSystems::Observe), before anybody searches. A map that is saved names
/// those that it has, and they are built again when it is loaded. None is needed: without them every chaser
/// of [`Method::Auto`] finds its way, and far searches take longer.
///
/// | for chasers of | build | what it costs | what else uses it |
/// |---|---|---|---|
/// | [`Method::Auto`] | [`build_regions`](Self::build_regions) | some 5 µs a tile of 64×64 cells | [`Fallback::NearestReachable`](nav_grid::query::Fallback::NearestReachable); searches [beyond the window](crate::Chaser::limits) |
/// | [`Method::Jps`] | [`build_jumps`](Self::build_jumps) | a few passes, 64 cells at a time; 13 to 15 bits a cell | far searches of [`Method::Auto`] |
/// | [`Method::Portal`] | [`build_portals`](Self::build_portals) | some 20 µs a cluster of 32×32 cells; some 0.7 bytes a cell | far searches of [`Method::Auto`], and those [beyond the window](crate::Chaser::limits); far chasers of one target share a field over them |
/// | [`Method::Mosaic`] | [`build_mosaic`](Self::build_mosaic) | a pass over all cells; up to 1 byte a cell | far searches of [`Method::Auto`] |
/// | [`Method::Trunk`] | [`insert_roads`](Self::insert_roads) | O(n log n) in the road cells; 40 to 230 bytes each | nothing |
/// | any method, bodies of 2×2 cells and more | [`prepare_footprint`](Self::prepare_footprint), which the others do for their size | a pass, 64 cells at a time; a bit a cell | |
///
/// A map has one index of each kind; building it for other rules replaces it. Jumps and
/// footprints are kept for all that were asked for.
///
/// [`Method::Auto`]: nav_grid::Method::Auto
/// [`Method::Jps`]: nav_grid::Method::Jps
/// [`Method::Portal`]: nav_grid::Method::Portal
/// [`Method::Mosaic`]: nav_grid::Method::Mosaic
/// [`Method::Trunk`]: nav_grid::Method::Trunk
#[derive(Component, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[cfg_attr(feature = "serialize", serde(try_from = "SavedMap<Grid, Frame>"))]
pub struct NavMap {
    pub(super) map: IndexedMap,
    frame: Frame,
    /// The version of the grid when the plugin last looked for edits; `None` if it never did,
    /// as for a map that replaces another one.
    seen: Option<u64>,
    /// Whether an index was built since then.
    pub(super) has_new_index: bool,
}

/// A map as it is saved: its grid and its frame, borrowed or read, and the names of what was built.
#[cfg(feature = "serialize")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "NavMap", deny_unknown_fields)]
struct SavedMap<G, F> {
    grid: G,
    frame: F,
    #[serde(default)]
    built: BuiltIndexes,
}

#[cfg(feature = "serialize")]
impl serde::Serialize for NavMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedMap {
            grid: self.grid(),
            frame: &self.frame,
            built: self.map.built(),
        };
        saved.serialize(serializer)
    }
}

#[cfg(feature = "serialize")]
impl TryFrom<SavedMap<Grid, Frame>> for NavMap {
    type Error = RoadError;

    fn try_from(saved: SavedMap<Grid, Frame>) -> Result<Self, RoadError> {
        let SavedMap { grid, frame, built } = saved;
        let mut map = Self::with_frame(grid, frame);
        map.map.build(&built)?;
        map.has_new_index = true;
        Ok(map)
    }
}

impl NavMap {
    /// A map whose world coordinates are its columns and rows.
    pub fn new(grid: Grid) -> Self {
        Self::with_frame(grid, Frame::default())
    }

    /// A map that lies in the world as `frame` says.
    pub fn with_frame(grid: Grid, frame: Frame) -> Self {
        Self {
            map: IndexedMap::new(grid),
            frame,
            seen: None,
            has_new_index: false,
        }
    }

    /// Where agents may stand and how they get about.
    #[inline]
    pub const fn grid(&self) -> &Grid {
        self.map.grid()
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
        self.map.set_walkable(area, walkable)
    }

    /// Sets the step cost of a cell or an area: [`Grid::set_cost`].
    ///
    /// # Errors
    ///
    /// When part of the area is not on the map, or the cost is out of range.
    pub fn set_cost(&mut self, area: impl Into<Area>, cost: u8) -> Result<u32, EditError> {
        self.map.set_cost(area, cost)
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
        self.map.set_exits(area, exits)
    }

    /// Adds a link, or replaces its cost and returns what that was: [`Grid::set_link`].
    ///
    /// # Errors
    ///
    /// When an end is not on the map, or the link costs nothing.
    pub fn set_link(&mut self, link: Link) -> Result<Option<u16>, EditError> {
        self.map.set_link(link)
    }

    /// Removes the link between two cells and returns it: [`Grid::remove_link`].
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        self.map.remove_link(from, to)
    }

    /// Makes a change that is kept as a value: [`Grid::apply`].
    ///
    /// # Errors
    ///
    /// As the method that the edit stands for.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        self.map.apply(edit)
    }

    /// Makes the bitboard of the places where a body of one size fits:
    /// [`Grid::prepare_footprint`]. A chaser of a size that is not prepared has the map prepare
    /// when it comes onto it.
    pub fn prepare_footprint(&mut self, footprint: Footprint) {
        self.map.prepare_footprint(footprint);
    }

    /// Builds the connected components for chasers of some rules:
    /// [`IndexedMap::build_regions`]. Goals that are cut off then cost no search.
    pub fn build_regions(&mut self, rules: Rules) {
        self.prepare_footprint(rules.footprint);
        self.map.build_regions(rules);
        self.has_new_index = true;
    }

    /// Marks where scans for jump points end, for bodies of one size under one corner rule:
    /// [`IndexedMap::build_jumps`].
    pub fn build_jumps(&mut self, footprint: Footprint, corners: CornerRule) {
        self.map.build_jumps(footprint, corners);
        self.has_new_index = true;
    }

    /// Builds the graph of portals for chasers of some rules: [`IndexedMap::build_portals`].
    pub fn build_portals(&mut self, rules: Rules) {
        self.prepare_footprint(rules.footprint);
        self.map.build_portals(rules);
        self.has_new_index = true;
    }

    /// Builds the blocks of uniform ground for bodies of one size:
    /// [`IndexedMap::build_mosaic`].
    pub fn build_mosaic(&mut self, footprint: Footprint) {
        self.prepare_footprint(footprint);
        self.map.build_mosaic(footprint);
        self.has_new_index = true;
    }

    /// Marks cells as main roads for chasers of some rules, in place of those before:
    /// [`IndexedMap::insert_roads`].
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first cell that is not on the map; the roads are then as they were.
    ///
    /// # Example
    ///
    /// ```
    /// use nav::NavMap;
    /// use nav_grid::{Grid, Rules};
    ///
    /// let mut map = NavMap::new(Grid::open(16, 16)?);
    /// // All ground of the least cost.
    /// let grid = map.grid();
    /// let best: Vec<_> = grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1).collect();
    /// map.insert_roads(Rules::default(), best)?;
    /// assert!(map.roads().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_roads(
        &mut self,
        rules: Rules,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<(), RoadError> {
        self.prepare_footprint(rules.footprint);
        self.has_new_index = true;
        self.map.insert_roads(rules, cells)
    }

    /// Drops the connected components and returns whether there were any.
    pub fn remove_regions(&mut self) -> bool {
        self.map.remove_regions()
    }

    /// Drops the graph of portals and returns whether there was one.
    pub fn remove_portals(&mut self) -> bool {
        self.map.remove_portals()
    }

    /// Drops the blocks of uniform ground and returns whether there were any.
    pub fn remove_mosaic(&mut self) -> bool {
        self.map.remove_mosaic()
    }

    /// Drops the main roads and returns whether there were any.
    pub fn remove_roads(&mut self) -> bool {
        self.map.remove_roads()
    }

    /// The grid together with its indexes, as searches take it.
    #[inline]
    pub const fn indexed(&self) -> &IndexedMap {
        &self.map
    }

    /// The connected components, if they were built.
    #[inline]
    pub const fn regions(&self) -> Option<&Regions> {
        self.map.regions()
    }

    /// The graph of portals, if it was built.
    #[inline]
    pub const fn portals(&self) -> Option<&PortalGraph> {
        self.map.portals()
    }

    /// The blocks of uniform ground, if they were built.
    #[inline]
    pub const fn mosaic(&self) -> Option<&Mosaic> {
        self.map.mosaic()
    }

    /// The main roads, if they were inserted.
    #[inline]
    pub const fn roads(&self) -> Option<&TrunkRoads> {
        self.map.roads()
    }

    /// Brings the indexes up to date with the map. O(1) where nothing was edited.
    pub(crate) fn repair_indexes(&mut self) {
        self.map.repair();
    }

    /// Whether the plugin has not looked at it yet.
    pub const fn is_new(&self) -> bool {
        self.seen.is_none()
    }

    /// The version up to which edits were seen, which from now on is the current one. `None`
    /// stands for a map that is new.
    pub(crate) fn see_edits(&mut self) -> Option<u64> {
        self.seen.replace(self.grid().version())
    }

    /// Notes that all there is of it was seen, as by the world that it was saved in: only what changes from
    /// now on is news.
    #[cfg(feature = "serialize")]
    pub(crate) fn see_all(&mut self) {
        self.seen = Some(self.grid().version());
        self.has_new_index = false;
    }

    /// Whether an index was built since the last call.
    pub(crate) fn see_new_index(&mut self) -> bool {
        std::mem::take(&mut self.has_new_index)
    }
}

impl Clone for NavMap {
    /// A copy is a new map: whoever is put on it is looked at.
    fn clone(&self) -> Self {
        Self {
            map: self.map.clone(),
            frame: self.frame.clone(),
            seen: None,
            has_new_index: false,
        }
    }
}

impl Hash for NavMap {
    /// The ground, where it lies, and what is built of it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            map,
            frame,
            // Whether it was looked at shows in nothing but the next look.
            seen: _,
            has_new_index: _,
        } = self;
        map.grid().hash(state);
        // Adding nothing makes one zero of the two.
        frame.origin().map(|at| (at + 0.0).to_bits()).hash(state);
        frame.cell_size().to_bits().hash(state);
        frame.axes().hash(state);
        hash_heights(frame.heights(), state);
        map.regions().map(Regions::rules).hash(state);
        map.portals().map(PortalGraph::rules).hash(state);
        map.mosaic().map(Mosaic::footprint).hash(state);
        let roads = map.roads();
        roads.map(|of| (of.rules(), of.marked_cells())).hash(state);
    }
}

/// Nothing of floors that all lie at the origin, so that maps of old digests have those still.
fn hash_heights(heights: &FloorHeights, state: &mut impl Hasher) {
    let bits = |height: f64| (height + 0.0).to_bits();
    match heights {
        FloorHeights::Origin => {}
        &FloorHeights::Storeys(height) => (1_u8, bits(height)).hash(state),
        FloorHeights::Each(heights) => {
            (2_u8, heights.len()).hash(state);
            for &height in heights {
                bits(height).hash(state);
            }
        }
    }
}

impl PartialEq for NavMap {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map && self.frame == other.frame
    }
}
