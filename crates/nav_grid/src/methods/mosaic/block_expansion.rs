//! One query over blocks: the loop of crossings.

use super::mosaic_search::{MosaicScratch, NEWS, UNREACHED};
use crate::{
    cell::{Cell, Direction},
    index::{Mosaic, mosaic::Block},
    map::Grid,
    methods::astar::guess_max,
    path::Path,
    query::{Counters, Feature, Method, Outcome, PathQuery, SliceResult, Status},
    rules::{Cost, Estimate, Rules},
};
use std::cmp::Reverse;

/// Pairs of cells of a ring that count as a scan: a pair takes some 3 ns, and a unit of work
/// 50.
const PAIRS_PER_SCAN: usize = 16;

/// The total of a block without news.
const NOT_QUEUED: Cost = Cost::MAX;

/// The rank of a block, that of the best cell with news: the cost so far and the guess, and the
/// guess.
pub(super) type BlockRank = (Cost, Cost);

/// A query with the values that follow from it before the first crossing.
pub(super) struct MosaicTask<'a> {
    pub(super) grid: &'a Grid,
    pub(super) mosaic: &'a Mosaic,
    pub(super) query: &'a PathQuery,
    estimate: Estimate,
    /// No guess is higher, as links may be cheaper than the distance they cover.
    guess_max: Cost,
}

/// The progress of a search, next to its scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MosaicCheckpoint {
    pub(super) counters: Counters,
    /// Whether a cell was left out because of a limit on cost.
    cost_limited: bool,
    /// The cost of the cheapest path so far, or [`UNREACHED`].
    best: Cost,
}

/// The scratch memory of a search with its progress.
struct MosaicLists<'s> {
    scratch: &'s mut MosaicScratch,
    at: MosaicCheckpoint,
}

impl MosaicLists<'_> {
    /// Queues the blocks that were reached, unless they are queued with this total or a lower one.
    fn flush(&mut self) {
        for (place, (total, guess)) in self.scratch.reached.drain(..) {
            let queued = self.scratch.queued.get(place);
            self.at.counters.touched += u32::from(queued.is_none());
            if queued.is_none_or(|queued| total < queued) {
                self.scratch.queued.set(place, total);
                self.scratch.open.push(Reverse((total, guess, place)));
                self.at.counters.pushed += 1;
            }
        }
    }
}

impl<'a> MosaicTask<'a> {
    pub(super) fn new(grid: &'a Grid, mosaic: &'a Mosaic, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let estimate = Estimate::exact(metric);
        Self {
            grid,
            mosaic,
            query,
            estimate,
            guess_max: guess_max(grid, metric, estimate, None, |from| {
                estimate.between(from, query.goal)
            }),
        }
    }

    pub(super) fn run(
        &self,
        scratch: &mut MosaicScratch,
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
        let at = checkpoint.unwrap_or(MosaicCheckpoint {
            counters: Counters::NONE,
            cost_limited: false,
            best: if first == last {
                self.within(first, start, goal)
            } else {
                UNREACHED
            },
        });
        let mut lists = MosaicLists { scratch, at };
        if checkpoint.is_none() {
            lists.scratch.start(self.mosaic);
            self.begin(&mut lists, first);
        }
        let stop = lists.at.counters.work().saturating_add(slice.max(1));
        while let Some(Reverse(entry)) = lists.scratch.open.pop() {
            let (total, _, place) = entry;
            lists.at.counters.popped += 1;
            if total >= lists.at.best {
                break;
            }
            if total > limits.cost {
                lists.at.cost_limited = true;
                break;
            }
            // The block was crossed since by a better rank.
            if lists.scratch.queued.get(place) != Some(total) {
                continue;
            }
            let Some(block) = self.block(self.mosaic.cell(place)) else {
                continue;
            };
            if lists.at.counters.expanded == limits.expansions {
                return answer(Status::BudgetSpent, lists.at.counters);
            }
            if lists.at.counters.work() >= stop {
                // Puts the block back for the next slice.
                lists.scratch.open.push(Reverse(entry));
                lists.at.counters.popped -= 1;
                return SliceResult::Paused(lists.at);
            }
            lists.scratch.queued.set(place, NOT_QUEUED);
            lists.at.counters.expanded += 1;
            self.expand(&mut lists, block);
            if block == last {
                let ring = block.ring().map(|cell| {
                    let cost = lists.scratch.cost(self.mosaic.place(cell)) & !NEWS;
                    cost + self.within(block, cell, goal)
                });
                lists.at.best = ring.fold(lists.at.best, Cost::min);
            }
        }
        let MosaicCheckpoint {
            counters,
            cost_limited,
            best,
        } = lists.at;
        if best < UNREACHED && best <= limits.cost {
            if self.trace(lists.scratch, best, path).is_none() {
                path.clear();
                return answer(not_prepared, counters);
            }
            let found = Outcome::new(Method::Mosaic, Status::Found).with_cost(best);
            return SliceResult::Done(found.with_counters(counters));
        }
        let status = if cost_limited || best < UNREACHED {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        answer(status, counters)
    }

    /// The block of a cell, or the largest part of it inside the window. `None` for walls and
    /// outside the window.
    pub(super) fn block(&self, cell: Cell) -> Option<Block> {
        let (start, limits) = (self.query.start, self.query.limits);
        if !limits.window_holds(start, cell) {
            return None;
        }
        let mut block = self.mosaic.block(cell)?;
        while ![block.origin, block.last()]
            .iter()
            .all(|&end| limits.window_holds(start, end))
        {
            block = Block::around(cell, block.level - 1);
        }
        Some(block)
    }

    /// The cost between two cells of a block by the straight way.
    pub(super) fn within(&self, block: Block, from: Cell, to: Cell) -> Cost {
        self.ground(block).between(from, to)
    }

    /// The costs of ways inside a block.
    fn ground(&self, block: Block) -> Estimate {
        let Rules {
            metric, footprint, ..
        } = self.query.rules;
        Estimate::on_ground(metric, self.grid.cost_of_body(block.origin, footprint))
    }

    /// Sets the costs of the ring of the first block and queues it.
    fn begin(&self, lists: &mut MosaicLists<'_>, block: Block) {
        let start = self.query.start;
        for cell in block.ring() {
            let cost = self.within(block, start, cell) | NEWS;
            lists.scratch.costs.set(self.mosaic.place(cell), cost);
        }
        let place = self.mosaic.place(block.origin);
        lists.scratch.reached.push((place, self.rank(start, 0)));
        lists.flush();
    }

    /// The rank of a cell that was reached at `cost`.
    fn rank(&self, cell: Cell, cost: Cost) -> BlockRank {
        let straight = self.estimate.between(cell, self.query.goal);
        let guess = straight.min(self.guess_max);
        (cost + guess, guess)
    }

    /// Crosses a block and passes new costs on to the blocks around.
    fn expand(&self, lists: &mut MosaicLists<'_>, block: Block) {
        let mut ring = std::mem::take(&mut lists.scratch.ring);
        let mut news = std::mem::take(&mut lists.scratch.news);
        ring.clear();
        let cells = block.ring();
        ring.extend(cells.map(|cell| (cell, lists.scratch.cost(self.mosaic.place(cell)))));
        news.clear();
        // Costs without news were carried over when the block was last crossed.
        let sources = || ring.iter().filter(|(_, cost)| cost & NEWS != 0);
        let scans = 1 + ring.len() * sources().count() / PAIRS_PER_SCAN;
        lists.at.counters.scanned += scans as u32;
        let ground = self.ground(block);
        for &(cell, known) in &ring {
            let ways = sources().map(|&(from, cost)| (cost & !NEWS) + ground.between(from, cell));
            let cost = ways.fold(known & !NEWS, Cost::min);
            // The mark is the highest bit, so a cost without it is always less.
            if cost < known {
                lists.scratch.costs.set(self.mosaic.place(cell), cost);
                news.push((cell, cost));
            } else {
                lists.at.cost_limited |= known >= UNREACHED;
                news.push((cell, UNREACHED));
            }
        }
        let side = usize::from(block.side());
        let at = |q: usize, along: usize| news[(q * (side - 1) + along) % news.len()];
        for q in 0..4 {
            for along in 0..side {
                let Some(to) = at(q, along).0.step(Direction::ALL[2 * q]) else {
                    break;
                };
                // Straight out, and by diagonal steps from both neighbours.
                let arrivals = [
                    (Some(along), 0),
                    (along.checked_sub(1), 1),
                    (Some(along + 1), 7),
                ];
                let costs = arrivals.into_iter().filter_map(|(from, turn)| {
                    let (cell, cost) = at(q, from.filter(|&from| from < side)?);
                    let direction = Direction::ALL[(2 * q + turn) % 8];
                    let step = self.grid.step_cost(cell, direction, self.query.rules)?;
                    (cost < UNREACHED).then_some(cost + step)
                });
                if let Some(cost) = costs.min() {
                    self.reach(lists, to, cost);
                }
            }
            lists.flush();
        }
        // Diagonal steps out of the corners: top left, top right, bottom right, bottom left.
        for q in 0..4 {
            let (corner, cost) = at(q, 0);
            let direction = Direction::ALL[(2 * q + 7) % 8];
            let step = self.grid.step_cost(corner, direction, self.query.rules);
            if cost < UNREACHED
                && let Some((to, step)) = corner.step(direction).zip(step)
            {
                self.reach(lists, to, cost + step);
                lists.flush();
            }
        }
        // No link leaves a larger block.
        for link in self.grid.links_from(block.origin) {
            let step = Cost::from(link.cost) * self.query.rules.metric.straight();
            self.reach(lists, link.to, news[0].1 + step);
            lists.flush();
        }
        (lists.scratch.ring, lists.scratch.news) = (ring, news);
    }

    /// Records that a cell can be reached at `cost`, and notes the rank of its block.
    fn reach(&self, lists: &mut MosaicLists<'_>, cell: Cell, cost: Cost) {
        let Some(block) = self.block(cell) else {
            return;
        };
        if cost >= UNREACHED {
            lists.at.cost_limited = true;
            return;
        }
        let own = self.mosaic.place(cell);
        if cost < lists.scratch.cost(own) & !NEWS {
            lists.scratch.costs.set(own, cost | NEWS);
            let (place, rank) = (self.mosaic.place(block.origin), self.rank(cell, cost));
            // Cells of one block follow each other.
            match lists.scratch.reached.last_mut() {
                Some((before, best)) if *before == place => *best = rank.min(*best),
                _ => lists.scratch.reached.push((place, rank)),
            }
        }
    }
}
