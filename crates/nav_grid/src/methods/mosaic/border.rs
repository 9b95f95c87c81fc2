//! The steps from the cells along the border of a block into the blocks beside it.

use super::{
    block_expansion::{MosaicLists, MosaicTask},
    cross::UNREACHED,
    ring_costs::{BlockRank, NEWS},
};
use crate::{
    cell::{Cell, Direction},
    index::mosaic::{Block, RING_MAX},
    rules::{CornerRule, Cost},
};

/// One side of a block that was crossed, and the cells beside it.
struct BlockBorder<'n> {
    /// New costs by place along the side, clockwise around the block.
    news: &'n [Cost],
    /// The cell beside the first place.
    first: Cell,
    clockwise: (i32, i32),
}

/// The places along a side beside which one other block lies.
struct BorderRun {
    begin: usize,
    end: usize,
    block: Block,
    /// Whether the cells before and after the run are walkable.
    open: (bool, bool),
}

impl BlockBorder<'_> {
    /// The cell beside a place. Beyond the edge of the map it wraps to a cell outside the map.
    #[inline]
    fn beside(&self, along: usize) -> Cell {
        let offset = |delta: i32| (delta * along as i32) as u16;
        Cell {
            x: self.first.x.wrapping_add(offset(self.clockwise.0)),
            y: self.first.y.wrapping_add(offset(self.clockwise.1)),
            ..self.first
        }
    }
}

impl MosaicTask<'_> {
    /// Passes the new costs of one side of a block to the cells beside it.
    pub(crate) fn cross_border(
        &self,
        front: &mut MosaicLists<'_>,
        block: Block,
        q: usize,
        news: &[Cost; RING_MAX],
    ) {
        let side = usize::from(block.side());
        let mut costs = [UNREACHED; 64];
        for (along, cost) in costs[..side].iter_mut().enumerate() {
            *cost = news[block.side_index(q, along)];
        }
        let news = &costs[..side];
        if news.iter().all(|&cost| cost == UNREACHED) {
            return;
        }
        let out = Direction::ALL[2 * q];
        let Some(first) = block.ring_cell(block.side_index(q, 0)).step(out) else {
            return;
        };
        let border = BlockBorder {
            news,
            first,
            clockwise: Direction::ALL[(2 * q + 2) % 8].delta(),
        };
        let mut open_before = false;
        let mut begin = 0;
        let mut here = self.block(first);
        while begin < side {
            let end = here.map_or(begin + 1, |other| {
                let cell = border.beside(begin);
                // Cells left in the other block, clockwise around this block.
                let further = match q {
                    0 => other.last().x - cell.x,
                    1 => other.last().y - cell.y,
                    2 => cell.x - other.origin.x,
                    _ => cell.y - other.origin.y,
                };
                side.min(begin + usize::from(further) + 1)
            });
            let next = (end < side)
                .then(|| self.block(border.beside(end)))
                .flatten();
            if let Some(other) = here {
                let run = BorderRun {
                    begin,
                    end,
                    block: other,
                    open: (open_before, next.is_some()),
                };
                self.enter(front, &border, &run);
            }
            (begin, open_before, here) = (end, here.is_some(), next);
        }
    }

    /// Passes new costs to the cells of one block.
    fn enter(&self, front: &mut MosaicLists<'_>, border: &BlockBorder<'_>, run: &BorderRun) {
        let rules = self.query.rules;
        let diagonals = rules.metric.diagonal().is_some();
        // A diagonal step needs the cell beside it open, unless corners may be cut. The cells on
        // this side are open.
        let cuts = rules.corners == CornerRule::Cut;
        let past_before = diagonals && (cuts || run.open.0);
        let past_after = diagonals && (cuts || run.open.1);

        let step_costs = self.costs_in(run.block);
        let (straight, diagonal) = (step_costs.straight, step_costs.straight + step_costs.slope);
        let place = self.mosaic.place(run.block.origin);
        let (ring, new) = front.scratch.ring(place, run.block);
        let mut best = BlockRank::LAST;
        for along in run.begin..run.end {
            let mut cost = border.news[along] + straight;
            if along > 0 && (diagonals && along > run.begin || past_before) {
                cost = cost.min(border.news[along - 1] + diagonal);
            }
            if along + 1 < border.news.len() && (diagonals && along + 1 < run.end || past_after) {
                cost = cost.min(border.news[along + 1] + diagonal);
            }
            if cost >= UNREACHED {
                front.at.cost_limited |= border.news[along] < UNREACHED;
                continue;
            }
            let cell = border.beside(along);
            let known = &mut ring[run.block.ring_index(cell)];
            if cost < *known & !NEWS {
                *known = cost | NEWS;
                best = best.min(self.rank(cell, cost));
            }
        }
        front.at.counters.touched += u32::from(new);
        if best < BlockRank::LAST {
            front.push(place, best);
        }
    }
}
