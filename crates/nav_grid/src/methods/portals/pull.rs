//! String pulling over direct segments: shortens a refined path.

use super::work_slice::WorkSlice;
use crate::{
    cell::Cell,
    index::portals::{DirectSegments, SegmentGround},
};

/// A path as cells and the places among them between which it is a [direct
/// segment](DirectSegments), its first and last one included.
#[derive(Clone, Debug, Default)]
pub(crate) struct SegmentPath {
    pub(crate) cells: Vec<Cell>,
    pub(crate) turns: Vec<usize>,
    /// What it costs to come to each turn.
    costs: Vec<u32>,
}

impl SegmentPath {
    /// Starts anew from a cell.
    pub(crate) fn start(&mut self, cell: Cell) {
        self.cells.clear();
        self.cells.push(cell);
        self.turns.clear();
        self.turns.push(0);
    }

    /// Notes that a direct segment ends at the last cell.
    pub(crate) fn turn(&mut self) {
        self.turns.push(self.cells.len() - 1);
    }

    fn measure(&mut self, open: &SegmentGround<'_>) {
        let Self {
            cells,
            turns,
            costs,
        } = self;
        costs.clear();
        costs.push(0);
        let mut cost = 0;
        costs.extend(turns.windows(2).map(|turns| {
            cost += open.distance(cells[turns[0]], cells[turns[1]]);
            cost
        }));
    }

    /// What it costs to come to a cell, by some turn at or before it.
    #[inline]
    fn cost(&self, open: &SegmentGround<'_>, at: usize, turn: usize) -> u32 {
        let later = &self.turns[turn + 1..];
        let turn = turn + later.iter().take_while(|&&turn| turn <= at).count();
        self.costs[turn] + open.distance(self.cells[self.turns[turn]], self.cells[at])
    }

    /// Whether a direct segment leads from one cell to another one and costs less than a way of so
    /// much.
    #[inline]
    fn is_cut(&self, open: &SegmentGround<'_>, from: usize, to: usize, walked: u32) -> bool {
        let (from, to) = (self.cells[from], self.cells[to]);
        walked > open.distance(from, to) && DirectSegments::is_clear(open, from, to)
    }

    /// How far the path is a direct segment from one cell on that is one as far as to another.
    /// `turn` is the last turn at or before the first cell, and then at or before the answer.
    fn straight_on(
        &self,
        open: &SegmentGround<'_>,
        from: usize,
        to: usize,
        turn: &mut usize,
    ) -> usize {
        let start = self.cost(open, from, *turn);
        let is_leg =
            |to: usize, cost: u32| cost - start == open.distance(self.cells[from], self.cells[to]);
        let mut reached = to;
        while let Some(&next) = self.turns.get(*turn + 1) {
            if next > to && !is_leg(next, self.costs[*turn + 1]) {
                // Once it is none any more, nothing makes it one again.
                let corner = self.cells[self.turns[*turn]];
                let mut missed = next;
                while reached + 1 < missed {
                    let middle = reached.midpoint(missed);
                    let cost = self.costs[*turn] + open.distance(corner, self.cells[middle]);
                    if is_leg(middle, cost) {
                        reached = middle;
                    } else {
                        missed = middle;
                    }
                }
                break;
            }
            reached = reached.max(next);
            *turn += 1;
        }
        reached
    }
}

/// Shortens paths where a [direct segment](DirectSegments) is cheaper than what they do.
///
/// A path of steps on one floor is pulled tight from its first cell to its last one, twice:
/// [`cut_bends`](Self::cut_bends), then [`skip_ahead`](Self::skip_ahead).
#[derive(Clone, Debug, Default)]
pub(crate) struct StringPull {
    direct: DirectSegments,
    pulled: SegmentPath,
    /// The cells from which the segment is on and behind which nothing is pulled yet, and the last
    /// turn at or before that.
    from: usize,
    at: usize,
    turn: usize,
}

impl StringPull {
    /// Makes ready for one of the two.
    pub(crate) fn start(&mut self, open: &SegmentGround<'_>, segment_path: &mut SegmentPath) {
        segment_path.measure(open);
        self.pulled.start(segment_path.cells[0]);
        (self.from, self.at, self.turn) = (0, 0, 0);
    }

    /// Cuts across bends, from as far before each to as far behind it as can be. Returns `None`
    /// if the slice ends before.
    pub(crate) fn cut_bends(
        &mut self,
        open: &SegmentGround<'_>,
        segment_path: &mut SegmentPath,
        slice: &mut WorkSlice,
    ) -> Option<()> {
        let Self { direct, pulled, .. } = self;
        let (mut from, mut at, mut turn) = (self.from, self.at, self.turn);
        let cells = &segment_path.cells;
        let last = cells.len() - 1;
        while at < last {
            if !slice.take_scan() {
                (self.from, self.at, self.turn) = (from, at, turn);
                return None;
            }
            let next = segment_path.straight_on(open, from, at, &mut turn);
            pulled.cells.extend_from_slice(&cells[at + 1..=next]);
            at = next;
            if at == last {
                break;
            }
            let cost = segment_path.cost(open, at, turn);
            let mut reach = 32;
            let mut cut = None;
            while reach > 0 {
                let (one, other) = (at.saturating_sub(reach).max(from), (at + reach).min(last));
                let ahead = segment_path.cost(open, other, turn) - cost;
                let walked = open.distance(cells[one], cells[at]) + ahead;
                if segment_path.is_cut(open, one, other, walked) {
                    cut = Some((one, other));
                    break;
                }
                reach /= 2;
            }
            if let Some((one, other)) = cut {
                pulled.cells.truncate(pulled.cells.len() - (at - one));
                if one > from {
                    pulled.turn();
                }
                direct.lay(open, cells[one], cells[other], &mut pulled.cells);
                at = other;
            }
            pulled.turn();
            from = at;
        }
        if from < last {
            pulled.turn();
        }
        std::mem::swap(segment_path, pulled);
        Some(())
    }

    /// From each turn on, takes the segment that leads furthest along the path. Returns `None` if
    /// the slice ends before.
    pub(crate) fn skip_ahead(
        &mut self,
        open: &SegmentGround<'_>,
        segment_path: &mut SegmentPath,
        slice: &mut WorkSlice,
    ) -> Option<()> {
        let Self { direct, pulled, .. } = self;
        let (mut at, mut turn) = (self.at, self.turn);
        let cells = &segment_path.cells;
        let last = cells.len() - 1;
        while at < last {
            if !slice.take_scan() {
                (self.at, self.turn) = (at, turn);
                return None;
            }
            // As far as the path is a direct segment already.
            let cost = segment_path.cost(open, at, turn);
            let near = segment_path.straight_on(open, at, at, &mut turn);
            let saves = |to: usize| {
                let walked = segment_path.cost(open, to, turn) - cost;
                segment_path.is_cut(open, at, to, walked)
            };
            let mut best = None;
            let mut ahead = 1;
            let mut low = near;
            let mut high = last + 1;
            while low < last {
                let to = (near + ahead).min(last);
                if to >= high {
                    break;
                }
                if saves(to) {
                    best = Some(to);
                    low = to;
                    ahead *= 2;
                } else {
                    high = to;
                }
            }
            while best.is_some() && low + 1 < high {
                let middle = low.midpoint(high);
                if saves(middle) {
                    best = Some(middle);
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if let Some(to) = best {
                direct.lay(open, cells[at], cells[to], &mut pulled.cells);
                at = to;
            } else {
                pulled.cells.extend_from_slice(&cells[at + 1..=near]);
                at = near;
            }
            pulled.turn();
        }
        std::mem::swap(segment_path, pulled);
        Some(())
    }
}
