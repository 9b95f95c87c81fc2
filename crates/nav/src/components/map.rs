//! Maps as entities.

use super::Chaser;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
#[cfg(feature = "serialize")]
use nav_grid::index::{BuiltIndexes, RoadError};
use nav_grid::{
    Frame, Grid, IndexedMap, Rules,
    map::{FloorHeights, FrameError, Shift, Tile},
};
use std::{
    hash::{Hash, Hasher},
    ops::{Deref, DerefMut},
};

/// A map that agents walk on. Spawn one entity per map: a room, an instance, a world.
///
/// It is an [`IndexedMap`] with a [`Frame`]: edits and looks at the grid are methods of that.
///
/// # Edits
///
/// Edits count from the next tick on, or in the same one if made before
/// [`NavSystems::Observe`](crate::NavSystems::Observe). Chasers whose path an edit closes search
/// again at once, and [`PathBroken`](crate::PathBroken) reports it. Nearby chasers whose way an
/// edit may have opened or shortened search again within one interval, spread over it. Only edited
/// tiles of 64×64 cells are examined. Systems that cannot borrow the map use
/// [`MapCommands`](crate::MapCommands).
///
/// # Preparation
///
/// A map builds by itself what its chasers need beyond their [windows](crate::Chaser::limits):
/// regions and portals for their rules, once one of them needs it, by the
/// [budget](crate::NavBudget) of several ticks. Until then these chasers approach by what their
/// windows show. A map on which nothing was built is prepared for default chasers while nothing
/// chases in the whole world. [`prepare`](Self::prepare) does it at once, at load;
/// [`plain`](Self::plain) makes a map that never does it. After edits the indexes are repaired in
/// [`NavSystems::Observe`](crate::NavSystems::Observe), by the same budget.
///
/// Chasers that name a method need its index, which only the game builds. A saved map names its
/// indexes, and loading builds them again. A new map that was edited after they were built has them
/// repaired at once, in its first tick.
///
/// What to build for chasers of each method, with its cost, and the memory that it takes:
///
/// - [`Method::Auto`]: nothing, or [`prepare`](Self::prepare). Some 5 µs a tile of 64×64 cells, and
///   20 µs a cluster of 32×32, on dense clutter 80; some 0.7 bytes a cell, there 1.4.
/// - [`Method::Jps`]: [`build_jumps`](Self::build_jumps). A few passes, 64 cells at a time; 13 to
///   15 bits a cell.
/// - [`Method::Portal`]: [`build_portals`](Self::build_portals). Some 20 µs a cluster of 32×32
///   cells, on dense clutter 80; some 0.7 bytes a cell, there 1.4.
/// - [`Method::Mosaic`]: [`build_mosaic`](Self::build_mosaic). A pass over all cells; up to 1 byte
///   a cell.
/// - [`Method::Trunk`]: [`insert_roads`](Self::insert_roads). O(n log n) in the road cells; 40 to
///   230 bytes each.
/// - Any method, for bodies of 2×2 cells and more: nothing, or
///   [`prepare_footprint`](IndexedMap::prepare_footprint). A pass, 64 cells at a time; a bit a
///   cell.
///
/// Jumps and portals that a game built serve far searches of [`Method::Auto`], too.
///
/// Components, portals, jumps and footprints are kept for every size and rule that was requested.
/// There is one mosaic and one set of roads. Building them for others replaces them.
///
/// [`Method::Auto`]: nav_grid::Method::Auto
/// [`Method::Jps`]: nav_grid::Method::Jps
/// [`Method::Portal`]: nav_grid::Method::Portal
/// [`Method::Mosaic`]: nav_grid::Method::Mosaic
/// [`Method::Trunk`]: nav_grid::Method::Trunk
#[derive(Component, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serialize", serde(try_from = "SavedMap<Grid, Frame>"))]
pub struct NavMap {
    pub(super) map: IndexedMap,
    frame: Frame,
    /// The version of the grid when the plugin last looked for edits; `None` for a new map, even if
    /// it replaces another.
    seen: Option<u64>,
    /// The edits of a loaded map that the plugin had not seen when it was saved.
    unseen: UnseenEdits,
    /// The indexes that are new since then.
    pub(super) news: IndexNews,
    /// Whether it builds the indexes that its chasers need.
    prepares: bool,
    /// Whether indexes are not ready that were wanted or edited in an earlier tick.
    is_building: bool,
    /// The version of the grid up to which all indexes are repaired.
    repaired: u64,
}

/// The tiles with edits that the plugin has not seen, each list in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct UnseenEdits {
    pub(crate) tiles: Vec<Tile>,
    /// Those where other ways may be best now.
    pub(crate) ways: Vec<Tile>,
}

/// The indexes of a map that are new to the plugin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum IndexNews {
    #[default]
    None,
    /// The plugin completed one.
    Completed,
    /// The game built one.
    Built,
}

/// The saved form of a map: its grid and its frame, borrowed or owned, and the names of its
/// indexes.
#[cfg(feature = "serialize")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "NavMap", deny_unknown_fields)]
struct SavedMap<G, F> {
    grid: G,
    frame: F,
    #[serde(default)]
    built: BuiltIndexes,
    /// Whether it never prepares itself.
    #[serde(default)]
    plain: bool,
    /// The indexes that waiting chasers do not know of yet.
    #[serde(default)]
    news: IndexNews,
    /// Whether chasers wait for indexes under way.
    #[serde(default)]
    building: bool,
}

#[cfg(feature = "serialize")]
impl serde::Serialize for NavMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedMap {
            grid: self.grid(),
            frame: &self.frame,
            built: self.map.built(),
            plain: !self.prepares,
            news: self.news,
            building: self.is_building,
        };
        saved.serialize(serializer)
    }
}

#[cfg(feature = "serialize")]
impl TryFrom<SavedMap<Grid, Frame>> for NavMap {
    type Error = RoadError;

    fn try_from(saved: SavedMap<Grid, Frame>) -> Result<Self, RoadError> {
        let mut map = Self::with_frame(saved.grid, saved.frame);
        map.map.build(&saved.built)?;
        map.news = saved.news;
        map.is_building = saved.building;
        map.prepares = !saved.plain;
        Ok(map)
    }
}

impl NavMap {
    /// A map whose world coordinates equal its columns and rows.
    pub fn new(grid: Grid) -> Self {
        Self::with_frame(grid, Frame::default())
    }

    /// A map placed in the world by `frame`.
    pub fn with_frame(grid: Grid, frame: Frame) -> Self {
        Self {
            map: IndexedMap::new(grid),
            frame,
            seen: None,
            unseen: UnseenEdits::default(),
            news: IndexNews::None,
            prepares: true,
            is_building: false,
            repaired: 0,
        }
    }

    /// A map that [never prepares itself](Self#preparation): chasers approach by what their windows
    /// show, and by the indexes that the game builds.
    pub fn plain(grid: Grid) -> Self {
        Self::new(grid).into_plain()
    }

    /// The same map, which from now on [never prepares itself](Self#preparation).
    #[must_use]
    pub fn into_plain(mut self) -> Self {
        self.prepares = false;
        self
    }

    /// Builds at once what chasers of some rules need beyond their windows: [regions] and portals.
    /// For loading screens: some 0.2 s for 2048×2048 cells.
    ///
    /// [regions]: Self::build_regions
    pub fn prepare(&mut self, rules: Rules) {
        self.build_regions(rules);
        self.build_portals(rules);
    }

    /// The frame: how world coordinates map to cells.
    #[inline]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The grid together with its indexes, as searches need it.
    #[inline]
    pub const fn indexed(&self) -> &IndexedMap {
        &self.map
    }

    /// Moves the map as a window over a larger world, which stays where it is:
    /// [`IndexedMap::shift`], and the frame.
    ///
    /// The plugin takes it for a new map, and what it prepared is built again by the budget of the
    /// next ticks. Agents stay on their cells: [`shift_map`](crate::shift_map) moves them along.
    ///
    /// # Errors
    ///
    /// [`FrameError`] when the world is so far out that neighbouring cells would share coordinates.
    /// The map does not change then.
    pub fn shift(&mut self, by: Shift) -> Result<(), FrameError> {
        let frame = &self.frame;
        let origin = frame.world(by.in_cells());
        let moved = Frame::new(origin, frame.cell_size(), frame.axes())?;
        self.frame = moved.with_heights(frame.heights().clone())?;
        self.map.shift(by);
        self.seen = None;
        self.unseen = UnseenEdits::default();
        self.is_building |= self.map.progress().due > 0;
        Ok(())
    }

    /// Whether it is to build what chasers of some rules need beyond their windows, and has not
    /// begun.
    pub(crate) fn lacks(&self, rules: Rules) -> bool {
        self.prepares && self.map.indexes().portals_for(rules).is_none()
    }

    /// Begins to build what chasers of some rules need beyond their windows, unless it is there.
    pub(crate) fn want(&mut self, rules: Rules) {
        if self.lacks(rules) {
            self.map.want(rules);
            self.is_building = true;
        }
    }

    /// Begins to build what default chasers need beyond their windows, if nothing was built or
    /// begun so far.
    pub(crate) fn want_ahead(&mut self) {
        if self.map.progress().of == 0 {
            self.want(Chaser::default().rules);
        }
    }

    /// Whether indexes are to be built or repaired.
    pub(crate) fn is_due(&self) -> bool {
        self.is_building || self.repaired != self.grid().version()
    }

    /// Builds and repairs indexes for about `work`, and returns the work done. Indexes that
    /// took more than one call are new ones: meanwhile no search could use them.
    pub(crate) fn prepare_within(&mut self, work: u32) -> u32 {
        let done = self.map.repair_within(work);
        if self.map.progress().due > 0 {
            self.is_building = true;
        } else {
            self.repaired = self.grid().version();
            if std::mem::take(&mut self.is_building) {
                self.news = self.news.max(IndexNews::Completed);
            }
        }
        done
    }

    /// Completes the indexes under way, since a saved map has no incomplete ones. Returns whether
    /// there were any.
    #[cfg(feature = "serialize")]
    pub(crate) fn complete(&mut self) -> bool {
        let was_building = self.is_building;
        self.prepare_within(u32::MAX);
        was_building
    }

    /// Whether the plugin has not seen the map yet.
    pub const fn is_new(&self) -> bool {
        self.seen.is_none()
    }

    /// The edits since the plugin last looked; `None` for a new map, of which everything is new.
    pub(crate) fn unseen_edits(&self) -> Option<UnseenEdits> {
        let since = self.seen?;
        let (grid, before) = (self.grid(), &self.unseen);
        Some(UnseenEdits {
            tiles: with_more(&before.tiles, grid.tiles_edited_since(since)),
            ways: with_more(&before.ways, grid.ways_edited_since(since)),
        })
    }

    /// Marks all edits as seen, and returns them as [`Self::unseen_edits`]. The indexes of a new
    /// map are made those of its saved form.
    pub(crate) fn see_edits(&mut self) -> Option<UnseenEdits> {
        if self.is_new() {
            self.map.settle();
        }
        let unseen = self.unseen_edits();
        self.seen = Some(self.grid().version());
        self.unseen = UnseenEdits::default();
        unseen
    }

    /// Marks a loaded map as seen but for what was not when it was saved; `None` for a map that was
    /// new then.
    #[cfg(feature = "serialize")]
    pub(crate) fn load_seen(&mut self, unseen: Option<UnseenEdits>) {
        self.seen = unseen.as_ref().map(|_| self.grid().version());
        self.unseen = unseen.unwrap_or_default();
    }

    /// Whether there are indexes that the plugin has not seen yet.
    pub(crate) fn has_new_index(&self) -> bool {
        self.news != IndexNews::None
    }

    /// Whether the game built an index since the plugin last looked.
    pub fn was_built(&self) -> bool {
        self.news == IndexNews::Built
    }

    /// Returns whether there are new indexes since the last call. Indexes that the game built are
    /// repaired at once if it edited the map afterwards: it has paid for them in this tick.
    pub(crate) fn see_new_index(&mut self) -> bool {
        if self.was_built() {
            self.map.repair_complete();
        }
        std::mem::take(&mut self.news) != IndexNews::None
    }
}

/// Access for a recorder that repeats the edits of another map.
#[cfg(feature = "serialize")]
impl NavMap {
    /// Marks tiles as edited without a change, and the ways in some of them.
    pub fn touch_tiles(
        &mut self,
        tiles: impl IntoIterator<Item = Tile>,
        ways: impl IntoIterator<Item = Tile>,
    ) {
        self.map.touch_tiles(tiles, ways);
    }

    /// Builds the indexes that another map has, and removes the others. `was_built` says whether
    /// the game built one of them.
    ///
    /// # Errors
    ///
    /// [`RoadError`] if a main road leaves the map. Everything else is built.
    pub fn build_as(&mut self, built: &BuiltIndexes, was_built: bool) -> Result<(), RoadError> {
        self.map.retain(built);
        if was_built {
            self.news = IndexNews::Built;
        }
        let result = self.map.build(built);
        self.is_building |= self.map.progress().due > 0;
        result
    }
}

impl Deref for NavMap {
    type Target = IndexedMap;

    #[inline]
    fn deref(&self) -> &IndexedMap {
        &self.map
    }
}

impl DerefMut for NavMap {
    #[inline]
    fn deref_mut(&mut self) -> &mut IndexedMap {
        &mut self.map
    }
}

impl Clone for NavMap {
    /// A copy is a new map, which the plugin has not seen yet. As in a saved one, indexes are up to
    /// date, and those under way begin again.
    fn clone(&self) -> Self {
        let mut map = self.map.clone();
        map.settle();
        Self {
            is_building: self.is_building,
            map,
            frame: self.frame.clone(),
            seen: None,
            unseen: UnseenEdits::default(),
            news: self.news,
            prepares: self.prepares,
            repaired: 0,
        }
    }
}

impl Hash for NavMap {
    /// Hashes the grid, the frame, and what the indexes are built for.
    fn hash<H: Hasher>(&self, state: &mut H) {
        // What the plugin has seen follows from the tick and is left out.
        let Self {
            map,
            frame,
            prepares,
            ..
        } = self;
        map.grid().hash(state);
        // Adding 0 turns -0 into 0: both lie at the same place.
        frame.origin().map(|at| (at + 0.0).to_bits()).hash(state);
        frame.cell_size().to_bits().hash(state);
        frame.axes().hash(state);
        hash_heights(frame.heights(), state);
        // What is under way begins again where a map is loaded.
        let built = map.built();
        (built.regions, built.portals, built.mosaic, built.roads).hash(state);
        prepares.hash(state);
    }
}

/// Tiles of before and of now, in order, each once.
fn with_more(before: &[Tile], now: impl Iterator<Item = Tile>) -> Vec<Tile> {
    let mut tiles = before.to_vec();
    tiles.extend(now);
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

/// Hashes nothing for floors that all lie at the origin, which keeps the digests of older versions.
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
