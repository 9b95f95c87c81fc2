//! The free cells of a window as rows of machine words.

use super::rows::{CENTER, WindowPlace, WindowRows, shrink};
use crate::{
    cell::Cell,
    map::{Area, Bodies, Grid},
    query::BodyFilter,
    rules::Footprint,
};

/// Where in a window a body may stand, a bit for each cell around the [`CENTER`].
#[derive(Clone, Debug)]
pub(crate) struct WindowBits {
    /// Column and row of the bit of row 0 and column 0, which may be off the map.
    left: i32,
    top: i32,
    pub(super) floor: u8,
    /// The columns of the window, and its rows as indices into [`WindowRows`].
    pub(super) columns: std::ops::Range<u32>,
    pub(super) rows: std::ops::Range<usize>,
    free: WindowRows,
}

impl Default for WindowBits {
    fn default() -> Self {
        Self {
            left: 0,
            top: 0,
            floor: 0,
            columns: 0..0,
            rows: 0..0,
            free: [0; 72],
        }
    }
}

impl WindowBits {
    /// Reads the window of at most [`RADIUS_MAX`](super::rows::RADIUS_MAX) around a cell of the
    /// map, for a body of the given size and the bodies that are in its way.
    pub(crate) fn load(
        &mut self,
        grid: &Grid,
        center: Cell,
        radius: u16,
        footprint: Footprint,
        body_filter: Option<&BodyFilter<'_>>,
    ) {
        let window = area(grid, center, radius);
        let (first, last) = (window.first(), window.last());
        self.left = i32::from(center.x) - CENTER.column as i32;
        self.top = i32::from(center.y) - CENTER.row as i32;
        self.floor = center.floor;
        let column = |x: u16| (i32::from(x) - self.left) as u32;
        let row = |y: u16| (i32::from(y) - self.top) as usize;
        self.columns = column(first.x)..column(last.x) + 1;
        self.rows = row(first.y)..row(last.y) + 1;
        let (rows, columns) = (self.rows.clone(), bits(&self.columns));
        self.free[..rows.start].fill(0);
        if let Some(board) = grid.board(footprint).filter(|_| body_filter.is_none()) {
            let words = board.words_from(self.left, first.y, first.floor, rows.len());
            for (row, word) in self.free[rows.clone()].iter_mut().zip(words) {
                *row = word & columns;
            }
            self.free[rows.end..].fill(0);
            return;
        }
        // What a body covers whose anchor is at the window's edge counts, too.
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size()).last();
        let wide = bits(&(self.columns.start..column(covered.x) + 1));
        let high = rows.start..row(covered.y) + 1;
        self.free[rows.start..].fill(0);
        if let Some(board) = grid.board(Footprint::ONE) {
            let words = board.words_from(self.left, first.y, first.floor, high.len());
            for (row, word) in self.free[high.clone()].iter_mut().zip(words) {
                *row = word & wide;
            }
        }
        if let Some(body_filter) = body_filter {
            self.take_away(body_filter, first, high);
        }
        shrink(&mut self.free, footprint);
        for row in &mut self.free[rows.clone()] {
            *row &= columns;
        }
        self.free[rows.end..].fill(0);
    }

    /// Takes out the places in some rows, the first one that of `first`, that somebody is on.
    fn take_away(
        &mut self,
        body_filter: &BodyFilter<'_>,
        first: Cell,
        rows: std::ops::Range<usize>,
    ) {
        let bodies: &Bodies = body_filter.bodies;
        let skipped = self.columns.start;
        for (row, y) in self.free[rows].iter_mut().zip(first.y..) {
            let occupied = bodies.word_from(first.x, y, self.floor);
            if occupied != 0 {
                let counted = body_filter.counted(first.x.into(), y.into(), self.floor);
                *row &= !((occupied & counted) << skipped);
            }
        }
    }

    /// Where the body may stand.
    pub(crate) fn free(&self) -> &WindowRows {
        &self.free
    }

    /// The rows of the window, as indices into [`WindowRows`].
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        self.rows.clone()
    }

    /// Column and row index of a cell, or `None` outside the window.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> Option<WindowPlace> {
        let place = WindowPlace {
            column: (i32::from(cell.x) - self.left) as u32,
            row: (i32::from(cell.y) - self.top) as usize,
        };
        let inside = self.columns.contains(&place.column) && self.rows.contains(&place.row);
        (inside && cell.floor == self.floor).then_some(place)
    }

    /// The cell at a place.
    #[inline]
    pub(crate) fn cell(&self, place: WindowPlace) -> Cell {
        Cell {
            x: (self.left + place.column as i32) as u16,
            y: (self.top + place.row as i32) as u16,
            floor: self.floor,
        }
    }
}

/// A word with the bits of some columns set, of which there must be one.
fn bits(columns: &std::ops::Range<u32>) -> u64 {
    u64::MAX << columns.start & u64::MAX >> (64 - columns.end)
}

/// The cells of the map at most `radius` columns and rows from `center`, on its floor.
pub(crate) fn area(grid: &Grid, center: Cell, radius: u16) -> Area {
    Area::from(center)
        .grown(radius, radius)
        .clipped(grid.size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Direction, Directions};
    use crate::window::{exit_planes::ExitPlanes, rows::RADIUS_MAX};

    /// A map with walls and exits, larger than a window.
    fn map() -> Grid {
        let open = |Cell { x, y, .. }: Cell| !(x * 7 + y * 13 + x * y).is_multiple_of(9);
        let mut grid = Grid::from_fn(90, 80, open).unwrap();
        for cell in Area::new(Cell::new(0, 0), Cell::new(89, 79)).cells() {
            let exits = Directions((cell.x * 31 + cell.y * 17) as u8);
            grid.set_exits(cell, exits).unwrap();
        }
        grid
    }

    #[test]
    fn a_window_says_of_every_cell_what_the_map_says() {
        let mut grid = map();
        let (mut bits, mut planes) = (WindowBits::default(), ExitPlanes::default());
        for prepared in [false, true] {
            for footprint in Footprint::all() {
                if prepared {
                    grid.prepare_footprint(footprint);
                }
                for center in [(0, 0), (45, 40), (89, 79), (10, 79)].map(Cell::from) {
                    bits.load(&grid, center, RADIUS_MAX, footprint, None);
                    planes.load(&grid, &bits, footprint);
                    let mut count = 0;
                    for cell in area(&grid, center, RADIUS_MAX).cells() {
                        let place = bits.place(cell).unwrap();
                        assert_eq!(bits.cell(place), cell);
                        let free = place.is_in(bits.free());
                        assert_eq!(free, grid.fits(cell, footprint), "{footprint} at {cell}");
                        count += u32::from(free);
                        let exits = grid.exits_of_body(cell, footprint);
                        for direction in Direction::ALL {
                            let may_leave = place.is_in(planes.of(direction));
                            assert!(!free || may_leave == exits.contains(direction));
                        }
                    }
                    let set: u32 = bits.free().iter().map(|row| row.count_ones()).sum();
                    assert_eq!(set, count, "nothing is set outside the window");
                }
            }
        }
    }
}
