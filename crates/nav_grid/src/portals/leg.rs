//! Legs: stretches of a path on which nothing forces a walker to make a detour.

use super::flood::{flood_word, flood_words};
use crate::{Area, Cell, CornerRule, Footprint, Grid, map::Bitboard};

/// Most columns of a leg.
const COLUMNS: usize = 256;

/// Finds paths that cost what they would on open ground.
///
/// Such a path takes steps in two directions only, the straight one and the diagonal one that
/// lie on either side of the line from end to end (two straight ones where there are no
/// diagonals). So the cells that it may come to are found a row at a time, each row from the
/// one before.
#[derive(Clone, Debug, Default)]
pub(super) struct Legs {
    /// The cells of each row that can be come to, from the western end on.
    reached: Vec<u64>,
}

/// What legs are laid over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<'a> {
    /// Where the walker may stand.
    pub(super) board: &'a Bitboard,
    pub(super) corners: CornerRule,
    pub(super) straight: u32,
    /// 0 where there are no diagonal steps.
    pub(super) diagonal: u32,
    /// Where no leg may lead, as exits count there.
    pub(super) fences: Option<(&'a Grid, Footprint)>,
}

impl Open<'_> {
    /// What a step to a neighbour costs.
    pub(super) fn step(&self, from: Cell, to: Cell) -> u32 {
        if from.x != to.x && from.y != to.y {
            self.diagonal
        } else {
            self.straight
        }
    }

    /// What a leg costs; no way is cheaper, links aside.
    #[inline]
    pub(super) fn distance(&self, from: Cell, to: Cell) -> u32 {
        let dx = u32::from(from.x.abs_diff(to.x));
        let dy = u32::from(from.y.abs_diff(to.y));
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let turn = if self.diagonal > 0 {
            self.diagonal
        } else {
            2 * self.straight
        };
        self.straight * more + (turn - self.straight) * less
    }

    /// Whether exits count anywhere between two cells.
    fn is_fenced(&self, from: Cell, to: Cell) -> bool {
        self.fences.is_some_and(|(grid, footprint)| {
            let further = u16::from(footprint.side()) - 1;
            let between = Area::new(from, to).grown(0, further);
            grid.has_exits_in(between.clipped(grid.size()))
        })
    }
}

/// A leg from its western end, or from its upper end if it goes straight down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) west: Cell,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Rows count upward.
    pub(super) up: bool,
    /// Whether more rows than columns are crossed.
    pub(super) steep: bool,
}

impl Frame {
    fn new(from: Cell, to: Cell) -> (Self, bool) {
        let turned = (to.x, to.y) < (from.x, from.y);
        let (west, east) = if turned { (to, from) } else { (from, to) };
        let columns = usize::from(east.x - west.x);
        let rows = usize::from(east.y.abs_diff(west.y));
        let frame = Self {
            west,
            columns,
            rows,
            up: east.y < west.y,
            steep: rows > columns,
        };
        (frame, turned)
    }

    fn y(&self, row: usize) -> u16 {
        if self.up {
            self.west.y - row as u16
        } else {
            self.west.y + row as u16
        }
    }

    /// The free cells of a row. One word behind those of the map means nothing; a border lies
    /// between.
    #[inline]
    pub(super) fn load<const WORDS: usize>(&self, open: &Open<'_>, row: usize) -> [u64; WORDS] {
        let (y, floor) = (self.y(row), self.west.floor);
        let mut words = [0; WORDS];
        let row = open.board.row(y, floor);
        let (first, shift) = (usize::from(self.west.x) / 64, self.west.x % 64);
        let from = |index: usize| row.get(first + index).copied().unwrap_or(0);
        for (index, word) in words.iter_mut().enumerate() {
            *word = from(index) >> shift | from(index + 1) << 1 << (63 - shift);
        }
        words
    }
}

impl Legs {
    /// Whether a leg leads from one free cell to another one of its floor.
    pub(super) fn is_clear(open: &Open<'_>, from: Cell, to: Cell) -> bool {
        let (frame, _) = Frame::new(from, to);
        let clear = match frame.columns {
            ..64 => flood_word(open, &frame, |_| ()),
            64..128 => flood_words::<2>(open, &frame, |_| ()),
            128..COLUMNS => flood_words::<4>(open, &frame, |_| ()),
            _ => false,
        };
        clear && !open.is_fenced(from, to)
    }

    /// Puts the cells of a leg behind its first one into `cells`, if there is a leg.
    pub(super) fn lay(
        &mut self,
        open: &Open<'_>,
        from: Cell,
        to: Cell,
        cells: &mut Vec<Cell>,
    ) -> bool {
        let (frame, turned) = Frame::new(from, to);
        let reached = &mut self.reached;
        reached.clear();
        let clear = match frame.columns {
            ..64 => flood_word(open, &frame, |row| reached.push(row)),
            64..128 => flood_words::<2>(open, &frame, |row| reached.extend_from_slice(row)),
            128..COLUMNS => flood_words::<4>(open, &frame, |row| reached.extend_from_slice(row)),
            _ => false,
        };
        if !clear || open.is_fenced(from, to) {
            return false;
        }
        let first = cells.len();
        self.trace(open, &frame, cells);
        // The trace runs from east to west and holds both ends.
        if turned {
            cells.remove(first);
        } else {
            cells[first..].reverse();
            cells.remove(first);
        }
        true
    }

    /// Follows the rows back to the western end; of two ways it takes the one nearer to the
    /// line from end to end, then the straight one.
    fn trace(&self, open: &Open<'_>, frame: &Frame, cells: &mut Vec<Cell>) {
        let (board, diagonals) = (open.board, open.diagonal > 0);
        let (mut column, mut row) = (frame.columns, frame.rows);
        let words = match frame.columns {
            ..64 => 1,
            64..128 => 2,
            _ => 4,
        };
        let bit = |row: usize, column: usize| {
            let word = self.reached.get(row * words + column / 64);
            word.is_some_and(|word| word >> (column % 64) & 1 == 1)
        };
        let free = |row: usize, column: usize| {
            let (x, y) = (frame.west.x + column as u16, frame.y(row));
            board.get(x, y, frame.west.floor)
        };
        let off = |column: usize, row: usize| (column * frame.rows).abs_diff(row * frame.columns);
        loop {
            cells.push(Cell {
                x: frame.west.x + column as u16,
                y: frame.y(row),
                ..frame.west
            });
            if (column, row) == (0, 0) {
                return;
            }
            let straight = if !diagonals {
                // West first, then up.
                let west = column > 0 && bit(row, column - 1);
                let up = row > 0 && bit(row - 1, column);
                match (west, up) {
                    (true, true) if off(column, row.wrapping_sub(1)) < off(column - 1, row) => {
                        Some((column, row - 1))
                    }
                    (true, _) => Some((column - 1, row)),
                    (_, true) => Some((column, row - 1)),
                    _ => None,
                }
            } else if frame.steep {
                (row > 0 && bit(row - 1, column)).then(|| (column, row - 1))
            } else {
                (column > 0 && bit(row, column - 1)).then(|| (column - 1, row))
            };
            let diagonal = diagonals
                && column > 0
                && row > 0
                && bit(row - 1, column - 1)
                && (open.corners == CornerRule::Cut
                    || free(row - 1, column) && free(row, column - 1));
            let diagonal = diagonal.then(|| (column - 1, row - 1));
            let next = match (straight, diagonal) {
                (Some(straight), Some(diagonal)) => {
                    if off(diagonal.0, diagonal.1) < off(straight.0, straight.1) {
                        diagonal
                    } else {
                        straight
                    }
                }
                (Some(next), None) | (None, Some(next)) => next,
                // Every cell was reached from another one.
                (None, None) => return,
            };
            (column, row) = next;
        }
    }
}
