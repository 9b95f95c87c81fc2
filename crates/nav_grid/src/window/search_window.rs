//! The window of a search as numbered cells.

use crate::{
    cell::{Cell, Directions},
    map::Grid,
};

/// The square of `2 * radius + 1` columns and rows around a start, clipped to the map: on the
/// floor of the start, or on all floors if links may lead there.
///
/// Numbers its cells from 0 in reading order, floor by floor, so scratch memory follows the
/// window's size and not the map's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchWindow {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
    /// The first floor of it.
    floor: u8,
    floors: u8,
    columns: u32,
}

impl SearchWindow {
    pub(crate) fn around(start: Cell, radius: u16, grid: &Grid) -> Self {
        let left = start.x.saturating_sub(radius);
        let right = start.x.saturating_add(radius).min(grid.width() - 1);
        let (floor, floors) = if grid.links().is_empty() {
            (start.floor, 1)
        } else {
            (0, grid.floors())
        };
        Self {
            left,
            top: start.y.saturating_sub(radius),
            right,
            bottom: start.y.saturating_add(radius).min(grid.height() - 1),
            floor,
            floors,
            columns: u32::from(right - left) + 1,
        }
    }

    /// As many columns and rows, moved so far that as many of them as possible lie on the map: beside its edge
    /// the start is not in the middle.
    pub(crate) fn on_map_around(start: Cell, radius: u16, grid: &Grid) -> Self {
        let moved = |at: u16, side: u16| {
            let size = radius.saturating_mul(2).saturating_add(1).min(side);
            let first = at.saturating_sub(radius).min(side - size);
            (first, first + size - 1)
        };
        let ((left, right), (top, bottom)) =
            (moved(start.x, grid.width()), moved(start.y, grid.height()));
        Self {
            left,
            top,
            right,
            bottom,
            columns: u32::from(right - left) + 1,
            ..Self::around(start, radius, grid)
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

    /// The cell of the window's columns and rows that is nearest to another, on its floor.
    pub(crate) fn nearest(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.clamp(self.left, self.right),
            y: cell.y.clamp(self.top, self.bottom),
            ..cell
        }
    }

    /// How many columns and rows the cells of the window are away from another, at most: of one
    /// inside, those from side to side.
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

    /// Whether a cell is one of the window's.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        (self.left..=self.right).contains(&cell.x)
            && (self.top..=self.bottom).contains(&cell.y)
            && cell.floor.wrapping_sub(self.floor) < self.floors
    }

    /// A cell of the window as counted from its first one.
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

    /// What to add to a cell's number to get its neighbours', by direction.
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
    fn a_window_is_clipped_to_the_map() {
        let grid = Grid::open(30, 10).unwrap();
        let window = SearchWindow::around(Cell::new(2, 9), 4, &grid);
        assert_eq!(window.area(), 7 * 5);
        let whole = SearchWindow::around(Cell::new(2, 9), u16::MAX, &grid);
        assert_eq!(whole.area(), 300);
    }

    #[test]
    fn a_window_is_moved_onto_the_map() {
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
    fn indices_and_offsets_agree_in_every_direction() {
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
