//! String pulling over direct segments: shortens a refined path.

use super::portal_task::WorkSlice;
use crate::{
    cell::Cell,
    index::portals::{DirectSegments, SegmentGround},
    map::Grid,
    rules::Rules,
};

/// A path as cells, and the indices of cells between which it is a [direct
/// segment](DirectSegments), with the first and last cell. A step onto ground with a step cost is a
/// segment of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct SegmentPath {
    pub(crate) cells: Vec<Cell>,
    pub(crate) turns: Vec<usize>,
    /// The cost up to each turn.
    costs: Vec<u32>,
}

impl SegmentPath {
    /// Forgets the last path and begins at a cell.
    pub(crate) fn start(&mut self, cell: Cell) {
        self.cells.clear();
        self.cells.push(cell);
        self.turns.clear();
        self.turns.push(0);
    }

    /// Records that a direct segment ends at the last cell.
    pub(crate) fn turn(&mut self) {
        self.turns.push(self.cells.len() - 1);
    }

    /// The cost of the path, which must be on one floor.
    pub(crate) fn whole_cost(&self, grid: &Grid, rules: Rules, open: &SegmentGround<'_>) -> u64 {
        let segments = self.turns.windows(2).map(|turns| {
            let (from, to) = (self.cells[turns[0]], self.cells[turns[1]]);
            let (columns, rows) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            let cost = rules.metric.open_ground(columns, rows);
            u64::from(rules.metric.onto(cost, self.ground(open, turns)))
        });
        let whole: u64 = segments.sum();
        if grid.links().is_empty() {
            return whole;
        }
        // A link beside a step that costs less is what the walker takes.
        let savings = self.cells.windows(2).map(|step| {
            let (from, to) = (step[0], step[1]);
            if grid.links_from(from).is_empty() {
                return 0;
            }
            let direction = from.direction_to(to);
            let step = direction.and_then(|direction| grid.step_cost(from, direction, rules));
            let best = grid.move_cost(from, to, rules);
            let saved = step.zip(best).map_or(0, |(step, best)| step - best);
            u64::from(saved)
        });
        whole - savings.sum::<u64>()
    }

    /// The cost of the ground of a segment. One of several steps leads over ground of cost 1.
    #[inline]
    fn ground(&self, open: &SegmentGround<'_>, turns: &[usize]) -> u32 {
        if turns[1] - turns[0] == 1 {
            open.cost(self.cells[turns[1]])
        } else {
            1
        }
    }

    fn measure(&mut self, open: &SegmentGround<'_>) {
        let mut costs = std::mem::take(&mut self.costs);
        costs.clear();
        costs.push(0);
        let mut cost = 0;
        costs.extend(self.turns.windows(2).map(|turns| {
            let distance = open.distance(self.cells[turns[0]], self.cells[turns[1]]);
            cost += open.step_costs.onto(distance, self.ground(open, turns));
            cost
        }));
        self.costs = costs;
    }

    /// The cost up to a cell, given a turn at or before it.
    #[inline]
    fn cost(&self, open: &SegmentGround<'_>, at: usize, turn: usize) -> u32 {
        let later = &self.turns[turn + 1..];
        let turn = turn + later.iter().take_while(|&&turn| turn <= at).count();
        self.costs[turn] + open.distance(self.cells[self.turns[turn]], self.cells[at])
    }

    /// Whether a direct segment between two cells is clear and costs less than `walked`.
    #[inline]
    fn is_cut(&self, open: &SegmentGround<'_>, from: usize, to: usize, walked: u32) -> bool {
        let (from, to) = (self.cells[from], self.cells[to]);
        walked > open.distance(from, to) && DirectSegments::is_clear(open, from, to)
    }

    /// The last cell up to which the path is a direct segment from `from`, or one step further if
    /// that leads onto ground with a step cost. It is a direct segment up to `to`. `turn` is the
    /// last turn at or before `from`, and is moved on to the answer.
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
                if reached == from && next == from + 1 {
                    *turn += 1;
                    return next;
                }
                // The answer is between the turns, and can be found by bisection: a path that
                // is no direct segment does not become one further on.
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

/// Shortens paths where a [direct segment](DirectSegments) is cheaper.
///
/// A path of steps on one floor is pulled tight from its first cell to its last one, twice:
/// [`cut_bends`](Self::cut_bends), then [`skip_ahead`](Self::skip_ahead).
#[derive(Clone, Debug, Default)]
pub(crate) struct StringPull {
    direct: DirectSegments,
    pulled: SegmentPath,
    /// The cell at which the segment begins, the cell up to which the path is pulled, and the last
    /// turn at or before it.
    from: usize,
    at: usize,
    turn: usize,
}

impl StringPull {
    /// Prepares for one of the two.
    pub(crate) fn start(&mut self, open: &SegmentGround<'_>, segment_path: &mut SegmentPath) {
        segment_path.measure(open);
        self.pulled.start(segment_path.cells[0]);
        (self.from, self.at, self.turn) = (0, 0, 0);
    }

    /// Cuts across bends, from as far before each to as far behind it as possible. Returns `None`
    /// if the slice ends first.
    pub(crate) fn cut_bends(
        &mut self,
        open: &SegmentGround<'_>,
        segment_path: &mut SegmentPath,
        slice: &mut WorkSlice,
    ) -> Option<()> {
        let (direct, pulled) = (&mut self.direct, &mut self.pulled);
        let (mut from, mut at, mut turn) = (self.from, self.at, self.turn);
        let cells = &segment_path.cells;
        let last = cells.len() - 1;
        while at < last {
            if !slice.take_scan() {
                (self.from, self.at, self.turn) = (from, at, turn);
                return None;
            }
            let begun = segment_path.cost(open, from, turn);
            let next = segment_path.straight_on(open, from, at, &mut turn);
            pulled.cells.extend_from_slice(&cells[at + 1..=next]);
            at = next;
            if at == last {
                break;
            }
            let cost = segment_path.cost(open, at, turn);
            let reaches = [32, 16, 8, 4, 2, 1].into_iter();
            let mut cuts =
                reaches.map(|reach| (at.saturating_sub(reach).max(from), (at + reach).min(last)));
            let cut = cuts.find(|&(one, other)| {
                let ahead = segment_path.cost(open, other, turn) - cost;
                let behind = if one == from {
                    cost - begun
                } else {
                    open.distance(cells[one], cells[at])
                };
                let walked = behind + ahead;
                segment_path.is_cut(open, one, other, walked)
            });
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

    /// Replaces the path from each turn on by the segment that leads furthest along it. Returns
    /// `None` if the slice ends first.
    pub(crate) fn skip_ahead(
        &mut self,
        open: &SegmentGround<'_>,
        segment_path: &mut SegmentPath,
        slice: &mut WorkSlice,
    ) -> Option<()> {
        let (direct, pulled) = (&mut self.direct, &mut self.pulled);
        let (mut at, mut turn) = (self.at, self.turn);
        let cells = &segment_path.cells;
        let last = cells.len() - 1;
        while at < last {
            if !slice.take_scan() {
                (self.at, self.turn) = (at, turn);
                return None;
            }
            // The path is a direct segment this far.
            let cost = segment_path.cost(open, at, turn);
            let near = segment_path.straight_on(open, at, at, &mut turn);
            let saves = |to: usize| {
                let walked = segment_path.cost(open, to, turn) - cost;
                segment_path.is_cut(open, at, to, walked)
            };
            // Doubles the distance up to the first cell that saves nothing, then bisects.
            let (mut ahead, mut low, mut high) = (1, near, last);
            while low < last {
                let to = (near + ahead).min(last);
                if !saves(to) {
                    high = to;
                    break;
                }
                (low, ahead) = (to, 2 * ahead);
            }
            while low > near && low + 1 < high {
                let middle = low.midpoint(high);
                if saves(middle) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if low > near {
                direct.lay(open, cells[at], cells[low], &mut pulled.cells);
            } else {
                pulled.cells.extend_from_slice(&cells[at + 1..=near]);
            }
            at = low;
            pulled.turn();
        }
        std::mem::swap(segment_path, pulled);
        Some(())
    }
}
