//! Sizes of maps, and rectangles on them.

use crate::{cell::Cell, rules::Footprint};

/// Columns, rows and floors of a [map](crate::Grid).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Size {
    /// Number of columns, 1 to [`Size::SIDE_MAX`] for a map.
    pub width: u16,
    /// Number of rows, 1 to [`Size::SIDE_MAX`] for a map.
    pub height: u16,
    /// Number of floors, 1 to 255 for a map.
    pub floors: u8,
}

impl Size {
    /// Greatest width and height. Larger worlds are several maps.
    ///
    /// Columns and rows of [tiles](crate::map::Tile) of 64 cells then fit in a byte each.
    pub const SIDE_MAX: u16 = 16_384;

    /// Greatest number of cells on all floors together, 2³⁰: 255 floors of 2048×2048, or 4 of
    /// the largest. Keeps every number of a cell within 32 bits.
    pub const CELLS_MAX: u64 = 1 << 30;

    /// A size of one floor.
    pub const fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            floors: 1,
        }
    }

    /// The same sides with another number of floors.
    #[must_use]
    pub const fn with_floors(self, floors: u8) -> Self {
        Self { floors, ..self }
    }

    /// Number of cells on all floors.
    pub const fn cells(self) -> u64 {
        self.width as u64 * self.height as u64 * self.floors as u64
    }

    /// Width and height exchanged.
    pub(crate) const fn on_its_side(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
            ..self
        }
    }

    /// All cells of a floor.
    pub(crate) const fn floor_area(self, floor: u8) -> Area {
        let last = Cell::new(self.width - 1, self.height - 1);
        Area::new(Cell::new(0, 0).on_floor(floor), last)
    }

    /// All cells of each floor.
    pub(crate) fn floor_areas(self) -> impl Iterator<Item = Area> {
        (0..self.floors).map(move |floor| self.floor_area(floor))
    }

    /// The number and the floor of each row, in reading order, floor by floor.
    pub(crate) fn rows(self) -> impl Iterator<Item = (u16, u8)> {
        (0..self.floors).flat_map(move |floor| (0..self.height).map(move |y| (y, floor)))
    }

    /// Whether `cell` lies within.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height && cell.floor < self.floors
    }

    /// Whether all of `area` lies within.
    pub(crate) const fn contains_area(self, area: Area) -> bool {
        self.contains(area.first()) && self.contains(area.last())
    }

    /// The size itself if a map can have it.
    ///
    /// # Errors
    ///
    /// [`GridError`] when a side is 0 or above [`Size::SIDE_MAX`], the number of floors is 0, or
    /// the number of cells is above [`Size::CELLS_MAX`].
    #[doc(hidden)]
    pub fn checked(self) -> Result<Self, GridError> {
        let sides = 1..=Self::SIDE_MAX;
        let good = sides.contains(&self.width) && sides.contains(&self.height);
        if good && self.floors > 0 && self.cells() <= Self::CELLS_MAX {
            Ok(self)
        } else {
            Err(GridError { size: self })
        }
    }

    /// The number of a cell within, in reading order, floor by floor.
    #[doc(hidden)]
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        (cell.floor as usize * self.height as usize + cell.y as usize) * self.width as usize
            + cell.x as usize
    }

    /// The cell with a number: see [`Self::index`].
    pub(crate) const fn cell(self, index: usize) -> Cell {
        let (width, height) = (self.width as usize, self.height as usize);
        Cell {
            x: (index % width) as u16,
            y: (index / width % height) as u16,
            floor: (index / width / height) as u8,
        }
    }
}

impl std::fmt::Display for Size {
    /// Writes `width x height`, as `64x48`, and the floors if there are several: `64x48x3`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if self.floors != 1 {
            write!(f, "x{}", self.floors)?;
        }
        Ok(())
    }
}

/// A [map](crate::Grid) of this size would be empty or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a grid of {size} cells cannot be made: each side must be 1 to {}, and all floors together at most {} cells",
    Size::SIDE_MAX,
    Size::CELLS_MAX
)]
#[non_exhaustive]
pub struct GridError {
    /// The requested size.
    pub size: Size,
}

/// A rectangle of cells on one floor, both corners included. A [`Cell`] is one of 1×1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "(Cell, Cell)", into = "(Cell, Cell)"))]
pub struct Area {
    first: Cell,
    right: u16,
    bottom: u16,
}

impl Area {
    /// The smallest area that holds two cells of one floor, in any order. The floor is that of
    /// `corner`; the other cell's does not count.
    pub const fn new(corner: Cell, opposite: Cell) -> Self {
        let (left, right) = in_order(corner.x, opposite.x);
        let (top, bottom) = in_order(corner.y, opposite.y);
        Self {
            first: Cell::new(left, top).on_floor(corner.floor),
            right,
            bottom,
        }
    }

    /// The upper left cell.
    pub const fn first(self) -> Cell {
        self.first
    }

    /// The lower right cell.
    pub const fn last(self) -> Cell {
        Cell::new(self.right, self.bottom).on_floor(self.first.floor)
    }

    /// Whether `cell` is one of the area's.
    pub const fn contains(self, cell: Cell) -> bool {
        self.first.x <= cell.x
            && cell.x <= self.right
            && self.first.y <= cell.y
            && cell.y <= self.bottom
            && cell.floor == self.first.floor
    }

    /// Whether the two areas have a cell in common.
    pub const fn meets(self, other: Self) -> bool {
        self.first.floor == other.first.floor
            && self.first.x <= other.right
            && other.first.x <= self.right
            && self.first.y <= other.bottom
            && other.first.y <= self.bottom
    }

    /// The cells in reading order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let Cell { x, y, floor } = self.first;
        (y..=self.bottom).flat_map(move |y| (x..=self.right).map(move |x| Cell { x, y, floor }))
    }

    /// The area with `before` more columns to the left and rows above, and `behind` more to the
    /// right and below, cut off at the ends of the coordinates' range.
    #[must_use]
    pub const fn grown(self, before: u16, behind: u16) -> Self {
        let Cell { x, y, floor } = self.first;
        let (left, top) = (x.saturating_sub(before), y.saturating_sub(before));
        Self {
            first: Cell::new(left, top).on_floor(floor),
            right: self.right.saturating_add(behind),
            bottom: self.bottom.saturating_add(behind),
        }
    }

    /// The part of the area on a map of `size`, which must hold its first cell.
    #[must_use]
    pub fn clipped(self, size: Size) -> Self {
        Self {
            right: self.right.min(size.width - 1),
            bottom: self.bottom.min(size.height - 1),
            ..self
        }
    }
}

const fn in_order(a: u16, b: u16) -> (u16, u16) {
    if a < b { (a, b) } else { (b, a) }
}

impl From<(Cell, Cell)> for Area {
    /// As [`Area::new`].
    fn from((corner, opposite): (Cell, Cell)) -> Self {
        Self::new(corner, opposite)
    }
}

impl From<Area> for (Cell, Cell) {
    /// First and last cell.
    fn from(area: Area) -> Self {
        (area.first(), area.last())
    }
}

impl From<Cell> for Area {
    fn from(cell: Cell) -> Self {
        Self::new(cell, cell)
    }
}

impl std::fmt::Display for Area {
    /// Writes the corners, as `3,4..7,9`, or a single cell alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.first() == self.last() {
            return self.first.fmt(f);
        }
        write!(f, "{}..{}", self.first(), self.last())
    }
}

impl Cell {
    /// The cell `columns` to the right and `rows` down, which must be within the coordinates'
    /// range.
    #[inline]
    pub(crate) const fn moved(self, columns: u16, rows: u16) -> Self {
        Self::new(self.x + columns, self.y + rows).on_floor(self.floor)
    }
}

impl Footprint {
    /// The cells that a body at `anchor` covers, cut off at the ends of the coordinates' range.
    pub fn area(self, anchor: Cell) -> Area {
        self.area_from(anchor.into())
    }

    /// The cells that bodies with an anchor in an area cover, cut off in the same way.
    pub(crate) fn area_from(self, anchors: Area) -> Area {
        anchors.grown(0, u16::from(self.side()) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_sizes() {
        assert!(Size::new(1, 1).checked().is_ok());
        assert!(Size::new(2048, 2048).with_floors(255).checked().is_ok());
        assert!(Size::new(16_384, 16_384).with_floors(4).checked().is_ok());
        for size in [
            Size::new(0, 5),
            Size::new(5, 0),
            Size::new(16_385, 1),
            Size::new(5, 5).with_floors(0),
            Size::new(16_384, 16_384).with_floors(5),
        ] {
            assert!(size.checked().is_err(), "{size}");
        }
        assert_eq!(
            Size::new(0, 5).checked().unwrap_err().to_string(),
            "a grid of 0x5 cells cannot be made: each side must be 1 to 16384, and all floors \
             together at most 1073741824 cells"
        );
    }

    #[test]
    fn corners_in_any_order() {
        let area = Area::new(Cell::new(5, 2), Cell::new(3, 4));
        assert_eq!(
            (area.first(), area.last()),
            (Cell::new(3, 2), Cell::new(5, 4))
        );
        assert_eq!(area.cells().count(), 9);
        assert!(area.cells().all(|cell| area.contains(cell)));
        assert!(!area.contains(Cell::new(3, 2).on_floor(1)));
        assert_eq!(area.to_string(), "3,2..5,4");
        assert_eq!(Area::from(Cell::new(7, 7)).to_string(), "7,7");
    }
}
