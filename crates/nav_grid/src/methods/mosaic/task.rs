//! One query over blocks: the loop of expansions.

use super::{
    cross::{BlockCosts, Sides, UNREACHED, cross},
    scratch::{BlockRank, MosaicScratch, NEWS},
};
use crate::{
    cell::{Cell, Direction},
    index::{
        Mosaic,
        mosaic::{Block, RING_MAX},
    },
    map::Grid,
    path::Path,
    query::{Counters, Feature, Method, Outcome, PathQuery, SliceResult, Status},
    rules::{Cost, Estimate},
};

/// Cells of a block's side that count as a scan: its ring is crossed from all sides.
const CELLS_PER_SCAN: u32 = 2;

/// A query, with what follows from it before the first crossing.
pub(crate) struct MosaicTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) mosaic: &'a Mosaic,
    pub(crate) query: &'a PathQuery,
    pub(crate) step_costs: BlockCosts,
    estimate: Estimate,
    /// No guess is higher: links may be cheaper than the distance they cover.
    guess_max: Cost,
    /// Whether the window ends before the map does.
    windowed: bool,
}

/// How far a search has come.
pub(crate) struct MosaicLists<'s> {
    pub(crate) scratch: &'s mut MosaicScratch,
    pub(crate) counters: Counters,
    /// Something was left out because it would have cost more than any path may.
    pub(crate) cost_limited: bool,
}

/// Where a search was paused, next to its scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MosaicCheckpoint {
    pub(crate) counters: Counters,
    cost_limited: bool,
    /// The cost of the cheapest path so far, or [`UNREACHED`].
    best: Cost,
}

impl<'a> MosaicTask<'a> {
    pub(crate) fn new(grid: &'a Grid, mosaic: &'a Mosaic, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let straight = metric.straight();
        let diagonal = metric.diagonal().unwrap_or(2 * straight);
        let radius = query.limits.radius;
        let reaches = |start: u16, side: u16| start <= radius && side - 1 - start <= radius;
        let mut task = Self {
            grid,
            mosaic,
            query,
            step_costs: BlockCosts {
                straight,
                slope: diagonal - straight,
            },
            estimate: Estimate::exact(metric),
            guess_max: Cost::MAX,
            windowed: !reaches(query.start.x, grid.width())
                || !reaches(query.start.y, grid.height()),
        };
        task.guess_max = task.least_guess_over_shortcuts();
        task
    }

    /// A path whose last shortcut is this or that link costs at least the link and the guess
    /// from its end; the least such sum is admissible wherever it is less than the guess from
    /// distance, and consistent with it. See `BoundedAStar`.
    fn least_guess_over_shortcuts(&self) -> Cost {
        let goal = self.query.goal;
        let shortcuts = self.grid.shortcuts().iter();
        shortcuts
            .map(|link| (link, Cost::from(link.cost) * self.step_costs.straight))
            .filter(|&(link, cost)| cost < self.estimate.between(link.from, link.to))
            .map(|(link, cost)| cost + self.estimate.between(link.to, goal))
            .min()
            .unwrap_or(Cost::MAX)
    }

    pub(crate) fn run(
        &self,
        scratch: &mut MosaicScratch,
        checkpoint: Option<MosaicCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<MosaicCheckpoint> {
        let PathQuery {
            start,
            goal,
            limits,
            ..
        } = *self.query;
        let (Some(first), Some(last)) = (self.block(start), self.block(goal)) else {
            // Both ends fit on the map: the mosaic is of another one.
            return Self::not_prepared(Counters::default());
        };
        let mut front = MosaicLists {
            scratch,
            counters: Counters::default(),
            cost_limited: false,
        };
        let mut best = if first == last {
            self.within(first, start, goal)
        } else {
            UNREACHED
        };
        if let Some(checkpoint) = checkpoint {
            front.counters = checkpoint.counters;
            front.cost_limited = checkpoint.cost_limited;
            best = checkpoint.best;
        } else {
            front.scratch.start(self.mosaic);
            self.begin(&mut front, first);
        }
        let stop = front.counters.work().saturating_add(slice.max(1));
        while let Some((rank, place)) = front.scratch.pop() {
            front.counters.popped += 1;
            if rank.total >= best {
                break;
            }
            if rank.total > limits.cost {
                front.cost_limited = true;
                break;
            }
            let Some(place) = place else { continue };
            let Some(block) = self.block(self.mosaic.cell(place)) else {
                continue;
            };
            if front.counters.expanded == limits.expansions {
                return Self::without_path(Status::BudgetSpent, front.counters);
            }
            if front.counters.work() >= stop {
                // The next slice takes it off the queue again.
                front.scratch.push(place, rank);
                front.counters.popped -= 1;
                return SliceResult::Paused(MosaicCheckpoint {
                    counters: front.counters,
                    cost_limited: front.cost_limited,
                    best,
                });
            }
            front.counters.expanded += 1;
            front.counters.scanned += 1 + u32::from(block.side()) / CELLS_PER_SCAN;
            self.expand(&mut front, block, place);
            if block == last {
                let ring = front.scratch.known_ring(place, block).unwrap_or_default();
                let costs = ring.iter().enumerate().map(|(index, &cost)| {
                    (cost & !NEWS) + self.within(block, block.ring_cell(index), goal)
                });
                best = best.min(costs.min().unwrap_or(UNREACHED));
            }
        }
        let counters = front.counters;
        if best < UNREACHED && best <= limits.cost {
            if self.trace(front.scratch, best, path).is_none() {
                return Self::not_prepared(counters);
            }
            return SliceResult::Done(Outcome {
                status: Status::Found,
                cost: best,
                counters,
                method: Method::Mosaic,
            });
        }
        let status = if front.cost_limited || best < UNREACHED {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        Self::without_path(status, counters)
    }

    fn without_path(status: Status, counters: Counters) -> SliceResult<MosaicCheckpoint> {
        SliceResult::Done(Outcome::without_path(Method::Mosaic, status, counters))
    }

    fn not_prepared(counters: Counters) -> SliceResult<MosaicCheckpoint> {
        Self::without_path(Status::Unsupported(Feature::Preparation), counters)
    }

    /// The block of a cell, or the largest part of it inside the window; `None` where nobody
    /// may stand and outside the window.
    #[inline]
    pub(crate) fn block(&self, cell: Cell) -> Option<Block> {
        let mut block = self.mosaic.block(cell)?;
        if self.windowed {
            let in_window =
                |cell: Cell| self.query.start.chebyshev(cell) <= self.query.limits.radius;
            if !in_window(cell) {
                return None;
            }
            while !(in_window(block.origin) && in_window(block.last())) {
                block = Block::around(cell, block.level - 1);
            }
        }
        Some(block)
    }

    /// The cost of moves inside a block.
    #[inline]
    pub(crate) fn costs_in(&self, block: Block) -> BlockCosts {
        let footprint = self.query.rules.footprint;
        self.step_costs
            .times(self.grid.cost_of_body(block.origin, footprint))
    }

    /// The cost between two cells of a block by the straight way.
    #[inline]
    pub(crate) fn within(&self, block: Block, from: Cell, to: Cell) -> Cost {
        let step_costs = self.costs_in(block);
        step_costs.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    #[inline]
    pub(crate) fn guess(&self, cell: Cell) -> Cost {
        self.estimate
            .between(cell, self.query.goal)
            .min(self.guess_max)
    }

    /// Gives the ring of the first block its costs.
    fn begin(&self, front: &mut MosaicLists<'_>, block: Block) {
        let start = self.query.start;
        let place = self.mosaic.place(block.origin);
        let (ring, _) = front.scratch.ring(place, block);
        for (index, cost) in ring.iter_mut().enumerate() {
            *cost = self.within(block, start, block.ring_cell(index)) | NEWS;
        }
        let guess = self.guess(start);
        let rank = BlockRank {
            total: guess,
            guess,
        };
        front.counters.touched += 1;
        front.counters.pushed += u32::from(front.scratch.push(place, rank));
    }

    /// Crosses a block and hands on the news.
    fn expand(&self, front: &mut MosaicLists<'_>, block: Block, place: usize) {
        if block.level == 0 {
            self.expand_cell(front, block, place);
            return;
        }
        let side = usize::from(block.side());
        let mut sides: Sides = [[UNREACHED; 64]; 4];
        let mut news = [UNREACHED; RING_MAX];
        let (ring, _) = front.scratch.ring(place, block);
        let mut sources = [false; 4];
        for (q, costs) in sides.iter_mut().enumerate() {
            for (along, cost) in costs[..side].iter_mut().enumerate() {
                let known = ring[block.side_index(q, along)];
                *cost = known & !NEWS;
                sources[q] |= known & NEWS != 0;
            }
        }
        let step_costs = self.costs_in(block);
        for source in (0..4).filter(|&source| sources[source]) {
            cross(&mut sides, source, side, step_costs);
        }
        for (q, costs) in sides.iter().enumerate() {
            for (along, &cost) in costs[..side].iter().enumerate() {
                let index = block.side_index(q, along);
                let known = &mut ring[index];
                if cost < *known & !NEWS {
                    *known = cost;
                    news[index] = cost;
                } else if *known & NEWS != 0 {
                    *known &= !NEWS;
                    news[index] = *known;
                } else {
                    front.cost_limited |= *known >= UNREACHED;
                }
            }
        }
        for q in 0..4 {
            self.hand_on(front, block, q, &news);
        }
        if self.query.rules.metric.diagonal().is_none() {
            return;
        }
        // Corners: top left, top right, bottom right, bottom left.
        for q in 0..4 {
            let index = block.side_index(q, 0);
            let direction = Direction::ALL[(2 * q + 7) % 8];
            let corner = block.ring_cell(index);
            if news[index] < UNREACHED {
                self.step(front, corner, news[index], direction);
            }
        }
    }

    /// Hands on the news of a cell that is a block of its own.
    fn expand_cell(&self, front: &mut MosaicLists<'_>, block: Block, place: usize) {
        let cell = block.origin;
        let (ring, _) = front.scratch.ring(place, block);
        ring[0] &= !NEWS;
        let cost = ring[0];
        let rules = self.query.rules;
        for direction in self.grid.steps(cell, rules) {
            let (Some(to), Some(step)) = (cell.step(direction), rules.metric.step(direction))
            else {
                continue;
            };
            let ground = self.grid.cost_of_body(to, rules.footprint);
            self.reach(front, to, cost, step * ground);
        }
        for link in self.grid.links_from(cell) {
            self.reach(
                front,
                link.to,
                cost,
                Cost::from(link.cost) * self.step_costs.straight,
            );
        }
    }

    /// Takes one step out of a block, if it is legal.
    fn step(&self, front: &mut MosaicLists<'_>, cell: Cell, cost: Cost, direction: Direction) {
        let rules = self.query.rules;
        let Some(step) = self.grid.step_cost(cell, direction, rules) else {
            return;
        };
        if let Some(to) = cell.step(direction) {
            self.reach(front, to, cost, step);
        }
    }

    /// Records that a cell can be reached.
    #[inline]
    fn reach(&self, front: &mut MosaicLists<'_>, cell: Cell, cost: Cost, step: Cost) {
        let Some(block) = self.block(cell) else {
            return;
        };
        let cost = cost + step;
        if cost >= UNREACHED {
            front.cost_limited = true;
            return;
        }
        let place = self.mosaic.place(block.origin);
        let (ring, new) = front.scratch.ring(place, block);
        front.counters.touched += u32::from(new);
        let Some(known) = ring.get_mut(block.ring_index(cell)) else {
            return;
        };
        if cost < *known & !NEWS {
            *known = cost | NEWS;
            let guess = self.guess(cell);
            let rank = BlockRank {
                total: cost + guess,
                guess,
            };
            front.counters.pushed += u32::from(front.scratch.push(place, rank));
        }
    }
}
