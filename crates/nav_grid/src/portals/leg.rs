//! Legs: stretches of a path on which nothing forces a walker to make a detour.

use super::flood::flood;
use crate::{Area, Cell, CornerRule, Footprint, Grid, map::Bitboard};

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

/// How the cells of a leg are bits of words, from its western end on, or from its upper end if it
/// goes straight down.
///
/// A leg of diagonal steps and straight ones stays in the rhomboid that both span. Words that lean,
/// a column further east in each row, need to be as wide as that only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) west: Cell,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Rows count upward.
    pub(super) up: bool,
    /// Whether more rows than columns are crossed.
    pub(super) steep: bool,
    /// Whether words lean.
    leans: bool,
    /// The bits of both ends in their rows.
    pub(super) begin: usize,
    pub(super) end: usize,
    /// The bits between which the leg stays.
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Frame {
    /// Also tells whether the leg is walked from its eastern end.
    fn new(open: &Open<'_>, from: Cell, to: Cell) -> (Self, bool) {
        let turned = (to.x, to.y) < (from.x, from.y);
        let (west, east) = if turned { (to, from) } else { (from, to) };
        let columns = usize::from(east.x - west.x);
        let rows = usize::from(east.y.abs_diff(west.y));
        let steep = rows > columns;
        let more = columns.abs_diff(rows);
        // Leaning words have a bit more on either side, to look at cells beside diagonal steps.
        let leans = open.diagonal > 0 && (!steep || (more + 2) / 64 < columns / 64);
        let (first, last) = if leans { (1, more + 1) } else { (0, columns) };
        let (begin, end) = if leans && steep {
            (last, first)
        } else {
            (first, last)
        };
        let frame = Self {
            west,
            columns,
            rows,
            up: east.y < west.y,
            steep,
            leans,
            begin,
            end,
            first,
            last,
        };
        (frame, turned)
    }

    /// How many words it takes.
    const fn words(&self) -> usize {
        (self.last + self.leans as usize) / 64 + 1
    }

    /// Calls [`flood`] with as many words as it takes, four at most.
    #[inline]
    fn flood(&self, open: &Open<'_>, visit: impl FnMut(&[u64], &[u64])) -> bool {
        match self.words() {
            1 => self.flood_words::<1>(open, visit),
            2 => self.flood_words::<2>(open, visit),
            3..=4 => self.flood_words::<4>(open, visit),
            _ => false,
        }
    }

    #[inline]
    fn flood_words<const WORDS: usize>(
        &self,
        open: &Open<'_>,
        mut visit: impl FnMut(&[u64], &[u64]),
    ) -> bool {
        let visit = |row: &[u64; WORDS], turned: &[u64; WORDS]| visit(row, turned);
        match (self.leans, open.diagonal == 0 || !self.steep) {
            (true, true) => flood::<WORDS, true, true>(open, self, visit),
            (true, false) => flood::<WORDS, true, false>(open, self, visit),
            (false, true) => flood::<WORDS, false, true>(open, self, visit),
            (false, false) => flood::<WORDS, false, false>(open, self, visit),
        }
    }
}

impl Legs {
    /// Whether a leg leads from one free cell to another one of its floor.
    pub(super) fn is_clear(open: &Open<'_>, from: Cell, to: Cell) -> bool {
        let (frame, _) = Frame::new(open, from, to);
        frame.flood(open, |_, _| ()) && !open.is_fenced(from, to)
    }

    /// Puts the cells of a leg behind its first one into `cells`, if there is a leg.
    pub(super) fn lay(
        &mut self,
        open: &Open<'_>,
        from: Cell,
        to: Cell,
        cells: &mut Vec<Cell>,
    ) -> bool {
        let (frame, turned) = Frame::new(open, from, to);
        let reached = &mut self.reached;
        reached.clear();
        let clear = frame.flood(open, |row, turned| {
            reached.extend_from_slice(row);
            reached.extend_from_slice(turned);
        });
        if !clear || open.is_fenced(from, to) {
            return false;
        }
        let first = cells.len();
        let steps = if open.diagonal > 0 {
            frame.columns.max(frame.rows)
        } else {
            frame.columns + frame.rows
        };
        cells.resize(first + steps, to);
        // The trace runs from the eastern end to the western one.
        let laid = &mut cells[first..];
        if turned {
            self.trace(open, &frame, laid.iter_mut());
        } else {
            let before_last = laid.iter_mut().rev().skip(1);
            self.trace(open, &frame, before_last);
        }
        true
    }

    /// Follows the rows back from the cell before the eastern end, as far as `cells` go; of two
    /// ways it takes the one nearer to the line from end to end, then the straight one.
    fn trace<'a>(&self, open: &Open<'_>, frame: &Frame, cells: impl Iterator<Item = &'a mut Cell>) {
        let diagonals = open.diagonal > 0;
        let words = match frame.words() {
            3 => 4,
            words => words,
        };
        let lean = usize::from(frame.leans);
        let is_set = |word: usize, bit: usize| {
            let word = self.reached.get(word + bit / 64);
            word.is_some_and(|word| word >> (bit % 64) & 1 == 1)
        };
        // Where the words of the row begin, and the bit of the cell.
        let (mut at, mut bit) = (2 * words * frame.rows, frame.end);
        let mut cell = Cell {
            x: frame.west.x + frame.columns as u16,
            y: if frame.up {
                frame.west.y - frame.rows as u16
            } else {
                frame.west.y + frame.rows as u16
            },
            ..frame.west
        };
        let (columns, rows) = (frame.columns as isize, frame.rows as isize);
        // How far a cell lies off the line, and what a column west and a row up add to it.
        let mut off = 0_isize;
        let (west, up) = (-rows, columns);
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
