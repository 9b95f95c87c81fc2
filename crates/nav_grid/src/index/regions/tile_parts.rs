//! The connected components of one tile.

use super::edges::{TileEdges, TileRows, place};
use crate::{bits::ones, cell::Cell, map::Tile};

/// The parts of a tile, and the part of each of its cells.
///
/// Part 0 is the largest, the first in reading order of several. It is kept as a bit per cell,
/// or not at all if it is the whole tile. The others follow in reading order of their first
/// cells and are kept as strips of cells in a row, since numerous parts are small.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileParts {
    main: Option<Box<TileRows>>,
    pub(crate) parts: Box<[TilePart]>,
    strips: Box<[CellStrip]>,
    /// The pairs of touching parts of this tile and the tiles around.
    pub(crate) contacts: Box<[Contact]>,
    /// The difference between the number of a part on the map and in the tile.
    pub(crate) offset: u32,
}

/// A connected component of one tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TilePart {
    /// The first cell in reading order, as counted in the tile.
    pub(crate) first: u16,
    pub(crate) cells: u16,
}

/// Two parts of neighbouring tiles that are joined by a pair of neighbouring cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Contact {
    /// Columns and rows from this tile to the other.
    pub(crate) toward: (i8, i8),
    pub(crate) here: u16,
    pub(crate) there: u16,
}

/// Cells next to each other in a row: the number of the first cell in its tile, the number of cells
/// less one, and their part, in 12, 6 and 12 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CellStrip(u32);

impl CellStrip {
    const fn new(first: u32, cells: u32, part: u32) -> Self {
        Self(first << 18 | (cells - 1) << 12 | part)
    }

    const fn first(self) -> u32 {
        self.0 >> 18
    }

    const fn last(self) -> u32 {
        self.first() + (self.0 >> 12 & 0x3f)
    }

    const fn part(self) -> u16 {
        (self.0 & 0xfff) as u16
    }
}

impl TileParts {
    /// The parts of a tile, without their contacts.
    pub(crate) fn of(edges: &TileEdges) -> Self {
        let (first, last) = (edges.area.first(), edges.area.last());
        let (columns, rows) = (last.x - first.x + 1, last.y - first.y + 1);
        let (full, rows) = (u64::MAX >> (64 - columns), usize::from(rows));
        let mut tile = Self::default();
        if edges.are_whole(rows, full) {
            let cells = columns * rows as u16;
            tile.parts = [TilePart { first: 0, cells }].into();
            return tile;
        }
        let mut left = edges.cells;
        let mut flood = TileFlood::default();
        let mut largest: Option<(u32, TileFlood)> = None;
        let mut parts = Vec::new();
        let mut strips = Vec::new();
        for row in 0..rows {
            while left[row] != 0 {
                let column = left[row].trailing_zeros();
                flood.run(edges, row, column);
                let number = parts.len() as u32;
                parts.push(TilePart {
                    first: (row as u32 * 64 + column) as u16,
                    cells: flood.cells(),
                });
                for row in flood.rows() {
                    left[row] &= !flood.reached[row];
                }
                // Only the largest part so far is kept as bits, so that strips are written once.
                match &mut largest {
                    Some((other, kept)) if kept.cells() < flood.cells() => {
                        kept.write(*other, &mut strips);
                        *other = number;
                        std::mem::swap(kept, &mut flood);
                    }
                    Some(_) => flood.write(number, &mut strips),
                    None => largest = Some((number, std::mem::take(&mut flood))),
                }
            }
        }
        let Some((largest, flood)) = largest else {
            return tile;
        };
        // The largest part becomes the first, and the parts before it move up by one.
        parts[..=largest as usize].rotate_right(1);
        for strip in &mut strips {
            if u32::from(strip.part()) < largest {
                *strip = CellStrip(strip.0 + 1);
            }
        }
        strips.sort_unstable();
        let whole = flood.reached[..rows].iter().all(|&row| row == full);
        tile.main = (!whole).then(|| Box::new(flood.reached));
        (tile.parts, tile.strips) = (parts.into(), strips.into());
        tile
    }

    /// The part of a cell of the tile, or `None` where the walker may not stand.
    #[inline]
    pub(crate) fn part(&self, cell: Cell) -> Option<u16> {
        let (row, bit) = place(cell);
        match &self.main {
            None => (!self.parts.is_empty()).then_some(0),
            Some(main) if main[row] & bit != 0 => Some(0),
            Some(_) => {
                let at = row as u32 * 64 + bit.trailing_zeros();
                let behind = self.strips.partition_point(|strip| strip.first() <= at);
                let strip = self.strips.get(behind.checked_sub(1)?)?;
                (at <= strip.last()).then(|| strip.part())
            }
        }
    }

    /// The cells of a row that belong to part 0. Bits outside the map are arbitrary.
    fn main_row(&self, row: usize) -> u64 {
        match &self.main {
            None if self.parts.is_empty() => 0,
            None => u64::MAX,
            Some(main) => main[row],
        }
    }

    /// The cells of a row that belong to parts that `counts` accepts. Bits outside the map are
    /// arbitrary.
    pub(crate) fn row(&self, row: u16, counts: impl Fn(u16) -> bool) -> u64 {
        let first = u32::from(row) * 64;
        let mut cells = 0;
        if !self.parts.is_empty() && counts(0) {
            cells = self.main_row(row.into());
        }
        let behind = self.strips.partition_point(|strip| strip.first() < first);
        let of_row = self.strips[behind..].iter();
        for strip in of_row.take_while(|strip| strip.first() < first + 64) {
            if counts(strip.part()) {
                let (from, to) = (strip.first() - first, strip.last() - first);
                cells |= u64::MAX << from & u64::MAX >> (63 - to);
            }
        }
        cells
    }

    /// The contacts of the parts of the tile with parts of the tiles around, which `neighbour`
    /// returns by the columns and rows to them. In order, each pair of parts once.
    pub(crate) fn contacts_with<'a>(
        &self,
        edges: &TileEdges,
        neighbour: impl Fn((i8, i8)) -> Option<&'a Self>,
    ) -> Vec<Contact> {
        const LAST: usize = Tile::SIDE as usize - 1;
        const WEST: u64 = 1;
        const EAST: u64 = 1 << LAST;
        let around = [0, 1].map(|dy| [-1, 0, 1].map(|dx| neighbour((dx, dy))));
        let (east, south) = (around[0][2], around[1][1]);
        let mut contacts = Vec::new();
        // The other cell is `dx` columns and `dy` rows away, in a tile around.
        let mut touch = |row: usize, column: u32, dx: i8, dy: i8| {
            let (x, y) = (column as i8 + dx, row as i8 + dy);
            let toward = (x >> 6, y >> 6);
            let other = around[toward.1 as usize][(toward.0 + 1) as usize];
            let Some(other) = other else { return };
            let from = Cell::new(column as u16, row as u16);
            let to = Cell::new((x & 63) as u16, (y & 63) as u16);
            if let (Some(here), Some(there)) = (self.part(from), other.part(to)) {
                let contact = Contact {
                    toward,
                    here,
                    there,
                };
                if contacts.last() != Some(&contact) {
                    contacts.push(contact);
                }
            }
        };
        // Most pairs join part 0 on both sides, and one such pair is enough.
        let mut mains_touched = false;
        for row in 0..=LAST {
            if edges.east[row] & EAST != 0 {
                let mains = self.main_row(row) & EAST != 0
                    && east.is_some_and(|east| east.main_row(row) & WEST != 0);
                if !mains || !mains_touched {
                    touch(row, 63, 1, 0);
                }
                mains_touched |= mains;
            }
            if edges.south_east[row] & EAST != 0 {
                touch(row, 63, 1, 1);
            }
            if edges.south_west[row] & WEST != 0 {
                touch(row, 0, -1, 1);
            }
        }
        let mut below = edges.south[LAST];
        if let Some(south) = south {
            // Keeps the lowest bit of the pairs of main parts.
            let mains = below & self.main_row(LAST) & south.main_row(0);
            below &= !mains | mains & mains.wrapping_neg();
        }
        for column in ones(below) {
            touch(LAST, column, 0, 1);
        }
        for column in ones(edges.south_east[LAST] & !EAST) {
            touch(LAST, column, 1, 1);
        }
        for column in ones(edges.south_west[LAST] & !WEST) {
            touch(LAST, column, -1, 1);
        }
        contacts.sort_unstable();
        contacts.dedup();
        contacts
    }
}

/// A part while it is flooded, row by row.
#[derive(Clone, Debug)]
struct TileFlood {
    /// Zero outside of `first..end`.
    reached: TileRows,
    first: usize,
    end: usize,
}

impl Default for TileFlood {
    fn default() -> Self {
        Self {
            reached: [0; 64],
            first: 0,
            end: 0,
        }
    }
}

impl TileFlood {
    /// Resets and floods the part of a cell.
    fn run(&mut self, edges: &TileEdges, row: usize, column: u32) {
        let rows = self.rows();
        self.reached[rows].fill(0);
        self.reached[row] = filled(1 << column, edges.east[row]);
        (self.first, self.end) = (row, row + 1);
        // Rows that must still spread down, and rows that must still spread up.
        // All rows down before any up: each sweep carries what it reaches across the tile.
        let (mut down, mut up) = (1_u64 << row, 1_u64 << row);
        while down | up != 0 {
            while down != 0 {
                let row = down.trailing_zeros() as usize;
                down &= down - 1;
                if self.down(edges, row) {
                    down |= 2 << row;
                    up |= 2 << row;
                }
            }
            while up != 0 {
                let row = 63 - up.leading_zeros() as usize;
                up &= !(1 << row);
                if self.up(edges, row) {
                    down |= 1 << row >> 1;
                    up |= 1 << row >> 1;
                }
            }
        }
    }

    /// Spreads from a row to the row below. Returns whether that reached new cells.
    #[inline]
    fn down(&mut self, edges: &TileEdges, row: usize) -> bool {
        let here = self.reached[row];
        let into = here & edges.south[row]
            | (here & edges.south_east[row]) << 1
            | (here & edges.south_west[row]) >> 1;
        row + 1 < self.reached.len() && self.reach(edges, row + 1, into)
    }

    /// Spreads from a row to the row above. Returns whether that reached new cells.
    #[inline]
    fn up(&mut self, edges: &TileEdges, row: usize) -> bool {
        let here = self.reached[row];
        let Some(row) = row.checked_sub(1) else {
            return false;
        };
        let into = here & edges.south[row]
            | here >> 1 & edges.south_east[row]
            | here << 1 & edges.south_west[row];
        self.reach(edges, row, into)
    }

    #[inline]
    fn reach(&mut self, edges: &TileEdges, row: usize, cells: u64) -> bool {
        if cells & !self.reached[row] == 0 {
            return false;
        }
        self.reached[row] = filled(self.reached[row] | cells, edges.east[row]);
        self.first = self.first.min(row);
        self.end = self.end.max(row + 1);
        true
    }

    fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }

    fn cells(&self) -> u16 {
        let rows = self.reached[self.rows()].iter();
        rows.map(|row| row.count_ones() as u16).sum()
    }

    /// Appends the strips of the part.
    fn write(&self, part: u32, strips: &mut Vec<CellStrip>) {
        for row in self.rows() {
            let mut cells = self.reached[row];
            while cells != 0 {
                let first = cells.trailing_zeros();
                let count = (cells >> first).trailing_ones();
                // Adding the lowest bit carries it through the strip, and clears it.
                cells &= cells.wrapping_add(1 << first);
                strips.push(CellStrip::new(row as u32 * 64 + first, count, part));
            }
        }
    }
}

/// The given cells of a row, and all cells that pairs of neighbours join to them.
fn filled(mut cells: u64, east: u64) -> u64 {
    let mut joined = east & u64::MAX >> 1;
    // A carry runs from a cell through all cells that are joined to it.
    cells |= (joined.wrapping_add(cells & joined)) ^ joined;
    // Then from right to left, over twice as many cells each time.
    let mut width = 1;
    while width < 64 {
        cells |= cells >> width & joined;
        joined &= joined >> width;
        width *= 2;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fill_joined_cells() {
        // Joined are columns 1-2-3, 5-6 and 62-63, and 63 to the next tile.
        let east = 0b0010_0110 | 0b11 << 62;
        for (from, to) in [
            (1_u64 << 0, 1_u64 << 0),
            (1 << 1, 0b1110),
            (1 << 2, 0b1110),
            (1 << 3, 0b1110),
            (0b1010, 0b1110),
            (1 << 5, 0b110_0000),
            (1 << 6 | 1 << 2, 0b110_1110),
            (1 << 63, 0b11 << 62),
            (1 << 62, 0b11 << 62),
        ] {
            assert_eq!(filled(from, east), to, "{from:b}");
        }
        assert_eq!(filled(1 << 40, u64::MAX), u64::MAX);
    }

    #[test]
    fn strips_keep_largest_numbers() {
        let strip = CellStrip::new(4095 - 63, 64, 4095);
        assert_eq!(
            (strip.first(), strip.last(), strip.part()),
            (4032, 4095, 4095)
        );
    }
}
