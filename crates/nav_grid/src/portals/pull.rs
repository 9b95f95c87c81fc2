//! Pulling a path tight.

use super::leg::{Legs, Open};
use crate::Cell;

/// Shortens paths where a [leg](Legs) is cheaper than what they do.
#[derive(Clone, Debug, Default)]
pub(super) struct Pull {
    legs: Legs,
    /// What it costs to come to each cell of the path.
    costs: Vec<u32>,
    pulled: Vec<Cell>,
}

impl Pull {
    /// Pulls a path of steps on one floor tight, from its first cell to its last one.
    pub(super) fn pull(&mut self, open: &Open<'_>, cells: &mut Vec<Cell>) {
        self.cut_bends(open, cells);
        self.skip_ahead(open, cells);
    }

    fn measure(&mut self, open: &Open<'_>, cells: &[Cell]) {
        self.costs.clear();
        self.costs.push(0);
        let mut cost = 0;
        for pair in cells.windows(2) {
            cost += open.step(pair[0], pair[1]);
            self.costs.push(cost);
        }
    }

    /// What a leg between two cells of the path would save; 0 as well if there is none.
    fn saving(&self, open: &Open<'_>, cells: &[Cell], from: usize, to: usize) -> u32 {
        let walked = self.costs[to] - self.costs[from];
        let saving = walked - open.distance(cells[from], cells[to]);
        if saving > 0 && Legs::is_clear(open, cells[from], cells[to]) {
            saving
        } else {
            0
        }
    }

    /// Cuts across bends, from as far before each to as far behind it as can be.
    fn cut_bends(&mut self, open: &Open<'_>, cells: &mut Vec<Cell>) {
        let mut out = std::mem::take(&mut self.pulled);
        out.clear();
        self.measure(open, cells);
        let last = cells.len() - 1;
        out.push(cells[0]);
        // The first cell that is not laid yet follows `at`; the leg that is on from `from`.
        let (mut from, mut at) = (0, 0);
        while at < last {
            let next = at + 1;
            let walked = self.costs[next] - self.costs[from];
            if walked == open.distance(cells[from], cells[next]) {
                out.push(cells[next]);
                at = next;
                continue;
            }
            // A bend at `at`.
            let mut reach = 32;
            let mut cut = None;
            while reach > 0 {
                let (one, other) = (at.saturating_sub(reach).max(from), (at + reach).min(last));
                if self.saving(open, cells, one, other) > 0 {
                    cut = Some((one, other));
                    break;
                }
                reach /= 2;
            }
            if let Some((one, other)) = cut {
                out.truncate(out.len() - (at - one));
                self.legs.lay(open, cells[one], cells[other], &mut out);
                from = other;
                at = other;
            } else {
                from = at;
                // Two cells are always a leg.
                out.push(cells[next]);
                at = next;
            }
        }
        std::mem::swap(cells, &mut out);
        self.pulled = out;
    }

    /// From each turn on, takes the leg that leads furthest along the path.
    fn skip_ahead(&mut self, open: &Open<'_>, cells: &mut Vec<Cell>) {
        let mut out = std::mem::take(&mut self.pulled);
        out.clear();
        self.measure(open, cells);
        let last = cells.len() - 1;
        out.push(cells[0]);
        let mut at = 0;
        while at < last {
            // As far as the path is a leg already.
            let mut near = at + 1;
            while near < last
                && self.costs[near + 1] - self.costs[at]
                    == open.distance(cells[at], cells[near + 1])
            {
                near += 1;
            }
            let mut best = None;
            let mut ahead = 1;
            let mut low = near;
            let mut high = last + 1;
            while low < last {
                let to = (near + ahead).min(last);
                if to >= high {
                    break;
                }
                if self.saving(open, cells, at, to) > 0 {
                    best = Some(to);
                    low = to;
                    ahead *= 2;
                } else {
                    high = to;
                }
            }
            while best.is_some() && low + 1 < high {
                let middle = low.midpoint(high);
                if self.saving(open, cells, at, middle) > 0 {
                    best = Some(middle);
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if let Some(to) = best {
                self.legs.lay(open, cells[at], cells[to], &mut out);
                at = to;
            } else {
                out.extend_from_slice(&cells[at + 1..=near]);
                at = near;
            }
        }
        std::mem::swap(cells, &mut out);
        self.pulled = out;
    }
}
