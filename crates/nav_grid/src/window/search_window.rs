//! The window of a search as numbered cells.

use super::window_bits::area;
use crate::{
    cell::{Cell, Directions},
    map::{Grid, Link},
};

/// The square of `2 * radius + 1` columns and rows around a start, clipped to the map: on the
/// floor of the start, or on all floors if links may lead there.
///
/// Numbers its cells from 0 in reading order, floor by floor, so that scratch memory is as large as
/// the window and not the map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchWindow {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
    /// The first floor.
    floor: u8,
    floors: u8,
    columns: u32,
}

impl SearchWindow {
    /// The window of a radius around a start, clipped to the map.
    pub(crate) fn around(start: Cell, radius: u16, grid: &Grid) -> Self {
        let cells = area(grid, start, radius);
        let (first, last) = (cells.first(), cells.last());
        Self::new(start.floor, grid, (first.x, last.x), (first.y, last.y))
    }

    /// The window of a radius around a start, moved onto the map. Beside an edge of the map the
    /// start is not in the middle.
    pub(crate) fn on_map_around(start: Cell, radius: u16, grid: &Grid) -> Self {
        let moved = |at: u16, side: u16| {
            let size = radius.saturating_mul(2).saturating_add(1).min(side);
            let first = at.saturating_sub(radius).min(side - size);
            (first, first + size - 1)
        };
        Self::new(
            start.floor,
            grid,
            moved(start.x, grid.width()),
            moved(start.y, grid.height()),
        )
    }

    fn new(floor: u8, grid: &Grid, (left, right): (u16, u16), (top, bottom): (u16, u16)) -> Self {
        let (floor, floors) = if grid.links().is_empty() {
            (floor, 1)
        } else {
            (0, grid.floors())
        };
        Self {
            left,
            top,
            right,
            bottom,
            floor,
            floors,
            columns: u32::from(right - left) + 1,
        }
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> u32 {
        u32::from(self.bottom - self.top) + 1
    }

    /// Number of floors.
    pub(crate) fn floors(&self) -> u32 {
        self.floors.into()
    }

    /// Number of cells.
    pub(crate) fn area(&self) -> usize {
        self.columns as usize * self.rows() as usize * usize::from(self.floors)
    }

    /// The nearest cell to another within the columns and rows of the window, on the other's floor.
    pub(crate) fn nearest(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.clamp(self.left, self.right),
            y: cell.y.clamp(self.top, self.bottom),
            ..cell
        }
    }

    /// The greatest distance in columns and in rows from a cell to those of the window; for a cell
    /// inside, the extent of the window.
    pub(crate) fn farthest(&self, cell: Cell) -> (u16, u16) {
        let farthest = |first: u16, last: u16, at: u16| {
            let beyond = at.abs_diff(first).max(at.abs_diff(last));
            beyond.max(last - first)
        };
        (
            farthest(self.left, self.right, cell.x),
            farthest(self.top, self.bottom, cell.y),
        )
    }

    /// Whether a cell is in the window.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        (self.left..=self.right).contains(&cell.x)
            && (self.top..=self.bottom).contains(&cell.y)
            && cell.floor.wrapping_sub(self.floor) < self.floors
    }

    /// Whether both ends of a link are in the window.
    pub(crate) fn holds_link(&self, link: &Link) -> bool {
        self.contains(link.from) && self.contains(link.to)
    }

    /// A cell of the window, relative to its first cell.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x - self.left,
            y: cell.y - self.top,
            floor: cell.floor - self.floor,
        }
    }

    /// The cell of the map at a place in the window.
    #[inline]
    pub(crate) fn at(&self, place: Cell) -> Cell {
        Cell {
            x: self.left + place.x,
            y: self.top + place.y,
            floor: self.floor + place.floor,
        }
    }

    /// The number of a cell of the window.
    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> u32 {
        let Cell { x, y, floor } = self.place(cell);
        (u32::from(floor) * self.rows() + u32::from(y)) * self.columns + u32::from(x)
    }

    /// The differences between a cell's number and those of its neighbours, by direction.
    pub(crate) fn offsets(&self) -> [i32; 8] {
        let row = self.columns as i32;
        [-row, 1 - row, 1, row + 1, row, row - 1, -1, -row - 1]
    }

    /// The directions in which a cell of the window has a neighbour in the window.
    #[inline]
    pub(crate) fn inside(&self, x: u16, y: u16) -> Directions {
        // Clockwise from north; see `Direction`.
        const NORTH: u8 = 0b1000_0011;
        const EAST: u8 = 0b0000_1110;
        const SOUTH: u8 = 0b0011_1000;
        const WEST: u8 = 0b1110_0000;
        let mut outside = 0;
        if y == self.top {
            outside |= NORTH;
        }
        if x == self.right {
            outside |= EAST;
        }
        if y == self.bottom {
            outside |= SOUTH;
        }
        if x == self.left {
            outside |= WEST;
        }
        Directions(!outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Direction;

    #[test]
    fn clipped_to_map() {
        let grid = Grid::open(30, 10).unwrap();
        let window = SearchWindow::around(Cell::new(2, 9), 4, &grid);
        assert_eq!(window.area(), 7 * 5);
        let whole = SearchWindow::around(Cell::new(2, 9), u16::MAX, &grid);
        assert_eq!(whole.area(), 300);
    }

    #[test]
    fn moved_onto_map() {
        let grid = Grid::open(30, 10).unwrap();
        for (start, radius, left, top, area) in [
            ((2, 9), 4, 0, 1, 81),
            ((15, 5), 4, 11, 1, 81),
            ((29, 0), 4, 21, 0, 81),
            ((29, 0), 7, 15, 0, 150),
            ((2, 9), u16::MAX, 0, 0, 300),
        ] {
            let window = SearchWindow::on_map_around(Cell::new(start.0, start.1), radius, &grid);
            let first = window.at(Cell::new(0, 0));
            assert_eq!(
                (first, window.area()),
                (Cell::new(left, top), area),
                "{start:?}"
            );
        }
    }

    #[test]
    fn indices_and_offsets() {
        let grid = Grid::open(9, 9).unwrap();
        let window = SearchWindow::around(Cell::new(4, 4), 2, &grid);
        for y in 2..=6 {
            for x in 2..=6 {
                for direction in Direction::ALL {
                    let neighbour = Cell::new(x, y).step(direction).unwrap();
                    let inside = (2..=6).contains(&neighbour.x) && (2..=6).contains(&neighbour.y);
                    assert_eq!(window.inside(x, y).contains(direction), inside);
                    if inside {
                        assert_eq!(
                            window.index(neighbour),
                            window
                                .index(Cell::new(x, y))
                                .wrapping_add_signed(window.offsets()[direction as usize])
                        );
                    }
                }
            }
        }
    }
}
