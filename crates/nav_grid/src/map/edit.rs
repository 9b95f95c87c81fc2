//! Edits of a map, as methods and as values.

use super::{
    grid::Grid,
    layers::ByteLayer,
    link::Link,
    size::{Area, Size},
    tiles::{Change, Tile},
    views::Sight,
};
use crate::{
    cell::{Cell, Directions},
    rules::{Class, Footprint},
};
use std::sync::Arc;

/// A change of a map as a value, to be sent, kept and applied with [`Grid::apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Edit {
    /// Opens or blocks cells: [`Grid::set_walkable`].
    Walkable(Area, bool),
    /// Sets the step cost: [`Grid::set_cost`].
    Cost(Area, u8),
    /// Sets the exits: [`Grid::set_exits`].
    Exits(Area, Directions),
    /// Sets the terrain class: [`Grid::set_class`].
    Class(Area, Class),
    /// Sets whether cells can be seen through: [`Grid::set_sight`].
    Sight(Area, Sight),
    /// Adds a link or replaces its cost: [`Grid::set_link`].
    Link(Link),
    /// Removes the link between two cells: [`Grid::remove_link`].
    Unlink {
        /// The start of the link.
        from: Cell,
        /// The end of the link.
        to: Cell,
    },
}

/// Edits. Each checks first, changes nothing if it fails, and returns the number of changed cells.
/// Each keeps prepared footprints up to date, and raises [versions](Grid::tile_version) if
/// anything changed.
impl Grid {
    /// Opens or blocks a cell or an area. Blocked cells keep their cost, so that a door has it
    /// again when it opens.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the area is not on the map.
    ///
    /// # Complexity
    ///
    /// 64 cells at a time, and again with a few rows and columns more for each prepared footprint.
    pub fn set_walkable(
        &mut self,
        area: impl Into<Area>,
        walkable: bool,
    ) -> Result<u32, EditError> {
        let area = self.checked(area.into())?;
        Ok(self.change(&[area], |grid| {
            let changed = grid.walkable.fill(area, walkable);
            if changed > 0 {
                grid.clearance.repair(&grid.walkable, grid.size, area);
                grid.edited(area, Change::Cells);
            }
            changed
        }))
    }

    /// Makes a cell or an area walkable at a step cost of 1 to [`Grid::COST_WORST`], or blocks
    /// it with a cost of 0.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the area is not on the map, [`EditError::Cost`] when
    /// the cost is out of range.
    ///
    /// # Complexity
    ///
    /// O(cells); the first cost other than 1 allocates a byte per cell of the map.
    pub fn set_cost(&mut self, area: impl Into<Area>, cost: u8) -> Result<u32, EditError> {
        let area = self.checked(area.into())?;
        if cost == 0 {
            return self.set_walkable(area, false);
        }
        if cost > Self::COST_WORST {
            return Err(EditError::Cost { cost });
        }
        Ok(self.change(&[area], |grid| {
            let (mut changed, mut change) = (0, Change::Cells);
            // Before the cells open, so that a cell that opens and gets a new cost counts once.
            for cell in area.cells() {
                let before = grid.costs.set(cell, grid.size, cost);
                let opened = !grid.walkable.get(cell.x, cell.y, cell.floor);
                changed += u32::from(opened || before != cost);
                if before != cost {
                    change = Change::Ways;
                }
            }
            if grid.walkable.fill(area, true) > 0 {
                grid.clearance.repair(&grid.walkable, grid.size, area);
            }
            if changed > 0 {
                grid.edited(area, change);
            }
            changed
        }))
    }

    /// Sets the directions in which a cell or an area may be left. Links are not affected.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the area is not on the map.
    ///
    /// # Complexity
    ///
    /// O(cells); the first exits other than all allocate a byte per cell of the map.
    pub fn set_exits(
        &mut self,
        area: impl Into<Area>,
        exits: Directions,
    ) -> Result<u32, EditError> {
        self.set_bytes(area.into(), exits.0, Change::Ways, |grid| &mut grid.exits)
    }

    /// Sets the [terrain class](Class) of a cell or an area. Blocked cells keep theirs, as costs.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the area is not on the map.
    ///
    /// # Complexity
    ///
    /// O(cells); the first class other than 0 allocates a byte per cell of the map.
    pub fn set_class(&mut self, area: impl Into<Area>, class: Class) -> Result<u32, EditError> {
        let class = class.number();
        self.set_bytes(area.into(), class, Change::Ways, |grid| &mut grid.classes)
    }

    /// Sets whether a cell or an area can be seen through. It matters to chasers that need sight,
    /// not to walking.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the area is not on the map.
    ///
    /// # Complexity
    ///
    /// O(cells); the first cell that differs allocates a byte per cell of the map.
    pub fn set_sight(&mut self, area: impl Into<Area>, sight: Sight) -> Result<u32, EditError> {
        let sight = sight as u8;
        self.set_bytes(area.into(), sight, Change::Cells, |grid| &mut grid.sight)
    }

    fn set_bytes(
        &mut self,
        area: Area,
        byte: u8,
        change: Change,
        layer: impl Fn(&mut Self) -> &mut ByteLayer,
    ) -> Result<u32, EditError> {
        let area = self.checked(area)?;
        Ok(self.change(&[area], |grid| {
            let size = grid.size;
            let layer = layer(grid);
            let cells = area.cells();
            let changed = cells
                .filter(|&cell| layer.set(cell, size, byte) != byte)
                .count() as u32;
            if changed > 0 {
                grid.edited(area, change);
            }
            changed
        }))
    }

    /// Adds a link, or replaces the link between the same cells and returns that. Its ends may be
    /// blocked; searches use the link while they are free.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when an end is not on the map, [`EditError::FreeLink`] when the
    /// cost is 0.
    ///
    /// # Complexity
    ///
    /// O(links); the first one allocates a bit per cell of the map.
    pub fn set_link(&mut self, link: Link) -> Result<Option<Link>, EditError> {
        self.check_link(link)?;
        Ok(self.change(&[], |grid| {
            let before = Arc::make_mut(&mut grid.links).set(link, grid.size);
            if before != Some(link) {
                grid.relinked(link.from, link.to);
            }
            before
        }))
    }

    /// Adds many links at once, as at load. Of several links between the same cells the last one
    /// counts. Adds none of them if one is refused.
    ///
    /// # Errors
    ///
    /// As [`Grid::set_link`], for the first refused link.
    ///
    /// # Complexity
    ///
    /// O(n log n) in all links together.
    pub fn set_links(&mut self, links: impl IntoIterator<Item = Link>) -> Result<(), EditError> {
        let links: Vec<Link> = links.into_iter().collect();
        for &link in &links {
            self.check_link(link)?;
        }
        self.change(&[], |grid| {
            for link in &links {
                grid.relinked(link.from, link.to);
            }
            Arc::make_mut(&mut grid.links).extend(links, grid.size);
        });
        Ok(())
    }

    /// Removes the link between two cells and returns it, or `None` if there is none.
    ///
    /// # Complexity
    ///
    /// O(links).
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        self.change(&[], |grid| {
            let link = Arc::make_mut(&mut grid.links).remove(from, to)?;
            grid.relinked(from, to);
            Some(link)
        })
    }

    /// Applies an edit and returns the number of changed cells. A link counts as one.
    ///
    /// # Errors
    ///
    /// Those of the method that the edit stands for.
    pub fn apply(&mut self, edit: &Edit) -> Result<u32, EditError> {
        match *edit {
            Edit::Walkable(area, walkable) => self.set_walkable(area, walkable),
            Edit::Cost(area, cost) => self.set_cost(area, cost),
            Edit::Exits(area, exits) => self.set_exits(area, exits),
            Edit::Class(area, class) => self.set_class(area, class),
            Edit::Sight(area, sight) => self.set_sight(area, sight),
            Edit::Link(link) => Ok(u32::from(self.set_link(link)? != Some(link))),
            Edit::Unlink { from, to } => {
                for end in [from, to] {
                    self.checked(end.into())?;
                }
                Ok(u32::from(self.remove_link(from, to).is_some()))
            }
        }
    }

    /// Counts tiles as edited without changing a cell, and the ways in some of them, so that
    /// indexes and paths are checked again. Tiles outside the map are skipped. For callers that
    /// repeat edits from their outcome alone.
    #[doc(hidden)]
    pub fn touch_tiles(
        &mut self,
        tiles: impl IntoIterator<Item = Tile>,
        ways: impl IntoIterator<Item = Tile>,
    ) {
        self.change(&[], |grid| grid.tiles.edit_tiles(tiles, ways));
    }

    fn check_link(&self, link: Link) -> Result<(), EditError> {
        self.checked(link.from.into())?;
        self.checked(link.to.into())?;
        if link.cost == 0 {
            return Err(EditError::FreeLink { link });
        }
        Ok(())
    }

    fn checked(&self, area: Area) -> Result<Area, EditError> {
        if self.size.contains_area(area) {
            Ok(area)
        } else {
            let size = self.size;
            Err(EditError::Outside { area, size })
        }
    }

    /// Counts an edit of `area` to the tiles from which a body may now move differently: its
    /// anchor or its far end may step onto the area or past its corners.
    pub(crate) fn edited(&mut self, area: Area, change: Change) {
        self.tiles.edit(self.affected(area), change);
    }

    /// Counts one edit to all tiles.
    pub(crate) fn edited_everywhere(&mut self) {
        self.tiles.edit(self.size.floor_area(0), Change::Ways);
        for area in self.size.floor_areas() {
            self.tiles.touch(area, Change::Ways);
        }
    }

    fn relinked(&mut self, from: Cell, to: Cell) {
        // One edit of two places, since indexes keep links at both ends.
        self.tiles.edit(self.affected(from.into()), Change::Ways);
        self.tiles.touch(self.affected(to.into()), Change::Ways);
    }

    fn affected(&self, area: Area) -> Area {
        let grown = area.grown(Footprint::SIDE_MAX.into(), 1);
        grown.clipped(self.size)
    }
}

/// An [edit](Edit) was refused, and the map is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Part of the area, or an end of the link, is not on the map.
    #[error("{area} is outside the grid of {size} cells")]
    Outside {
        /// The area.
        area: Area,
        /// The size of the map.
        size: Size,
    },
    /// A step cost is out of range.
    #[error(
        "step cost {cost} is out of range: it must be 0, for blocked, to {}",
        Grid::COST_WORST
    )]
    Cost {
        /// The cost.
        cost: u8,
    },
    /// A link costs nothing.
    #[error("the link from {} to {} costs 0: it must cost at least 1", link.from, link.to)]
    FreeLink {
        /// The link.
        link: Link,
    },
}
