//! A window as rows of machine words: the free cells, and the exits.

use crate::{
    bits::{around_in, transposed_bytes},
    cell::{Cell, Direction},
    map::{Area, Grid},
    query::BodyFilter,
    rules::Footprint,
};

/// The largest radius of a window whose rows fit in words: 57 columns, and 7 more that a body of
/// 8×8 cells at the right edge covers.
pub(crate) const RADIUS_MAX: u16 = 28;

/// The rows of a window, a word each. Rows of zeros before and behind are neighbours of the
/// outermost rows, and fill up to a multiple of four, since waves take four rows at a time.
pub(crate) type WindowRows = [u64; 72];

/// The place of the cell in the middle of every window.
pub(crate) const CENTER: WindowPlace = WindowPlace {
    row: 32,
    column: RADIUS_MAX as u32,
};

/// A cell of a window by column and row index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WindowPlace {
    pub(crate) row: usize,
    pub(crate) column: u32,
}

impl WindowPlace {
    /// Whether the bit of the place is set in `rows`.
    #[inline]
    pub(crate) fn is_in(self, rows: &WindowRows) -> bool {
        rows[self.row] >> self.column & 1 == 1
    }

    /// The neighbour in a direction, which must be in the window.
    #[inline]
    pub(crate) fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self {
            row: self.row.wrapping_add_signed(dy as isize),
            column: self.column.wrapping_add_signed(dx),
        }
    }

    /// The bits around the place, as a move table index.
    #[inline]
    pub(crate) fn around(self, rows: &WindowRows) -> usize {
        // Shifted by one column, so that column 0 has a left neighbour.
        let three = |row: usize| (rows[row] << 1 >> self.column & 0b111) as u16;
        around_in([three(self.row - 1), three(self.row), three(self.row + 1)])
    }
}

/// The places of a window where a body may stand, a bit for each cell around the [`CENTER`].
#[derive(Clone, Debug)]
pub(crate) struct WindowBits {
    /// Column and row of the bit of row 0 and column 0, which may be off the map.
    left: i32,
    top: i32,
    floor: u8,
    /// The columns of the window, and its rows as indices into [`WindowRows`].
    columns: std::ops::Range<u32>,
    rows: std::ops::Range<usize>,
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
    /// Reads the window of at most [`RADIUS_MAX`] around a cell of the map, for a body of a size
    /// and the bodies in its way.
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
        // A body whose anchor is at the edge covers cells beyond the window.
        let covered = footprint.area_from(window).clipped(grid.size()).last();
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
            self.remove_bodies(body_filter, first, high);
        }
        shrink(&mut self.free, footprint);
        for row in &mut self.free[rows.clone()] {
            *row &= columns;
        }
        self.free[rows.end..].fill(0);
    }

    /// Removes the cells that bodies occupy from some rows; `first` is the first cell of them.
    fn remove_bodies(
        &mut self,
        body_filter: &BodyFilter<'_>,
        first: Cell,
        rows: std::ops::Range<usize>,
    ) {
        let skipped = self.columns.start;
        for (row, y) in self.free[rows].iter_mut().zip(first.y..) {
            let occupied = body_filter.bodies.word_from(first.x, y, self.floor);
            if occupied != 0 {
                let counted = body_filter.counted(first.x.into(), y.into(), self.floor);
                *row &= !((occupied & counted) << skipped);
            }
        }
    }

    /// The places where the body may stand.
    pub(crate) fn free(&self) -> &WindowRows {
        &self.free
    }

    /// The rows of the window, as indices into [`WindowRows`].
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        self.rows.clone()
    }

    /// The place of a cell, or `None` outside the window.
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

/// A word with the bits of some columns set, at least one.
fn bits(columns: &std::ops::Range<u32>) -> u64 {
    u64::MAX << columns.start & u64::MAX >> (64 - columns.end)
}

/// The cells of the map at most `radius` columns and rows from `center`, on its floor.
pub(crate) fn area(grid: &Grid, center: Cell, radius: u16) -> Area {
    Area::from(center)
        .grown(radius, radius)
        .clipped(grid.size())
}

/// Keeps the bits of the anchors at which a body covers set bits only.
pub(crate) fn shrink(rows: &mut WindowRows, footprint: Footprint) {
    let side = usize::from(footprint.side());
    for row in rows.iter_mut() {
        let cells = *row;
        for column in 1..side {
            *row &= cells >> column;
        }
    }
    for row in 0..rows.len() {
        for below in 1..side {
            rows[row] &= rows.get(row + below).copied().unwrap_or(0);
        }
    }
}

/// For each direction, the places of a window that a body may leave that way.
#[derive(Clone, Debug)]
pub(crate) struct ExitPlanes([WindowRows; 8]);

impl Default for ExitPlanes {
    fn default() -> Self {
        Self([[0; 72]; 8])
    }
}

impl ExitPlanes {
    /// Reads the exits of the window that `bits` was loaded with.
    pub(crate) fn load(&mut self, grid: &Grid, bits: &WindowBits, footprint: Footprint) {
        let first = bits.cell(WindowPlace {
            row: bits.rows.start,
            column: bits.columns.start,
        });
        let further = u16::from(footprint.side()) - 1;
        let high = (bits.rows.len() as u16 + further).min(grid.height() - first.y);
        let wide = (bits.columns.len() as u16 + further).min(grid.width() - first.x);
        let left = usize::from(first.x);
        for plane in &mut self.0 {
            *plane = [u64::MAX; 72];
        }
        for (row, y) in (bits.rows.start..).zip(first.y..first.y + high) {
            let bytes = grid.exits.row(y, bits.floor, grid.size());
            let Some(bytes) = bytes.get(left..left + usize::from(wide)) else {
                return;
            };
            // Most chunks allow every direction, so only the others are transposed.
            for (chunk, column) in bytes.chunks(8).zip((bits.columns.start..).step_by(8)) {
                let mut eight = [0xff; 8];
                eight[..chunk.len()].copy_from_slice(chunk);
                if eight == [0xff; 8] {
                    continue;
                }
                let by_direction = transposed_bytes(u64::from_le_bytes(eight)).to_le_bytes();
                for (plane, exits) in self.0.iter_mut().zip(by_direction) {
                    plane[row] &= !(u64::from(!exits) << column);
                }
            }
        }
        if footprint > Footprint::ONE {
            for plane in &mut self.0 {
                shrink(plane, footprint);
            }
        }
    }

    /// Turns exits into entrances: the plane of a direction then has the places that may be entered
    /// from their neighbour in that direction.
    pub(crate) fn reverse(&mut self) {
        let exits = self.0;
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            let back = &exits[direction.opposite() as usize];
            for (row, entrances) in self.0[direction as usize].iter_mut().enumerate() {
                let beyond = row.checked_add_signed(dy as isize);
                let from = beyond.and_then(|row| back.get(row)).copied().unwrap_or(0);
                *entrances = match dx {
                    1 => from >> 1,
                    -1 => from << 1,
                    _ => from,
                };
            }
        }
    }

    /// The places that may be left in a direction.
    #[inline]
    pub(crate) fn of(&self, direction: Direction) -> &WindowRows {
        &self.0[direction as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Directions;

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
    fn window_agrees_with_map() {
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
