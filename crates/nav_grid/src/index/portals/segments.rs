//! Direct segments: walks between two cells without any detour.

use crate::{
    cell::Cell,
    map::{Bitboard, Grid},
    rules::{CornerRule, Footprint, IntegerCosts},
};

/// The ground of direct segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentGround<'a> {
    /// The places where the walker may stand, without exits and step costs.
    pub(super) board: &'a Bitboard,
    pub(super) corners: CornerRule,
    pub(crate) step_costs: IntegerCosts,
    /// A grid with step costs, and the footprint of the walker.
    pub(super) costs: Option<(&'a Grid, Footprint)>,
}

impl SegmentGround<'_> {
    /// The cost of a direct segment. No way is cheaper, except by links.
    #[inline]
    pub(crate) fn distance(&self, from: Cell, to: Cell) -> u32 {
        let dx = u32::from(from.x.abs_diff(to.x));
        let dy = u32::from(from.y.abs_diff(to.y));
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let straight = self.straight();
        let turn = if self.has_diagonals() {
            self.step_costs.diagonal as u32
        } else {
            2 * straight
        };
        straight * more + (turn - straight) * less
    }

    #[inline]
    pub(crate) fn straight(&self) -> u32 {
        self.step_costs.straight as u32
    }

    #[inline]
    fn has_diagonals(&self) -> bool {
        self.step_costs.diagonal > 0
    }

    /// The cost of the ground for a step to a cell.
    #[inline]
    pub(crate) fn cost(&self, cell: Cell) -> u32 {
        let costs = self.costs;
        costs.map_or(1, |(grid, footprint)| grid.cost_of_body(cell, footprint))
    }
}

/// Finds paths that cost as much as on open ground.
///
/// Such a path takes steps in two directions only: the straight and the diagonal direction on
/// either side of the line from end to end, or two straight directions without diagonal steps. So
/// the cells that it can reach are found a row at a time, each row from the row before.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirectSegments {
    /// By row from the western end: its reached cells, and then those reached by a diagonal step.
    reached: Vec<u64>,
}

/// The cells of a direct segment as bits of words, from its western end, or from its upper end if
/// it goes straight down.
///
/// A direct segment of diagonal and straight steps stays in the rhomboid that both span. Leaning
/// words, which begin a column further east in each row, need only the width of the rhomboid.
#[derive(Clone, Copy, Debug)]
struct SegmentFrame {
    west: Cell,
    columns: usize,
    rows: usize,
    /// Whether rows count upward.
    up: bool,
    /// Whether it crosses more rows than columns.
    steep: bool,
    /// Whether words lean.
    leans: bool,
    /// The bits of both ends in their rows.
    begin: usize,
    end: usize,
    /// The range of the segment's bits.
    first: usize,
    last: usize,
}

impl SegmentFrame {
    fn new(open: &SegmentGround<'_>, from: Cell, to: Cell) -> Self {
        let turned = (to.x, to.y) < (from.x, from.y);
        let (west, east) = if turned { (to, from) } else { (from, to) };
        let columns = usize::from(east.x - west.x);
        let rows = usize::from(east.y.abs_diff(west.y));
        let steep = rows > columns;
        let more = columns.abs_diff(rows);
        // Leaning words have a bit more on either side, for the cells beside diagonal steps.
        let leans = open.has_diagonals() && (!steep || (more + 2) / 64 < columns / 64);
        let (first, last) = if leans { (1, more + 1) } else { (0, columns) };
        // In leaning words a steep segment runs from the last bit to the first: each row down moves
        // a cell of the same column one bit lower.
        let from_last = leans && steep;
        Self {
            west,
            columns,
            rows,
            up: east.y < west.y,
            steep,
            leans,
            begin: if from_last { last } else { first },
            end: if from_last { first } else { last },
            first,
            last,
        }
    }

    /// The number of words of a row, rounded up to a width of [`flood`](Self::flood).
    const fn words(&self) -> usize {
        match (self.last + self.leans as usize) / 64 + 1 {
            3 => 4,
            words => words,
        }
    }

    /// Finds the cells that a direct segment may reach on its way to the end, row by row, and
    /// returns whether the end is one of them. `false` if a row takes more than four words, or the
    /// western end is not on the board.
    ///
    /// Calls `visit` with the reached cells of each row, and with the subset that a diagonal step
    /// reaches.
    #[inline]
    fn flood(&self, open: &SegmentGround<'_>, visit: impl FnMut(&[u64], &[u64])) -> bool {
        let Cell { x, y, floor } = self.west;
        if !open.board.get(x, y, floor) {
            return false;
        }
        match self.words() {
            1 => self.flood_words::<1>(open, visit),
            2 => self.flood_words::<2>(open, visit),
            4 => self.flood_words::<4>(open, visit),
            _ => false,
        }
    }

    #[inline]
    fn flood_words<const WORDS: usize>(
        &self,
        open: &SegmentGround<'_>,
        visit: impl FnMut(&[u64], &[u64]),
    ) -> bool {
        match (self.leans, !open.has_diagonals() || !self.steep) {
            (true, true) => self.flood_rows::<WORDS, true, true>(open, visit),
            (true, false) => self.flood_rows::<WORDS, true, false>(open, visit),
            (false, true) => self.flood_rows::<WORDS, false, true>(open, visit),
            (false, false) => self.flood_rows::<WORDS, false, false>(open, visit),
        }
    }

    /// The flood for words that lean or not.
    ///
    /// A direct segment that `RUNS` goes straight east. If it does not lean, it also goes straight
    /// down, but not diagonally. A segment that does not run goes straight down, and diagonally.
    #[inline]
    fn flood_rows<const WORDS: usize, const LEANS: bool, const RUNS: bool>(
        &self,
        open: &SegmentGround<'_>,
        mut visit: impl FnMut(&[u64], &[u64]),
    ) -> bool {
        let (board, lean) = (open.board, LEANS.into());
        let x = i32::from(self.west.x) - self.begin as i32;
        let mut rows = board.slanted::<WORDS>(x, self.west, self.up, lean);
        let bounds = between::<WORDS>(self.first, self.last);
        // All bits unless both cells beside a diagonal step must be free.
        let ask = u64::from(open.corners == CornerRule::Cut).wrapping_neg();
        // `LEANS` and `RUNS` are constants, so that each of the four loops has no branch on them.
        let mut free = rows();
        let mut row = [0; WORDS];
        row[self.begin / 64] = 1 << (self.begin % 64);
        if RUNS {
            run_east(&mut row, &free);
            row = each(|word| row[word] & bounds[word]);
        }
        visit(&row, &[0; WORDS]);
        for index in 1..=self.rows {
            let below = rows();
            let mut turned = [0; WORDS];
            if LEANS || !RUNS {
                let (east, west) = (down(&free), if LEANS { up(&below) } else { below });
                let leaving: [u64; WORDS] =
                    each(|word| row[word] & (east[word] & west[word] | ask));
                let leaving: [u64; WORDS] = if LEANS { leaving } else { up(&leaving) };
                turned = each(|word| leaving[word] & below[word]);
            }
            if LEANS && RUNS {
                row = turned;
            } else {
                let dropped = if LEANS { down(&row) } else { row };
                row = each(|word| dropped[word] & below[word] | turned[word]);
            }
            if RUNS {
                run_east(&mut row, &below);
            }
            row = each(|word| row[word] & bounds[word]);
            if !LEANS && !RUNS && index + self.columns > self.rows {
                // From cells further west the end cannot be reached any more.
                let near = between::<WORDS>(index + self.columns - self.rows, self.last);
                row = each(|word| row[word] & near[word]);
            }
            // Most blocked segments end here, long before the last row.
            if row.iter().fold(0, |any, word| any | word) == 0 {
                return false;
            }
            visit(&row, &turned);
            free = below;
        }
        row[self.end / 64] >> (self.end % 64) & 1 == 1
    }
}

#[inline]
fn each<const WORDS: usize>(word: impl FnMut(usize) -> u64) -> [u64; WORDS] {
    std::array::from_fn(word)
}

/// The bits from one to another.
#[inline]
fn between<const WORDS: usize>(first: usize, last: usize) -> [u64; WORDS] {
    each(|word| {
        let (low, high) = (word * 64, word * 64 + 63);
        if last < low || first > high {
            return 0;
        }
        let from = first.saturating_sub(low);
        u64::MAX << from & u64::MAX >> high.saturating_sub(last)
    })
}

/// All bits one place higher.
#[inline]
fn up<const WORDS: usize>(words: &[u64; WORDS]) -> [u64; WORDS] {
    each(|word| {
        let carry = if word > 0 { words[word - 1] >> 63 } else { 0 };
        words[word] << 1 | carry
    })
}

/// All bits one place lower.
#[inline]
fn down<const WORDS: usize>(words: &[u64; WORDS]) -> [u64; WORDS] {
    each(|word| words[word] >> 1 | words.get(word + 1).map_or(0, |next| next << 63))
}

/// Adds the free cells to the east of the set ones, without gaps.
#[inline]
fn run_east<const WORDS: usize>(row: &mut [u64; WORDS], free: &[u64; WORDS]) {
    let mut carry = false;
    for (row, &free) in row.iter_mut().zip(free) {
        // A carry runs along the free cells to the east of every set one, and stops at a wall.
        let (sum, over) = free.overflowing_add(*row);
        let (sum, over_too) = sum.overflowing_add(u64::from(carry));
        *row |= free & !sum;
        carry = over || over_too;
    }
}

impl DirectSegments {
    /// Whether a direct segment leads from one cell to another one of its floor, over places
    /// without exits and step costs.
    pub(crate) fn is_clear(open: &SegmentGround<'_>, from: Cell, to: Cell) -> bool {
        let frame = SegmentFrame::new(open, from, to);
        frame.flood(open, |_, _| ())
    }

    /// Appends the cells of a direct segment after its first one to `cells` and returns whether
    /// there is a direct segment.
    pub(crate) fn lay(
        &mut self,
        open: &SegmentGround<'_>,
        from: Cell,
        to: Cell,
        cells: &mut Vec<Cell>,
    ) -> bool {
        let frame = SegmentFrame::new(open, from, to);
        let reached = &mut self.reached;
        reached.clear();
        let clear = frame.flood(open, |row, turned| {
            reached.extend_from_slice(row);
            reached.extend_from_slice(turned);
        });
        if !clear {
            return false;
        }
        let first = cells.len();
        let steps = if open.has_diagonals() {
            frame.columns.max(frame.rows)
        } else {
            frame.columns + frame.rows
        };
        cells.resize(first + steps, to);
        // The trace runs from the eastern end to the western one.
        let laid = &mut cells[first..];
        if frame.west == to {
            self.trace(open, &frame, laid.iter_mut());
        } else {
            let before_last = laid.iter_mut().rev().skip(1);
            self.trace(open, &frame, before_last);
        }
        true
    }

    /// Follows the rows back from the cell before the eastern end and writes the cells to `cells`.
    /// Of two ways it takes the way nearer to the line from end to end, then the straight one.
    fn trace<'a>(
        &self,
        open: &SegmentGround<'_>,
        frame: &SegmentFrame,
        cells: impl Iterator<Item = &'a mut Cell>,
    ) {
        let diagonals = open.has_diagonals();
        let words = frame.words();
        let lean = usize::from(frame.leans);
        let is_set = |word: usize, bit: usize| {
            let word = self.reached.get(word + bit / 64);
            word.is_some_and(|word| word >> (bit % 64) & 1 == 1)
        };
        // The first word of the row, and the bit of the cell.
        let (mut at, mut bit) = (2 * words * frame.rows, frame.end);
        let mut cell = frame.west.moved(frame.columns as u16, 0);
        cell.y = if frame.up {
            cell.y - frame.rows as u16
        } else {
            cell.y + frame.rows as u16
        };
        // The distance of a cell from the line, and its change by a column west and a row up.
        let mut off = 0_isize;
        let (west, up) = (-(frame.rows as isize), frame.columns as isize);
        for out in cells {
            let (by_west, by_up) = if diagonals {
                let straight = if frame.steep {
                    at > 0 && is_set(at - 2 * words, bit + lean)
                } else {
                    bit > 0 && is_set(at, bit - 1)
                };
                let diagonal = is_set(at + words, bit);
                let beside = if frame.steep { up } else { west };
                let turns =
                    diagonal && (!straight || (off + west + up).abs() < (off + beside).abs());
                (turns || !frame.steep, turns || frame.steep)
            } else {
                let west_is_open = bit > 0 && is_set(at, bit - 1);
                let up_is_open = at > 0 && is_set(at - 2 * words, bit);
                let climbs = up_is_open && (!west_is_open || (off + up).abs() < (off + west).abs());
                (!climbs, climbs)
            };
            if by_west {
                cell.x -= 1;
                bit -= 1;
                off += west;
            }
            if by_up {
                cell.y = if frame.up { cell.y + 1 } else { cell.y - 1 };
                at -= 2 * words;
                bit += lean;
                off += up;
            }
            *out = cell;
        }
    }
}
