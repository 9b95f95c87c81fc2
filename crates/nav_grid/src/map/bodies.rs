//! Who stands where: an overlay on a map that changes every tick.

use super::{
    body_rows::BodyRows,
    size::{Area, Size},
};
use crate::{
    cell::{Cell, Directions},
    map::bitboard::{Bitboard, BoardBand},
    rules::{CornerRule, Footprint, Metric, Rules},
};
use std::ops::Range;

/// The cells that bodies occupy, one bit each, apart from the map: bodies move every tick, and
/// every walker minds other ones.
///
/// Counts cells, not bodies: where two overlap, the first to [vacate](Bodies::vacate) frees the
/// cells of both.
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
    /// Nobody, on a map of `size`, as [`Grid::size`](crate::Grid::size) returns it.
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

    /// Puts a body down. What sticks out of the map is left out.
    pub fn occupy(&mut self, anchor: Cell, footprint: Footprint) {
        self.fill(anchor, footprint, true);
    }

    /// Takes a body away.
    pub fn vacate(&mut self, anchor: Cell, footprint: Footprint) {
        self.fill(anchor, footprint, false);
    }

    fn fill(&mut self, anchor: Cell, footprint: Footprint, occupied: bool) {
        if self.size.contains(anchor) {
            let area = footprint.area(anchor).clipped(self.size);
            self.board.fill(area, occupied);
        }
    }

    /// Whether somebody stands on `cell`.
    #[inline]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.size.contains(cell) && self.board.get(cell.x, cell.y, cell.floor)
    }

    /// In which directions of a cell somebody stands right beside it; nobody stands off the map.
    #[inline]
    pub fn occupied_around(&self, cell: Cell) -> Directions {
        if !self.size.contains(cell) {
            return Directions::NONE;
        }
        directions(self.board.around(cell.x, cell.y, cell.floor))
    }

    /// All rows of each floor, the lowest floor first, to be [cut up](BodiesBand::cut) among
    /// threads.
    pub fn floors(&mut self) -> impl Iterator<Item = BodiesBand<'_>> {
        let size = self.size;
        let floors = (0..).zip(self.board.floors());
        floors.map(move |(floor, board)| BodiesBand { size, floor, board })
    }

    /// Puts a body of one cell down, or takes it away.
    #[inline]
    pub fn set(&mut self, cell: Cell, occupied: bool) {
        if self.size.contains(cell) {
            self.board.set(cell.x, cell.y, cell.floor, occupied);
        }
    }

    /// How many cells are occupied. One pass over the map, 64 cells at a time.
    pub fn occupied_count(&self) -> u64 {
        self.board.count_ones()
    }

    /// Takes everybody away. One pass over the map, 64 cells at a time.
    pub fn clear(&mut self) {
        for floor in 0..self.size.floors {
            let corner = Cell::new(self.size.width - 1, self.size.height - 1);
            self.board
                .fill(Area::new(Cell::new(0, 0).on_floor(floor), corner), false);
        }
    }

    /// The occupied cells that decide where a body at `cell` can go next. The cell may lie on a
    /// map that is larger than this one.
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint) -> BodyRows {
        // From the first column behind the border the last one is still seen to the left.
        if cell.x > self.size.width || cell.floor >= self.size.floors {
            return BodyRows::default();
        }
        self.board.rows_around(cell, footprint, self.size)
    }

    /// The occupied cells among 64 from a column of a row. All of them may lie off the map.
    pub(crate) fn word_from(&self, x: u16, y: u16, floor: u8) -> u64 {
        if !self.size.contains(Cell { x, y, floor }) {
            return 0;
        }
        let word = self
            .board
            .words_from(x.into(), y, floor, 1)
            .next()
            .unwrap_or(0);
        word & u64::MAX >> (63 - (self.size.width - 1 - x).min(63))
    }

    /// Bytes on the heap: a bit per cell.
    pub fn heap_bytes(&self) -> usize {
        self.board.heap_bytes()
    }
}

/// Some rows of a floor of [`Bodies`], apart from the others: threads that have a band each may
/// move bodies about at the same time.
///
/// Nobody is seen outside the band, so who asks what is [around](Self::occupied_around) a cell of
/// its first or last row learns of that side only where the map ends, too.
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
#[derive(Debug)]
pub struct BodiesBand<'a> {
    size: Size,
    floor: u8,
    board: BoardBand<'a>,
}

impl BodiesBand<'_> {
    /// The rows of the band.
    pub const fn rows(&self) -> &Range<u16> {
        self.board.rows()
    }

    /// The rows before one, and those from it on. Either may be none.
    #[must_use]
    pub fn cut(self, row: u16) -> (Self, Self) {
        let Self { size, floor, board } = self;
        let (before, behind) = board.cut(row);
        let band = |board| Self { size, floor, board };
        (band(before), band(behind))
    }

    #[inline]
    fn contains(&self, cell: Cell) -> bool {
        cell.floor == self.floor && self.size.contains(cell)
    }

    /// Whether somebody stands on a cell of the band; nobody does on others.
    #[inline]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.contains(cell) && self.board.get(cell.x, cell.y)
    }

    /// In which directions of a cell of the band somebody of the band stands right beside it.
    #[inline]
    pub fn occupied_around(&self, cell: Cell) -> Directions {
        if !self.contains(cell) {
            return Directions::NONE;
        }
        directions(self.board.around(cell.x, cell.y))
    }

    /// Puts a body of one cell down, or takes it away. What does not lie in the band is left as
    /// it is.
    #[inline]
    pub fn set(&mut self, cell: Cell, occupied: bool) {
        if self.contains(cell) {
            self.board.set(cell.x, cell.y, occupied);
        }
    }
}

/// The directions of the cells that are set around one.
#[inline]
fn directions(around: u8) -> Directions {
    // Cells that are set are what steps may lead to: under the rule that forbids no diagonal,
    // all of them.
    let any = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
    any[usize::from(around)]
}
