//! One query over blocks: the loop of crossings.

use super::{
    cross::{BlockCosts, Sides, UNREACHED, cross},
    ring_costs::{BlockRank, NEWS, RingCosts},
};
use crate::{
    cell::{Cell, Direction},
    index::{
        Mosaic,
        mosaic::{Block, RING_MAX},
    },
    map::Grid,
    methods::astar::guess_max,
    path::Path,
    query::{Counters, Feature, Method, Outcome, PathQuery, SliceResult, Status},
    rules::{Cost, Estimate},
};

/// Cells of the side of a block that count as a scan. A guess: the ring is crossed from up to
/// four sides, cell by cell.
const CELLS_PER_SCAN: u32 = 2;

/// A query with the values that follow from it before the first crossing.
pub(crate) struct MosaicTask<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) mosaic: &'a Mosaic,
    pub(crate) query: &'a PathQuery,
    pub(crate) step_costs: BlockCosts,
    estimate: Estimate,
    /// No guess is higher, as links may be cheaper than the distance they cover.
    guess_max: Cost,
    /// Whether the window ends before the map does.
    windowed: bool,
}

/// The progress of a search, next to its scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MosaicCheckpoint {
    pub(crate) counters: Counters,
    /// Whether a cell was left out because of a limit on cost.
    pub(crate) cost_limited: bool,
    /// The cost of the cheapest path so far, or [`UNREACHED`].
    best: Cost,
}

/// The scratch memory of a search with its progress.
pub(crate) struct MosaicLists<'s> {
    pub(crate) scratch: &'s mut RingCosts,
    pub(crate) at: MosaicCheckpoint,
}

impl MosaicLists<'_> {
    pub(crate) fn push(&mut self, place: usize, rank: BlockRank) {
        self.at.counters.pushed += u32::from(self.scratch.push(place, rank));
    }
}

impl<'a> MosaicTask<'a> {
    pub(crate) fn new(grid: &'a Grid, mosaic: &'a Mosaic, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let straight = metric.straight();
        let diagonal = metric.diagonal().unwrap_or(2 * straight);
        let radius = query.limits.radius;
        let reaches = |start: u16, side: u16| start <= radius && side - 1 - start <= radius;
        let estimate = Estimate::exact(metric);
        Self {
            grid,
            mosaic,
            query,
            step_costs: BlockCosts {
                straight,
                slope: diagonal - straight,
            },
            estimate,
            guess_max: guess_max(grid, query, estimate, |_| true),
            windowed: !reaches(query.start.x, grid.width())
                || !reaches(query.start.y, grid.height()),
        }
    }

    pub(crate) fn run(
        &self,
        scratch: &mut RingCosts,
        checkpoint: Option<MosaicCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<MosaicCheckpoint> {
        let (start, goal, limits) = (self.query.start, self.query.goal, self.query.limits);
        let answer = |status, counters| {
            SliceResult::Done(Outcome::new(Method::Mosaic, status).with_counters(counters))
        };
        let not_prepared = Status::Unsupported(Feature::Preparation);
        let (Some(first), Some(last)) = (self.block(start), self.block(goal)) else {
            // Both ends fit on the map, so the mosaic is of another map.
            return answer(not_prepared, Counters::NONE);
        };
        let direct = if first == last {
            self.within(first, start, goal)
        } else {
            UNREACHED
        };
        let at = checkpoint.unwrap_or(MosaicCheckpoint {
            counters: Counters::NONE,
            cost_limited: false,
            best: direct,
        });
        let mut front = MosaicLists { scratch, at };
        if checkpoint.is_none() {
            front.scratch.start(self.mosaic);
            self.begin(&mut front, first);
        }
        let stop = front.at.counters.work().saturating_add(slice.max(1));
        while let Some((rank, place)) = front.scratch.pop() {
            front.at.counters.popped += 1;
            if rank.total >= front.at.best {
                break;
            }
            if rank.total > limits.cost {
                front.at.cost_limited = true;
                break;
            }
            // `None` if the block was crossed since by a better rank.
            let Some(place) = place else { continue };
            let Some(block) = self.block(self.mosaic.cell(place)) else {
                continue;
            };
            if front.at.counters.expanded == limits.expansions {
                return answer(Status::BudgetSpent, front.at.counters);
            }
            if front.at.counters.work() >= stop {
                // Puts the block back for the next slice.
                front.scratch.push(place, rank);
                front.at.counters.popped -= 1;
                return SliceResult::Paused(front.at);
            }
            front.at.counters.expanded += 1;
            front.at.counters.scanned += 1 + u32::from(block.side()) / CELLS_PER_SCAN;
            self.expand(&mut front, block, place);
            if block == last {
                let ring = front.scratch.known_ring(place, block).unwrap_or_default();
                let costs = ring.iter().enumerate().map(|(index, &cost)| {
                    (cost & !NEWS) + self.within(block, block.ring_cell(index), goal)
                });
                front.at.best = front.at.best.min(costs.min().unwrap_or(UNREACHED));
            }
        }
        let MosaicCheckpoint {
            counters,
            cost_limited,
            best,
        } = front.at;
        if best < UNREACHED && best <= limits.cost {
            if self.trace(front.scratch, best, path).is_none() {
                path.clear();
                return answer(not_prepared, counters);
            }
            let found = Outcome::new(Method::Mosaic, Status::Found).with_cost(best);
            return SliceResult::Done(found.with_counters(counters));
        }
        let is_limited = cost_limited || best < UNREACHED;
        answer(
            if is_limited {
                Status::BudgetSpent
            } else {
                Status::Unreachable
            },
            counters,
        )
    }

    /// The block of a cell, or the largest part of it inside the window. `None` for walls and
    /// outside the window.
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

    /// The rank of a cell that was reached at `cost`.
    #[inline]
    pub(crate) fn rank(&self, cell: Cell, cost: Cost) -> BlockRank {
        let guess = self.estimate.between(cell, self.query.goal);
        let guess = guess.min(self.guess_max);
        BlockRank {
            total: cost + guess,
            guess,
        }
    }

    /// Sets the costs of the ring of the first block and queues it.
    fn begin(&self, front: &mut MosaicLists<'_>, block: Block) {
        let start = self.query.start;
        let place = self.mosaic.place(block.origin);
        let (ring, _) = front.scratch.ring(place, block);
        for (index, cost) in ring.iter_mut().enumerate() {
            *cost = self.within(block, start, block.ring_cell(index)) | NEWS;
        }
        front.at.counters.touched += 1;
        front.push(place, self.rank(start, 0));
    }

    /// Crosses a block and passes new costs on to the blocks around.
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
        // Costs without news were carried over when the block was last crossed.
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
                    front.at.cost_limited |= *known >= UNREACHED;
                }
            }
        }
        for q in 0..4 {
            self.cross_border(front, block, q, &news);
        }
        if self.query.rules.metric.diagonal().is_none() {
            return;
        }
        // Diagonal steps out of the corners: top left, top right, bottom right, bottom left.
        for q in 0..4 {
            let index = block.side_index(q, 0);
            if news[index] < UNREACHED {
                let (corner, direction) = (block.ring_cell(index), Direction::ALL[(2 * q + 7) % 8]);
                let step = self.grid.step_cost(corner, direction, self.query.rules);
                if let (Some(to), Some(step)) = (corner.step(direction), step) {
                    self.reach(front, to, news[index], step);
                }
            }
        }
    }

    /// Passes on the new cost of a cell that is a block of its own.
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
            let step = Cost::from(link.cost) * self.step_costs.straight;
            self.reach(front, link.to, cost, step);
        }
    }

    /// Records that a cell can be reached by a move that costs `step`.
    #[inline]
    fn reach(&self, front: &mut MosaicLists<'_>, cell: Cell, cost: Cost, step: Cost) {
        let Some(block) = self.block(cell) else {
            return;
        };
        let cost = cost + step;
        if cost >= UNREACHED {
            front.at.cost_limited = true;
            return;
        }
        let place = self.mosaic.place(block.origin);
        let (ring, new) = front.scratch.ring(place, block);
        front.at.counters.touched += u32::from(new);
        let Some(known) = ring.get_mut(block.ring_index(cell)) else {
            return;
        };
        if cost < *known & !NEWS {
            *known = cost | NEWS;
            front.push(place, self.rank(cell, cost));
        }
    }
}
