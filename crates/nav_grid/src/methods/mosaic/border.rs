//! From one block into those beside it.

use super::{
    cross::UNREACHED,
    scratch::{BlockRank, NEWS},
    task::{MosaicLists, MosaicTask},
};
use crate::{
    cell::{Cell, Direction},
    index::mosaic::{Block, RING_MAX},
    rules::{CornerRule, Cost},
};

/// The cells of one side of a block that have news, and those beside them.
struct BlockBorder<'n> {
    /// By place along the side, clockwise around the block.
    news: &'n [Cost],
    /// The cell beside the first.
    first: Cell,
    clockwise: (i32, i32),
}

/// A part of the cells beside a side: those of one block.
struct BorderRun {
    begin: usize,
    end: usize,
    block: Block,
    /// Whether the cells before and after it can be stood on.
    open: (bool, bool),
}

impl BlockBorder<'_> {
    /// A cell beside the side; wraps around the map's edge to one that is outside, too.
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
    /// Hands the news of one side of a block to the cells beside it.
    pub(crate) fn hand_on(
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
                // How far the cell is from the end of the other block, clockwise around this one.
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

    /// Hands news to the cells of one block.
    fn enter(&self, front: &mut MosaicLists<'_>, border: &BlockBorder<'_>, run: &BorderRun) {
        let rules = self.query.rules;
        let diagonals = rules.metric.diagonal().is_some();
        // A step past a cell beside needs that one open, unless corners may be cut. What lies
        // on this side is open in any case.
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
                front.cost_limited |= border.news[along] < UNREACHED;
                continue;
            }
            let cell = border.beside(along);
            let known = &mut ring[run.block.ring_index(cell)];
            if cost < *known & !NEWS {
                *known = cost | NEWS;
                let guess = self.guess(cell);
                best = best.min(BlockRank {
                    total: cost + guess,
                    guess,
                });
            }
        }
        front.counters.touched += u32::from(new);
        if best < BlockRank::LAST {
            front.counters.pushed += u32::from(front.scratch.push(place, best));
        }
    }
}
