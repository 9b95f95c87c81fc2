//! One query.

use super::{
    block::{Block, RING_MAX},
    cross::{Pace, Sides, UNREACHED, cross},
    mosaic::Mosaic,
    scratch::{NEWS, Rank, Scratch},
};
use crate::{
    Cell, CornerRule, Cost, Counters, Direction, Grid, Method, Outcome, Path, Query, Status,
    rules::Estimate,
};

/// A query, with what follows from it before the first crossing.
pub(super) struct Task<'a> {
    pub(super) grid: &'a Grid,
    pub(super) mosaic: &'a Mosaic,
    pub(super) query: &'a Query,
    pub(super) pace: Pace,
    estimate: Estimate,
    /// No guess is higher: links may be cheaper than the distance they cover.
    guess_max: Cost,
    /// Whether the window ends before the map does.
    windowed: bool,
}

/// How far a search has come.
struct Front<'s> {
    scratch: &'s mut Scratch,
    counters: Counters,
    /// Something was left out because it would have cost more than any path may.
    cost_limited: bool,
}

impl<'a> Task<'a> {
    pub(super) fn new(grid: &'a Grid, mosaic: &'a Mosaic, query: &'a Query) -> Self {
        let metric = query.rules.metric;
        let straight = metric.straight();
        let diagonal = metric.diagonal().unwrap_or(2 * straight);
        let radius = query.limits.radius;
        let reaches = |start: u16, side: u16| start <= radius && side - 1 - start <= radius;
        let mut task = Self {
            grid,
            mosaic,
            query,
            pace: Pace {
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
            .map(|link| (link, Cost::from(link.cost) * self.pace.straight))
            .filter(|&(link, cost)| cost < self.estimate.between(link.from, link.to))
            .map(|(link, cost)| cost + self.estimate.between(link.to, goal))
            .min()
            .unwrap_or(Cost::MAX)
    }

    pub(super) fn run(&self, scratch: &mut Scratch, path: &mut Path) -> Outcome {
        let Query {
            start,
            goal,
            limits,
            ..
        } = *self.query;
        let mut counters = Counters::default();
        let (Some(first), Some(last)) = (self.block(start), self.block(goal)) else {
            // Both ends fit on the map: the mosaic is of another one.
            return self.not_prepared(counters);
        };
        scratch.start(self.mosaic);
        let mut front = Front {
            scratch,
            counters,
            cost_limited: false,
        };
        self.begin(&mut front, first);
        let mut best = if first == last {
            self.within(first, start, goal)
        } else {
            UNREACHED
        };
        while let Some((total, place)) = front.scratch.pop() {
            front.counters.popped += 1;
            if total >= best {
                break;
            }
            let Some(place) = place else { continue };
            let Some(block) = self.block(self.mosaic.cell(place)) else {
                continue;
            };
            if front.counters.expanded == limits.expansions {
                return Outcome::without_path(Method::Mosaic, Status::BudgetSpent, front.counters);
            }
            front.counters.expanded += 1;
            self.expand(&mut front, block, place);
            if block == last {
                let ring = front.scratch.known_ring(place, block).unwrap_or_default();
                let costs = ring.iter().enumerate().map(|(index, &cost)| {
                    (cost & !NEWS) + self.within(block, block.ring_cell(index), goal)
                });
                best = best.min(costs.min().unwrap_or(UNREACHED));
            }
        }
        counters = front.counters;
        let status = if best < UNREACHED {
            if self.trace(scratch, best, path).is_some() {
                return Outcome {
                    status: Status::Found,
                    cost: best,
                    counters,
                    method: Method::Mosaic,
                };
            }
            return self.not_prepared(counters);
        } else if front.cost_limited {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        Outcome::without_path(Method::Mosaic, status, counters)
    }

    fn not_prepared(&self, counters: Counters) -> Outcome {
        let status = Status::Unsupported(crate::Feature::Preparation);
        Outcome::without_path(Method::Mosaic, status, counters)
    }

    /// The block of a cell, or the largest part of it inside the window; `None` where nobody
    /// may stand and outside the window.
    #[inline]
    pub(super) fn block(&self, cell: Cell) -> Option<Block> {
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
    fn pace_in(&self, block: Block) -> Pace {
        let footprint = self.query.rules.footprint;
        self.pace
            .times(self.grid.cost_of_body(block.origin, footprint))
    }

    /// The cost between two cells of a block by the straight way.
    #[inline]
    pub(super) fn within(&self, block: Block, from: Cell, to: Cell) -> Cost {
        let pace = self.pace_in(block);
        pace.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    #[inline]
    fn guess(&self, cell: Cell) -> Cost {
        self.estimate
            .between(cell, self.query.goal)
            .min(self.guess_max)
    }

    /// Gives the ring of the first block its costs.
    fn begin(&self, front: &mut Front<'_>, block: Block) {
        let start = self.query.start;
        let place = self.mosaic.place(block.origin);
        let (ring, _) = front.scratch.ring(place, block);
        for (index, cost) in ring.iter_mut().enumerate() {
            *cost = self.within(block, start, block.ring_cell(index)) | NEWS;
        }
        let guess = self.guess(start);
        let rank = Rank {
            total: guess,
            guess,
        };
        front.counters.touched += 1;
        front.counters.pushed += u32::from(front.scratch.push(place, rank));
    }

    /// Crosses a block and hands on the news.
    fn expand(&self, front: &mut Front<'_>, block: Block, place: usize) {
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
        let pace = self.pace_in(block);
        for source in (0..4).filter(|&source| sources[source]) {
            cross(&mut sides, source, side, pace);
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

    /// Hands the news of one side of a block to the cells beside it.
    fn hand_on(&self, front: &mut Front<'_>, block: Block, q: usize, news: &[Cost; RING_MAX]) {
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

    /// Hands on the news of a cell that is a block of its own.
    fn expand_cell(&self, front: &mut Front<'_>, block: Block, place: usize) {
        let cell = block.origin;
        let (ring, _) = front.scratch.ring(place, block);
        ring[0] &= !NEWS;
        let cost = ring[0];
        for direction in self.grid.steps(cell, self.query.rules) {
            self.step(front, cell, cost, direction);
        }
        for link in self.grid.links_from(cell) {
            self.reach(
                front,
                link.to,
                cost,
                Cost::from(link.cost) * self.pace.straight,
            );
        }
    }

    /// Takes one step out of a block, if it is legal.
    fn step(&self, front: &mut Front<'_>, cell: Cell, cost: Cost, direction: Direction) {
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
    fn reach(&self, front: &mut Front<'_>, cell: Cell, cost: Cost, step: Cost) {
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
            let rank = Rank {
                total: cost + guess,
                guess,
            };
            front.counters.pushed += u32::from(front.scratch.push(place, rank));
        }
    }
}
