//! Bodies: the occupied cells, an overlay that may change every tick.

use super::{
    bitboard::{Bitboard, BodyRows},
    size::Size,
};
use crate::{
    bits::{around_in, joined},
    cell::{Cell, Directions},
    rules::{CornerRule, Footprint, Metric, Rules},
};
use std::ops::Range;

/// The cells that bodies occupy, one bit each.
///
/// Kept apart from the map, since bodies move every tick. Counts cells, not bodies: where two
/// overlap, the first to [vacate](Bodies::vacate) frees the cells of both.
///
/// # Example
///
/// ```
/// use nav_grid::{
///     Cell, Footprint, Grid, Path, PathQuery, Rules, Search, Terrain, map::Bodies,
///     methods::BoundedAStar, rules::BodyPolicy,
/// };
///
/// let grid = Grid::open(9, 9)?;
/// let mut bodies = Bodies::new(grid.size());
/// bodies.occupy(Cell::new(4, 3), Footprint::new(3).unwrap());
///
/// let query = PathQuery::new(Cell::new(2, 4), Cell::new(8, 4))
///     .with_rules(Rules::default().with_bodies(BodyPolicy::AvoidAll));
/// let terrain = Terrain::from(&grid).with_bodies(&bodies);
/// let outcome = BoundedAStar::new().search(terrain, &query, &mut Path::new());
/// assert_eq!(outcome.cost, 8, "around, where 6 would do");
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bodies {
    size: Size,
    board: Bitboard,
}

impl Bodies {
    /// No bodies, on a map of `size`, as [`Grid::size`](crate::Grid::size) returns it.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            board: Bitboard::new(size),
        }
    }

    /// The size of the map.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Adds a body. Its cells outside the map are ignored.
    pub fn occupy(&mut self, anchor: Cell, footprint: Footprint) {
        self.fill(anchor, footprint, true);
    }

    /// Removes a body.
    pub fn vacate(&mut self, anchor: Cell, footprint: Footprint) {
        self.fill(anchor, footprint, false);
    }

    fn fill(&mut self, anchor: Cell, footprint: Footprint, occupied: bool) {
        if self.size.contains(anchor) {
            let area = footprint.area(anchor).clipped(self.size);
            self.board.fill(area, occupied);
        }
    }

    /// Whether a body occupies `cell`.
    #[inline]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.size.contains(cell) && self.board.get(cell.x, cell.y, cell.floor)
    }

    /// The directions of the occupied neighbours of a cell. Cells outside the map are free.
    #[doc(hidden)]
    #[inline]
    pub fn occupied_around(&self, cell: Cell) -> Directions {
        if !self.size.contains(cell) {
            return Directions::NONE;
        }
        directions(self.board.around(cell.x, cell.y, cell.floor))
    }

    /// All rows of each floor, the lowest floor first, to be [cut](BodiesBand::cut) into a band for
    /// each thread.
    #[doc(hidden)]
    pub fn floors(&mut self) -> impl Iterator<Item = BodiesBand<'_>> {
        let (size, words_per_row) = (self.size, self.board.words_per_row);
        let floors = (0..).zip(self.board.floors_mut());
        floors.map(move |(floor, words)| BodiesBand {
            size,
            floor,
            words,
            words_per_row,
            rows: 0..size.height,
        })
    }

    /// Adds or removes a body of one cell.
    #[doc(hidden)]
    #[inline]
    pub fn set(&mut self, cell: Cell, occupied: bool) {
        if self.size.contains(cell) {
            self.board.set(cell.x, cell.y, cell.floor, occupied);
        }
    }

    /// The number of occupied cells. One pass over the map, 64 cells at a time.
    #[doc(hidden)]
    pub fn occupied_count(&self) -> u64 {
        self.board.count_ones()
    }

    /// Removes all bodies. One pass over the map, 64 cells at a time.
    pub fn clear(&mut self) {
        for area in self.size.floor_areas() {
            self.board.fill(area, false);
        }
    }

    /// The occupied cells that decide where a body at `cell` can go next. The cell may lie on a
    /// map that is larger than this one.
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint) -> BodyRows {
        // In the first column behind the border, the last column of the map still lies to the left.
        if cell.x > self.size.width || cell.floor >= self.size.floors {
            return BodyRows::default();
        }
        self.board.rows_around(cell, footprint, self.size)
    }

    /// The occupied cells among 64 from a column of a row. All of them may lie outside the map.
    pub(crate) fn word_from(&self, x: u16, y: u16, floor: u8) -> u64 {
        if !self.size.contains(Cell { x, y, floor }) {
            return 0;
        }
        let mut words = self.board.words_from(x.into(), y, floor, 1);
        words.next().unwrap_or(0) & u64::MAX >> (63 - (self.size.width - 1 - x).min(63))
    }

    /// Bytes on the heap: a bit per cell.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.board.heap_bytes()
    }
}

/// Some rows of a floor of [`Bodies`], for one thread to change while other threads change theirs.
///
/// Cells outside the band count as free. So the cells [around](Self::occupied_around) a cell of its
/// first or last row are incomplete on that side.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Direction, Directions, Grid, map::Bodies};
///
/// let grid = Grid::open(9, 9)?;
/// let mut bodies = Bodies::new(grid.size());
/// let floor = bodies.floors().next().expect("a map has a floor");
/// let (mut upper, mut lower) = floor.cut(5);
/// std::thread::scope(|scope| {
///     scope.spawn(|| upper.set(Cell::new(3, 1), true));
///     scope.spawn(|| lower.set(Cell::new(3, 6), true));
/// });
/// let east = Directions::from(Direction::East);
/// assert_eq!(bodies.occupied_around(Cell::new(2, 1)), east);
/// assert_eq!(bodies.occupied_around(Cell::new(2, 6)), east);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct BodiesBand<'a> {
    size: Size,
    floor: u8,
    /// From the first row on; the last row of a floor is followed by its border.
    words: &'a mut [u64],
    words_per_row: usize,
    rows: Range<u16>,
}

impl BodiesBand<'_> {
    /// The rows of the band.
    pub const fn rows(&self) -> &Range<u16> {
        &self.rows
    }

    /// Splits the band into the rows before `row` and the rows from it on. Either may be empty.
    #[must_use]
    pub fn cut(self, row: u16) -> (Self, Self) {
        let row = row.clamp(self.rows.start, self.rows.end);
        let at = usize::from(row - self.rows.start) * self.words_per_row;
        let (words, more) = self.words.split_at_mut(at);
        let band = |words, rows| Self {
            words,
            rows,
            ..self
        };
        let (start, end) = (self.rows.start, self.rows.end);
        (band(words, start..row), band(more, row..end))
    }

    /// Position of the bit of a cell: behind all words for a cell above the band or below it, since
    /// positions above wrap around.
    #[inline]
    fn bit(&self, cell: Cell) -> Option<usize> {
        let row = usize::from(cell.y.wrapping_sub(self.rows.start));
        let bit = row * self.words_per_row * 64 + usize::from(cell.x);
        (cell.floor == self.floor && self.size.contains(cell)).then_some(bit)
    }

    /// Whether a body occupies a cell of the band; `false` for other cells.
    #[inline]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.bit(cell).is_some_and(|bit| {
            let word = self.words.get(bit / 64);
            word.is_some_and(|word| word >> (bit % 64) & 1 == 1)
        })
    }

    /// The directions of the neighbours of a cell that are in the band and occupied.
    #[inline]
    pub fn occupied_around(&self, cell: Cell) -> Directions {
        let Some(bit) = self.bit(cell) else {
            return Directions::NONE;
        };
        // A position before the first word wraps to one behind the last.
        let left = bit.wrapping_sub(1);
        let row = self.words_per_row;
        let (word, shift) = ((left as isize >> 6) as usize, left % 64);
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        let three = |word: usize| {
            // Mostly all three are in one word.
            let bits = if shift <= 61 {
                at(word) >> shift
            } else {
                joined(at(word), at(word.wrapping_add(1)), shift)
            };
            (bits & 0b111) as u16
        };
        let (above, below) = (word.wrapping_sub(row), word.wrapping_add(row));
        directions(around_in([three(above), three(word), three(below)]) as u8)
    }

    /// Adds or removes a body of one cell. Cells outside the band are ignored.
    #[inline]
    pub fn set(&mut self, cell: Cell, occupied: bool) {
        let Some(bit) = self.bit(cell) else { return };
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word = *word & !(1 << (bit % 64)) | u64::from(occupied) << (bit % 64);
        }
    }
}

/// The directions of the set bits around a cell.
#[inline]
fn directions(around: u8) -> Directions {
    // Set bits count as steps: under the rule that forbids no diagonal, the legal steps are all of
    // them.
    let any = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
    any[usize::from(around)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Area;

    #[test]
    fn bands_match_the_board() {
        for (width, height, floors) in [(1, 1, 1), (63, 9, 2), (64, 7, 1), (130, 20, 3)] {
            let size = Size::new(width, height).with_floors(floors);
            let mut bodies = Bodies::new(size);
            for cell in size.floor_areas().flat_map(Area::cells) {
                let set = (cell.x * 31 + cell.y * 17 + u16::from(cell.floor) * 7) % 3 == 0;
                bodies.set(cell, set);
            }
            let whole = bodies.clone();
            let mut count = 0;
            for (floor, band) in (0..).zip(bodies.floors()) {
                count += 1;
                let middle = height / 2;
                let (above, below) = band.cut(middle);
                let rows = (above.rows().clone(), below.rows().clone());
                assert_eq!(rows, (0..middle, middle..height));
                for cell in size.floor_area(floor).cells() {
                    let band = if cell.y < middle { &above } else { &below };
                    assert_eq!(band.is_occupied(cell), whole.is_occupied(cell));
                    let mut around = whole.board.around(cell.x, cell.y, floor);
                    if cell.y == middle {
                        around &= !0b0000_0111;
                    }
                    if cell.y + 1 == middle {
                        around &= 0b0001_1111;
                    }
                    assert_eq!(band.occupied_around(cell), directions(around), "{cell}");
                }
            }
            assert_eq!(count, floors);
        }
    }

    #[test]
    fn bands_write_to_the_board() {
        let mut bodies = Bodies::new(Size::new(70, 10).with_floors(2));
        for (floor, band) in (0_u8..).zip(bodies.floors()) {
            let (mut above, mut below) = band.cut(4);
            let cell = |x, y| Cell { x, y, floor };
            above.set(cell(69, 3), true);
            below.set(cell(floor.into(), 4), true);
            // Rows of the other band.
            above.set(cell(0, 5), true);
            below.set(cell(0, 3), true);
        }
        let set = [(69, 3, 0), (0, 4, 0), (69, 3, 1), (1, 4, 1)];
        for (x, y, floor) in set {
            assert!(bodies.is_occupied(Cell { x, y, floor }));
        }
        assert_eq!(bodies.occupied_count(), set.len() as u64);
    }
}
