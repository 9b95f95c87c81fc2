//! A window as machine words, for searches that look at a whole row at a time.

use super::crowd::Crowd;
use crate::{Area, Bodies, Cell, Direction, Footprint, Grid, map::around_in};

/// The largest radius of a window whose rows fit in words: 57 columns, and 7 more that a body of
/// 8×8 cells at the right edge covers.
pub(crate) const RADIUS_MAX: u16 = 28;

/// Rows of words with zeros before and behind.
pub(crate) type Rows = [u64; 64];

/// Zero rows above the first one, as waves reach two rows over the last that they change.
pub(crate) const MARGIN: usize = 2;

/// Where in a window a body may stand: bit `n` of word `MARGIN + m` is for the cell `n` columns
/// right of and `m` rows below the window's upper left one.
#[derive(Clone, Debug)]
pub(crate) struct WindowBits {
    left: u16,
    top: u16,
    columns: u16,
    rows: u16,
    floor: u8,
    free: Rows,
}

impl Default for WindowBits {
    fn default() -> Self {
        Self {
            left: 0,
            top: 0,
            columns: 0,
            rows: 0,
            floor: 0,
            free: [0; 64],
        }
    }
}

impl WindowBits {
    /// Reads the window of at most [`RADIUS_MAX`] around a cell of the map, for a body of the
    /// given size and the bodies that are in its way.
    pub(crate) fn load(
        &mut self,
        grid: &Grid,
        center: Cell,
        radius: u16,
        footprint: Footprint,
        crowd: Option<&Crowd<'_>>,
    ) {
        let window = area(grid, center, radius);
        let (first, last) = (window.first(), window.last());
        self.left = first.x;
        self.top = first.y;
        self.columns = last.x - first.x + 1;
        self.rows = last.y - first.y + 1;
        self.floor = first.floor;
        self.free = [0; 64];
        let rows = usize::from(self.rows);
        let columns = u64::MAX >> (64 - self.columns);
        if let Some(board) = grid.board(footprint).filter(|_| crowd.is_none()) {
            let words = board.words_from(first.x, first.y, first.floor, rows);
            for (row, word) in self.free[MARGIN..].iter_mut().zip(words) {
                *row = word & columns;
            }
            return;
        }
        // What a body covers whose anchor is at the window's edge counts, too.
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size());
        let wide = u64::MAX >> (63 - (covered.last().x - first.x));
        let high = usize::from(covered.last().y - first.y) + 1;
        let words = grid
            .board(Footprint::ONE)
            .map(|board| board.words_from(first.x, first.y, first.floor, high));
        for (row, word) in self.free[MARGIN..]
            .iter_mut()
            .zip(words.into_iter().flatten())
        {
            *row = word & wide;
        }
        if let Some(crowd) = crowd {
            self.take_away(crowd, high);
        }
        shrink(&mut self.free, footprint);
        for row in &mut self.free[MARGIN..MARGIN + rows] {
            *row &= columns;
        }
        self.free[MARGIN + rows..].fill(0);
    }

    fn take_away(&mut self, crowd: &Crowd<'_>, high: usize) {
        let bodies: &Bodies = crowd.bodies;
        for (row, y) in self.free[MARGIN..MARGIN + high].iter_mut().zip(self.top..) {
            let occupied = bodies.word_from(self.left, y, self.floor);
            if occupied != 0 {
                *row &= !(occupied & crowd.counted(self.left.into(), y.into(), self.floor));
            }
        }
    }

    /// Where the body may stand.
    pub(crate) fn free(&self) -> &Rows {
        &self.free
    }

    /// The rows of the window, as indices into [`Rows`].
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        MARGIN..MARGIN + usize::from(self.rows)
    }

    /// Column and row index of a cell, or `None` outside the window.
    pub(crate) fn place(&self, cell: Cell) -> Option<Place> {
        let (x, y) = (
            cell.x.wrapping_sub(self.left),
            cell.y.wrapping_sub(self.top),
        );
        let inside = cell.floor == self.floor && x < self.columns && y < self.rows;
        inside.then_some(Place {
            column: x.into(),
            row: MARGIN + usize::from(y),
        })
    }

    /// The cell at a place.
    pub(crate) fn cell(&self, place: Place) -> Cell {
        Cell {
            x: self.left + place.column as u16,
            y: self.top + (place.row - MARGIN) as u16,
            floor: self.floor,
        }
    }
}

/// A cell of a window by column and row index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) row: usize,
    pub(crate) column: u32,
}

impl Place {
    /// Whether the bit of the place is set.
    #[inline]
    pub(crate) fn is_in(self, rows: &Rows) -> bool {
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

    /// The bits around the place, as a move table index; rows outside `span` count as zero.
    #[inline]
    pub(crate) fn around(self, rows: &Rows, span: std::ops::Range<usize>) -> usize {
        let three = |row: usize| {
            if span.contains(&row) {
                // One place further left, so that column 0 has a left neighbour.
                (rows[row] << 1 >> self.column & 0b111) as u16
            } else {
                0
            }
        };
        around_in([three(self.row - 1), three(self.row), three(self.row + 1)])
    }
}

/// The cells of the map at most `radius` columns and rows from `center`, on its floor.
pub(crate) fn area(grid: &Grid, center: Cell, radius: u16) -> Area {
    Area::from(center)
        .grown(radius, radius)
        .clipped(grid.size())
}

/// Leaves the bits of those upper left corners at which a body covers set bits only.
fn shrink(rows: &mut Rows, footprint: Footprint) {
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
pub(crate) struct ExitPlanes([Rows; 8]);

impl Default for ExitPlanes {
    fn default() -> Self {
        Self([[0; 64]; 8])
    }
}

impl ExitPlanes {
    /// Reads the exits of the window that `bits` was loaded with.
    pub(crate) fn load(&mut self, grid: &Grid, bits: &WindowBits, footprint: Footprint) {
        let further = u16::from(footprint.side()) - 1;
        let high = (bits.rows + further).min(grid.height() - bits.top);
        let wide = (bits.columns + further).min(grid.width() - bits.left);
        let left = usize::from(bits.left);
        for plane in &mut self.0 {
            *plane = [u64::MAX; 64];
        }
        for (row, y) in (MARGIN..).zip(bits.top..bits.top + high) {
            let bytes = grid.exit_row(y, bits.floor);
            let Some(bytes) = bytes.get(left..left + usize::from(wide)) else {
                return;
            };
            for (chunk, first) in bytes.chunks(8).zip((0..).step_by(8)) {
                let mut eight = [0xff; 8];
                eight[..chunk.len()].copy_from_slice(chunk);
                if eight == [0xff; 8] {
                    continue;
                }
                let by_direction = transposed(u64::from_le_bytes(eight)).to_le_bytes();
                for (plane, exits) in self.0.iter_mut().zip(by_direction) {
                    plane[row] &= !(u64::from(!exits) << first);
                }
            }
        }
        if footprint > Footprint::ONE {
            for plane in &mut self.0 {
                shrink(plane, footprint);
            }
        }
    }

    /// The places that may be left in a direction.
    #[inline]
    pub(crate) fn of(&self, direction: Direction) -> &Rows {
        &self.0[direction as usize]
    }
}

/// Swaps rows and columns of a square of 8×8 bits, one byte a row.
///
/// Warren, "Hacker's Delight", 2nd edition, 2012, section 7-3.
const fn transposed(mut bits: u64) -> u64 {
    let mut swap = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap ^ swap << 7;
    swap = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    bits ^= swap ^ swap << 14;
    swap = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ swap << 28
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let bits = 0x0123_4567_89ab_cdef_u64;
        for row in 0..8 {
            for column in 0..8 {
                let swapped = transposed(bits) >> (column * 8 + row) & 1;
                assert_eq!(swapped, bits >> (row * 8 + column) & 1);
            }
        }
    }

    /// A map with walls and exits, larger than a window in one direction.
    fn map() -> Grid {
        let open = |Cell { x, y, .. }: Cell| !(x * 7 + y * 13 + x * y).is_multiple_of(9);
        let mut grid = Grid::from_fn(90, 40, open).unwrap();
        for cell in Area::new(Cell::new(0, 0), Cell::new(89, 39)).cells() {
            let exits = crate::Directions((cell.x * 31 + cell.y * 17) as u8);
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
                for center in [(0, 0), (45, 20), (89, 39), (10, 39)].map(Cell::from) {
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
