//! The part of a map that a search may touch.

use crate::{Cell, Directions, Grid};

/// The square of `2 * radius + 1` cells around a start, clipped to the map, one floor.
///
/// Numbers its cells row by row from 0, so scratch memory follows the window's size and not
/// the map's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
    columns: u32,
}

impl Window {
    pub(super) fn around(start: Cell, radius: u16, grid: &Grid) -> Self {
        let left = start.x.saturating_sub(radius);
        let right = start.x.saturating_add(radius).min(grid.width() - 1);
        Self {
            left,
            top: start.y.saturating_sub(radius),
            right,
            bottom: start.y.saturating_add(radius).min(grid.height() - 1),
            columns: u32::from(right - left) + 1,
        }
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> u32 {
        u32::from(self.bottom - self.top) + 1
    }

    /// Number of cells.
    pub(super) fn area(&self) -> usize {
        self.columns as usize * self.rows() as usize
    }

    /// Column and row of a cell of the window, counted from the window's corner.
    #[inline]
    pub(super) fn place(&self, x: u16, y: u16) -> (u16, u16) {
        (x - self.left, y - self.top)
    }

    /// The column and row on the map of a place in the window.
    #[inline]
    pub(super) fn at(&self, (x, y): (u16, u16)) -> (u16, u16) {
        (self.left + x, self.top + y)
    }

    /// The number of a cell of the window.
    #[inline]
    pub(super) fn index(&self, x: u16, y: u16) -> u32 {
        u32::from(y - self.top) * self.columns + u32::from(x - self.left)
    }

    /// What to add to a cell's number to get its neighbours', by direction.
    pub(super) fn offsets(&self) -> [i32; 8] {
        let row = self.columns as i32;
        [-row, 1 - row, 1, row + 1, row, row - 1, -1, -row - 1]
    }

    /// The directions in which a cell of the window has a neighbour in the window.
    #[inline]
    pub(super) fn inside(&self, x: u16, y: u16) -> Directions {
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
    use crate::Direction;

    #[test]
    fn a_window_is_clipped_to_the_map() {
        let grid = Grid::open(30, 10).unwrap();
        let window = Window::around(Cell::new(2, 9), 4, &grid);
        assert_eq!(window.area(), 7 * 5);
        let whole = Window::around(Cell::new(2, 9), u16::MAX, &grid);
        assert_eq!(whole.area(), 300);
    }

    #[test]
    fn indices_and_offsets_agree_in_every_direction() {
        let grid = Grid::open(9, 9).unwrap();
        let window = Window::around(Cell::new(4, 4), 2, &grid);
        for y in 2..=6 {
            for x in 2..=6 {
                for direction in Direction::ALL {
                    let neighbour = Cell::new(x, y).step(direction).unwrap();
                    let inside = (2..=6).contains(&neighbour.x) && (2..=6).contains(&neighbour.y);
                    assert_eq!(window.inside(x, y).contains(direction), inside);
                    if inside {
                        assert_eq!(
                            window.index(neighbour.x, neighbour.y),
                            window
                                .index(x, y)
                                .wrapping_add_signed(window.offsets()[direction as usize])
                        );
                    }
                }
            }
        }
    }
}
