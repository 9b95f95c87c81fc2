//! Legs: stretches of a path on which nothing forces a walker to make a detour.

use super::{
    segment_flood::flood,
    segment_frame::{SegmentFrame, SegmentGround},
};
use crate::cell::Cell;

/// Finds paths that cost what they would on open ground.
///
/// Such a path takes steps in two directions only, the straight one and the diagonal one that
/// lie on either side of the line from end to end (two straight ones where there are no
/// diagonals). So the cells that it may come to are found a row at a time, each row from the
/// one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirectSegments {
    /// The cells of each row that can be come to, from the western end on.
    reached: Vec<u64>,
}

impl SegmentFrame {
    /// Also tells whether the leg is walked from its eastern end.
    fn new(open: &SegmentGround<'_>, from: Cell, to: Cell) -> (Self, bool) {
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
    fn flood(&self, open: &SegmentGround<'_>, visit: impl FnMut(&[u64], &[u64])) -> bool {
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
        open: &SegmentGround<'_>,
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

impl DirectSegments {
    /// Whether a leg leads from one free cell to another one of its floor.
    pub(crate) fn is_clear(open: &SegmentGround<'_>, from: Cell, to: Cell) -> bool {
        let (frame, _) = SegmentFrame::new(open, from, to);
        frame.flood(open, |_, _| ()) && !open.is_fenced(from, to)
    }

    /// Puts the cells of a leg behind its first one into `cells`, if there is a leg.
    pub(crate) fn lay(
        &mut self,
        open: &SegmentGround<'_>,
        from: Cell,
        to: Cell,
        cells: &mut Vec<Cell>,
    ) -> bool {
        let (frame, turned) = SegmentFrame::new(open, from, to);
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
    fn trace<'a>(
        &self,
        open: &SegmentGround<'_>,
        frame: &SegmentFrame,
        cells: impl Iterator<Item = &'a mut Cell>,
    ) {
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
