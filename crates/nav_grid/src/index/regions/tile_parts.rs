//! The parts of one tile that hang together inside it.

use super::edges::{TileEdges, TileRows, place};
use crate::{bits::ones, cell::Cell, map::Tile};

/// Which part of a tile each of its cells belongs to.
///
/// Part 0 is the largest, the first in reading order of several. It is kept as a bit per cell,
/// or not at all if it is the whole tile. The others follow in reading order of their first
/// cells and are kept as strips of cells in a row, since they are small wherever there are many.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileParts {
    main: Option<Box<TileRows>>,
    pub(crate) parts: Box<[TilePart]>,
    strips: Box<[CellStrip]>,
    /// Where parts touch those of tiles around.
    pub(crate) contacts: Box<[Contact]>,
    /// What to add to the number of a part to get its number on the map.
    pub(crate) offset: u32,
}

/// Cells of one tile that hang together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TilePart {
    /// The first cell in reading order, as counted in the tile.
    pub(crate) first: u16,
    pub(crate) cells: u16,
}

/// Two parts of neighbouring tiles with a pair of neighbours between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Contact {
    /// Columns and rows from this tile to the other.
    pub(crate) toward: (i8, i8),
    pub(crate) here: u16,
    pub(crate) there: u16,
}

/// Cells next to each other in a row: the number of the first one in its tile, one less than
/// how many there are, and their part, in 12, 6 and 12 bits.
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
    /// The parts of a tile. Its contacts are yet to be found.
    pub(crate) fn of(edges: &TileEdges) -> Self {
        let (first, last) = (edges.area.first(), edges.area.last());
        let columns = u32::from(last.x - first.x) + 1;
        let full = u64::MAX >> (64 - columns);
        let rows = usize::from(last.y - first.y) + 1;

        if edges.are_whole(rows, full) {
            let part = TilePart {
                first: 0,
                cells: columns as u16 * rows as u16,
            };
            return Self {
                parts: [part].into(),
                ..Self::default()
            };
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
            return Self::default();
        };
        // The largest part comes first, those before it one later.
        parts[..=largest as usize].rotate_right(1);
        for strip in &mut strips {
            if u32::from(strip.part()) < largest {
                *strip = CellStrip(strip.0 + 1);
            }
        }
        strips.sort_unstable();
        let whole = flood.reached[..rows].iter().all(|&row| row == full);
        Self {
            main: (!whole).then(|| Box::new(flood.reached)),
            parts: parts.into(),
            strips: strips.into(),
            contacts: Box::default(),
            offset: 0,
        }
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

    /// The cells of a row that are of part 0; any number outside the map, too.
    fn main_row(&self, row: usize) -> u64 {
        match &self.main {
            None if self.parts.is_empty() => 0,
            None => u64::MAX,
            Some(main) => main[row],
        }
    }

    /// Where parts of the tile touch those of the tiles around, of which `neighbour` tells by
    /// columns and rows to them. Of each two parts once, in order.
    pub(crate) fn contacts_with<'a>(
        &self,
        edges: &TileEdges,
        neighbour: impl Fn((i8, i8)) -> Option<&'a Self>,
    ) -> Vec<Contact> {
        const LAST: usize = Tile::SIDE as usize - 1;
        const WEST: u64 = 1;
        const EAST: u64 = 1 << LAST;
        let [east, south, west, south_east, south_west] =
            [(1, 0), (0, 1), (-1, 0), (1, 1), (-1, 1)].map(neighbour);
        let mut contacts = Vec::new();
        let mut touch = |toward: (i8, i8), from: (usize, u32), to: (usize, u32)| {
            let other = match toward {
                (1, 0) => east,
                (0, 1) => south,
                (-1, 0) => west,
                (1, 1) => south_east,
                _ => south_west,
            };
            let Some(other) = other else { return };
            let cell = |(row, column): (usize, u32)| Cell::new(column as u16, row as u16);
            if let (Some(here), Some(there)) = (self.part(cell(from)), other.part(cell(to))) {
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
        // Most pairs are of part 0 on both sides: one of them stands for all.
        let mut mains_touched = false;
        for row in 0..=LAST {
            if edges.east[row] & EAST == 0 {
                continue;
            }
            let mains = self.main_row(row) & EAST != 0
                && east.is_some_and(|east| east.main_row(row) & WEST != 0);
            if !mains || !mains_touched {
                touch((1, 0), (row, 63), (row, 0));
            }
            mains_touched |= mains;
        }
        for row in 0..LAST {
            if edges.south_east[row] & EAST != 0 {
                touch((1, 0), (row, 63), (row + 1, 0));
            }
            if edges.south_west[row] & WEST != 0 {
                touch((-1, 0), (row, 0), (row + 1, 63));
            }
        }
        if edges.south_east[LAST] & EAST != 0 {
            touch((1, 1), (LAST, 63), (0, 0));
        }
        if edges.south_west[LAST] & WEST != 0 {
            touch((-1, 1), (LAST, 0), (0, 63));
        }
        let mut below = edges.south[LAST];
        if let Some(south) = south {
            let mains = below & self.main_row(LAST) & south.main_row(0);
            below &= !mains | mains & mains.wrapping_neg();
        }
        for column in ones(below) {
            touch((0, 1), (LAST, column), (0, column));
        }
        for column in ones(edges.south_east[LAST] & !EAST) {
            touch((0, 1), (LAST, column), (0, column + 1));
        }
        for column in ones(edges.south_west[LAST] & !WEST) {
            touch((0, 1), (LAST, column), (0, column - 1));
        }
        contacts.sort_unstable();
        contacts.dedup();
        contacts
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.main.as_ref().map_or(0, |main| size_of_val(&**main))
            + size_of_val(&*self.parts)
            + size_of_val(&*self.strips)
            + size_of_val(&*self.contacts)
    }
}

/// A part as it is found, row by row.
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
    /// Forgets all and reaches what hangs together with a cell.
    fn run(&mut self, edges: &TileEdges, row: usize, column: u32) {
        self.reached[self.first..self.end].fill(0);
        self.reached[row] = filled(1 << column, edges.east[row]);
        (self.first, self.end) = (row, row + 1);
        // Rows that have yet to spread to the one below, and to the one above.
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

    /// Spreads from a row to the one below; says whether that was news.
    #[inline]
    fn down(&mut self, edges: &TileEdges, row: usize) -> bool {
        let here = self.reached[row];
        let into = here & edges.south[row]
            | (here & edges.south_east[row]) << 1
            | (here & edges.south_west[row]) >> 1;
        row + 1 < self.reached.len() && self.reach(edges, row + 1, into)
    }

    /// Spreads from a row to the one above.
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
        let rows = &self.reached[self.first..self.end];
        rows.iter().map(|row| row.count_ones() as u16).sum()
    }

    /// Appends the strips of the part.
    fn write(&self, part: u32, strips: &mut Vec<CellStrip>) {
        for row in self.rows() {
            let mut cells = self.reached[row];
            while cells != 0 {
                let first = cells.trailing_zeros();
                let count = (cells >> first).trailing_ones();
                let end = first + count;
                cells = if end < 64 { cells >> end << end } else { 0 };
                strips.push(CellStrip::new(row as u32 * 64 + first, count, part));
            }
        }
    }
}

/// All cells of a row that pairs of neighbours join to the given ones.
fn filled(mut cells: u64, east: u64) -> u64 {
    let mut joined = east & u64::MAX >> 1;
    // A carry runs through all cells from one to the last that is joined to it.
    cells |= (joined.wrapping_add(cells & joined)) ^ joined;
    // Back from right to left, over twice as many cells each time.
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
    fn a_row_is_filled_as_far_as_neighbours_are_joined() {
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
    fn strips_keep_the_largest_numbers() {
        let strip = CellStrip::new(4095 - 63, 64, 4095);
        assert_eq!(
            (strip.first(), strip.last(), strip.part()),
            (4032, 4095, 4095)
        );
    }
}
