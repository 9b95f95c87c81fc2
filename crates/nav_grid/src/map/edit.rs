//! Edits of a map, as methods and as values.

use super::{
    grid::Grid,
    link::Link,
    size::{Area, Size},
    tiles::Tile,
};
use crate::{
    cell::{Cell, Directions},
    rules::Footprint,
};

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
        let changed = self.walkable.fill(area, walkable);
        if changed > 0 {
            self.clearance.repair(&self.walkable, self.size, area);
            self.edited(area);
        }
        Ok(changed)
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
        let mut changed = 0;
        // Before the cells open, so that a cell that opens and gets a new cost counts once.
        for cell in area.cells() {
            let before = self.costs.set(cell, self.size, cost);
            let opened = !self.walkable.get(cell.x, cell.y, cell.floor);
            changed += u32::from(opened || before != cost);
        }
        if self.walkable.fill(area, true) > 0 {
            self.clearance.repair(&self.walkable, self.size, area);
        }
        if changed > 0 {
            self.edited(area);
        }
        Ok(changed)
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
        let area = self.checked(area.into())?;
        let mut changed = 0;
        for cell in area.cells() {
            let before = self.exits.set(cell, self.size, exits.0);
            changed += u32::from(before != exits.0);
        }
        if changed > 0 {
            self.edited(area);
        }
        Ok(changed)
    }

    /// Adds a link, or replaces the cost of the link between the same cells and returns the
    /// previous cost. Its ends may be blocked; searches use the link while they are free.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when an end is not on the map, [`EditError::FreeLink`] when the
    /// cost is 0.
    ///
    /// # Complexity
    ///
    /// O(links); the first one allocates a bit per cell of the map.
    pub fn set_link(&mut self, link: Link) -> Result<Option<u16>, EditError> {
        self.check_link(link)?;
        let before = self.links.set(link, self.size);
        if before != Some(link.cost) {
            self.relinked(link.from, link.to);
        }
        Ok(before)
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
        for link in &links {
            self.relinked(link.from, link.to);
        }
        self.links.extend(links, self.size);
        Ok(())
    }

    /// Removes the link between two cells and returns it, or `None` if there is none.
    ///
    /// # Complexity
    ///
    /// O(links).
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> Option<Link> {
        let link = self.links.remove(from, to)?;
        self.relinked(from, to);
        Some(link)
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
            Edit::Link(link) => Ok(u32::from(self.set_link(link)? != Some(link.cost))),
            Edit::Unlink { from, to } => {
                for end in [from, to] {
                    self.checked(end.into())?;
                }
                Ok(u32::from(self.remove_link(from, to).is_some()))
            }
        }
    }

    /// Counts tiles as edited without changing a cell, so that indexes and paths are checked again.
    /// Tiles outside the map are skipped. For callers that repeat edits from their outcome alone.
    #[doc(hidden)]
    pub fn touch_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) {
        self.tiles.edit_tiles(tiles);
    }

    /// Frees the memory of layers on which no cell differs from the default any more.
    ///
    /// # Complexity
    ///
    /// One pass over the layers.
    #[doc(hidden)]
    pub fn compact(&mut self) {
        self.costs.compact();
        self.exits.compact();
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
    pub(crate) fn edited(&mut self, area: Area) {
        self.tiles.edit(self.affected(area));
    }

    /// Counts one edit to all tiles.
    pub(crate) fn edited_everywhere(&mut self) {
        self.tiles.edit(self.size.floor_area(0));
        for area in self.size.floor_areas() {
            self.tiles.touch(area);
        }
    }

    fn relinked(&mut self, from: Cell, to: Cell) {
        // One edit of two places, since indexes keep links at both ends.
        self.tiles.edit(self.affected(from.into()));
        self.tiles.touch(self.affected(to.into()));
    }

    fn affected(&self, area: Area) -> Area {
        let grown = area.grown(Footprint::SIDE_MAX.into(), 1);
        grown.clipped(self.size)
    }
}

/// An edit was refused, and the map is unchanged.
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
