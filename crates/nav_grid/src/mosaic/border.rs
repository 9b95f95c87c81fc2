//! From one block into those beside it.

use super::{
    block::{Block, RING_MAX},
    cross::UNREACHED,
    scratch::{NEWS, Rank},
    task::{Front, Task},
};
use crate::{Cell, CornerRule, Cost, Direction};

impl Task<'_> {
    /// Hands the news of one side of a block to the cells beside it.
    pub(super) fn hand_on(
        &self,
        front: &mut Front<'_>,
        block: Block,
        q: usize,
        news: &[Cost; RING_MAX],
    ) {
        let side = usize::from(block.side());
        let mut costs = [UNREACHED; 64];
        for (along, cost) in costs[..side].iter_mut().enumerate() {
            *cost = news[block.side_index(q, along)];
        }
        if costs.iter().all(|&cost| cost == UNREACHED) {
            return;
        }
        let (out, clockwise) = (
            Direction::ALL[2 * q],
            Direction::ALL[(2 * q + 2) % 8].delta(),
        );
        let Some(first) = block.ring_cell(block.side_index(q, 0)).step(out) else {
            return;
        };
        let beside = |along: usize| Cell {
            x: (i32::from(first.x) + clockwise.0 * along as i32) as u16,
            y: (i32::from(first.y) + clockwise.1 * along as i32) as u16,
            ..first
        };
        // Which cells beside can be stood on, and the first one of each block among them.
        let mut open: u64 = 0;
        let mut runs = [(0, 0, block); 64];
        let mut run_count = 0;
        let mut along = 0;
        while along < side {
            let cell = beside(along);
            let Some(other) = self.block(cell) else {
                along += 1;
                continue;
            };
            // How far the cell is from the end of the other block, clockwise around this one.
            let last = match q {
                0 => other.last().x - cell.x,
                1 => other.last().y - cell.y,
                2 => cell.x - other.origin.x,
                _ => cell.y - other.origin.y,
            };
            let end = side.min(along + usize::from(last) + 1);
            open |= u64::MAX >> (63 - (end - along - 1)) << along;
            runs[run_count] = (along, end, other);
            run_count += 1;
            along = end;
        }
        let rules = self.query.rules;
        let diagonals = rules.metric.diagonal().is_some();
        // A step past a cell beside needs that one open, unless corners may be cut. What lies
        // on this side is open in any case.
        let past = match rules.corners {
            _ if !diagonals => 0,
            CornerRule::Strict => open,
            CornerRule::Cut => u64::MAX,
        };
        for &(begin, end, other) in &runs[..run_count] {
            let pace = self.pace_in(other);
            let (straight, diagonal) = (pace.straight, pace.straight + pace.slope);
            let place = self.mosaic.place(other.origin);
            let (ring, new) = front.scratch.ring(place, other);
            let mut best = Rank::LAST;
            for along in begin..end {
                let mut cost = costs[along] + straight;
                if along > 0 && past >> (along - 1) & 1 == 1 {
                    cost = cost.min(costs[along - 1] + diagonal);
                }
                if along + 1 < side && past >> (along + 1) & 1 == 1 {
                    cost = cost.min(costs[along + 1] + diagonal);
                }
                if cost >= UNREACHED {
                    front.cost_limited |= costs[along] < UNREACHED;
                    continue;
                }
                let cell = beside(along);
                let known = &mut ring[other.ring_index(cell)];
                if cost < *known & !NEWS {
                    *known = cost | NEWS;
                    let guess = self.guess(cell);
                    best = best.min(Rank {
                        total: cost + guess,
                        guess,
                    });
                }
            }
            front.counters.touched += u32::from(new);
            if best < Rank::LAST {
                front.counters.pushed += u32::from(front.scratch.push(place, best));
            }
        }
    }
}
