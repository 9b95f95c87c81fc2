//! Maps as entities.

use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::{
    Area, Cell, Directions, Edit, Footprint, Frame, Grid, Link, Method, Rules,
    index::{MapIndexes, Mosaic, PortalGraph, Regions},
    map::EditError,
};

/// A map that agents walk on. Spawn one entity per map: a room, an instance, a world.
///
/// Edits take effect in the next tick, or in the same one if made before
/// [`NavSystems::Observe`](crate::NavSystems::Observe): chasers whose way they close search
/// again at once, and [`PathBroken`](crate::PathBroken) says so. Only chasers with a waypoint in
/// an edited tile of 64×64 cells are looked at. Systems that cannot borrow the map edit it with
/// [`EditMap`](crate::EditMap).
///
/// What was [prepared](Self::prepare) follows the edits, once a tick in
/// [`NavSystems::Observe`](crate::NavSystems::Observe), before anybody searches. It is not saved:
/// prepare a map that was loaded.
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
    #[cfg_attr(feature = "serialize", serde(skip))]
    charts: MapIndexes,
}

impl NavMap {
    /// A map whose world coordinates are its columns and rows.
    pub fn new(grid: Grid) -> Self {
        Self::with_frame(grid, Frame::default())
    }

    /// A map that lies in the world as `frame` says.
    pub fn with_frame(grid: Grid, frame: Frame) -> Self {
        Self {
            grid,
            frame,
            seen: None,
            charts: MapIndexes::default(),
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

    /// Prepares for searches of a method by chasers of some rules: at load, so that no tick pays
    /// for it. Makes what the method needs, or goes faster with, on this map, and nothing else:
    ///
    /// | method | |
    /// |---|---|
    /// | [`Auto`](Method::Auto) | [`Regions`], which tell goals that are cut off at once |
    /// | [`Jps`](Method::Jps) | [jumps](Grid::prepare_jumps) |
    /// | [`Portal`](Method::Portal) | [`PortalGraph`], over which far chasers of a target share a field, too |
    /// | [`Mosaic`](Method::Mosaic) | [`Mosaic`] |
    /// | [`Trunk`](Method::Trunk) | nothing: where roads run is for the game to say, see [`NavMap::charts_mut`] |
    /// | others | nothing |
    ///
    /// [`Method::Auto`] also uses what other methods had prepared. A map has one chart of each
    /// kind; one that is there for other rules is replaced. Jumps are kept for all rules.
    /// All of them prepare for the footprint, too, as [`NavMap::prepare_footprint`].
    ///
    /// # Complexity
    ///
    /// That of [`Regions::of`], [`Grid::prepare_jumps`], [`PortalGraph::new`] or [`Mosaic::new`];
    /// nothing if it is there and up to date.
    pub fn prepare(&mut self, method: Method, rules: Rules) {
        let footprint = rules.footprint;
        self.prepare_footprint(footprint);
        let Self { grid, charts, .. } = self;
        match method {
            Method::Auto => {
                let regions = charts.regions.take();
                let regions = regions.filter(|regions| regions.serve(grid, rules));
                charts.regions = regions.or_else(|| Some(Regions::of(grid, rules)));
            }
            Method::Jps => grid.prepare_jumps(footprint, rules.corners),
            Method::Portal => {
                let portals = charts.portals.take();
                let portals = portals.filter(|portals| portals.serves(grid, rules));
                charts.portals = portals.or_else(|| Some(PortalGraph::new(grid, rules)));
            }
            Method::Mosaic => {
                let mosaic = charts.mosaic.take();
                let mosaic = mosaic.filter(|mosaic| {
                    (mosaic.footprint(), mosaic.version()) == (footprint, grid.version())
                });
                charts.mosaic = mosaic.or_else(|| Some(Mosaic::new(grid, footprint)));
            }
            _ => {}
        }
    }

    /// What was prepared of the map.
    #[inline]
    pub const fn charts(&self) -> &MapIndexes {
        &self.charts
    }

    /// What was prepared of the map, to add to or to take from: roads, above all. Charts must be
    /// of this map.
    ///
    /// ```
    /// use nav::NavMap;
    /// use nav_grid::{Grid, Rules, index::TrunkRoads};
    ///
    /// let mut map = NavMap::new(Grid::open(16, 16)?);
    /// let best = map.grid().walkable_cells().filter(|&cell| map.grid().cost(cell) == 1);
    /// let roads = TrunkRoads::new(map.grid(), Rules::default(), best);
    /// map.charts_mut().trunk = Some(roads);
    /// # Ok::<(), nav_grid::GridError>(())
    /// ```
    pub const fn charts_mut(&mut self) -> &mut MapIndexes {
        &mut self.charts
    }

    /// Brings what was prepared up to date with the map. Nothing to do where nothing was edited.
    pub(crate) fn repair_charts(&mut self) {
        let Self { grid, charts, .. } = self;
        if let Some(regions) = &mut charts.regions {
            regions.repair(grid);
        }
        if let Some(portals) = &mut charts.portals {
            portals.repair(grid);
        }
        if let Some(mosaic) = &mut charts.mosaic {
            mosaic.repair(grid);
        }
        if let Some(roads) = &mut charts.trunk {
            roads.repair(grid);
        }
    }

    /// Whether the plugin has not looked at it yet.
    pub(crate) const fn is_new(&self) -> bool {
        self.seen.is_none()
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
        Self {
            charts: self.charts.clone(),
            ..Self::with_frame(self.grid.clone(), self.frame)
        }
    }
}

impl PartialEq for NavMap {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid && self.frame == other.frame
    }
}
