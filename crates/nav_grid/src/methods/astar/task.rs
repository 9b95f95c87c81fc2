//! One A* query: the loop of expansions.

use super::{
    node_map::{Improvement, NodeMap},
    open_list::{KeyBounds, KeyLayout, OpenEntry, OpenKey, OpenList},
    step::WindowStep,
};
use crate::{
    cell::Cell,
    map::Grid,
    path::Path,
    query::{
        Counters, Fallback, GridView, Method, Outcome, PathQuery, SliceResult, Status, Stopped,
        TieBreakLine, stop_after,
    },
    rules::{Cost, Estimate, FreshTable, NO_STEP},
    window::SearchWindow,
};
use std::cmp::Ordering;

/// How far a search has come, next to its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AStarCheckpoint {
    pub(crate) counters: Counters,
    /// Something was left out because it would have cost more than a path may.
    cost_limited: bool,
    /// Guess and cost of the expanded cell that is nearest to the goal, and the cell.
    closest: (Cost, Cost, Cell),
    pub(crate) layout: KeyLayout,
}

/// One query, with what follows from it before the first expansion.
pub(crate) struct AStarTask<'a, G> {
    pub(crate) grid: &'a Grid,
    ground: G,
    pub(crate) query: &'a PathQuery,
    pub(crate) window: SearchWindow,
    estimate: Estimate,
    /// No guess is higher: the K of the method's docs.
    guess_max: Cost,
    line: TieBreakLine,
    pub(crate) steps: [WindowStep; 8],
    moves: &'static FreshTable,
    /// Whether neighbours that a cell shares with its parent may be left out.
    prunes: bool,
    /// Whatever is dearer by its guess is left out.
    cost_max: Cost,
    pub(crate) layout: KeyLayout,
}

impl<'a, G: GridView> AStarTask<'a, G> {
    pub(crate) fn new(grid: &'a Grid, ground: G, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let window = SearchWindow::around(query.start, query.limits.radius, grid);
        let estimate = Estimate::new(query.heuristic, metric);
        let line = TieBreakLine::new(query.start, query.goal);
        // Of any cell of the window to the goal, which may be outside.
        let (columns, rows) = window.farthest(query.goal);
        let worst = if grid.has_costs() {
            Grid::COST_WORST
        } else {
            1
        };
        let dearest_step = metric.diagonal().unwrap_or(metric.straight()) * Cost::from(worst);
        let dearest_link = metric.straight() * Cost::from(grid.dearest_link());
        let bounds = KeyBounds {
            steps: query.limits.expansions,
            dearest_step: dearest_step.max(dearest_link),
            guess: estimate.cost(columns, rows),
            deviation: line.deviation_max(columns, rows),
            total: query.limits.cost_max(),
        };
        Self {
            grid,
            ground,
            query,
            window,
            estimate,
            guess_max: guess_max(grid, query, &window, estimate),
            line,
            steps: WindowStep::all(&window, metric, line),
            moves: query.rules.fresh_table(),
            prunes: G::UNIFORM || !(grid.has_costs() || grid.has_exits()),
            cost_max: query.limits.cost_max(),
            layout: KeyLayout::new(&window, bounds),
        }
    }

    /// The guess for a cell of the window.
    #[inline]
    fn guess(&self, cell: Cell) -> Cost {
        self.estimate
            .between(cell, self.query.goal)
            .min(self.guess_max)
    }

    pub(crate) fn run<K: OpenKey>(
        &self,
        nodes: &mut NodeMap,
        open: &mut OpenList<K>,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        let PathQuery { start, limits, .. } = *self.query;
        let mut checkpoint = match checkpoint {
            Some(checkpoint) => checkpoint,
            None => self.begin(nodes, open),
        };
        let stop = stop_after(checkpoint.counters.expanded, slice, limits);
        let end = self.expand(nodes, open, &mut checkpoint, stop);
        let (status, cost, cell) = match (end, checkpoint.closest) {
            (AStarEnd::Slice, _) => return SliceResult::Paused(checkpoint),
            (AStarEnd::Goal(goal, cost), _) => (Status::Found, cost, goal),
            (AStarEnd::Nowhere(stopped), (_, cost, cell)) if cell != start => {
                (Status::Partial(stopped), cost, cell)
            }
            (AStarEnd::Nowhere(stopped), _) => {
                let outcome =
                    Outcome::without_path(Method::AStar, stopped.into(), checkpoint.counters);
                return SliceResult::Done(outcome);
            }
        };
        self.trace(nodes, cell, path);
        SliceResult::Done(Outcome {
            status,
            cost,
            counters: checkpoint.counters,
            method: Method::AStar,
        })
    }

    /// Forgets the last search, and puts the start on the queue.
    fn begin<K: OpenKey>(&self, nodes: &mut NodeMap, open: &mut OpenList<K>) -> AStarCheckpoint {
        let start = self.query.start;
        let entry = self.entry(start, 0, 0);
        let cost_limited = entry.total > self.cost_max;
        nodes.start(self.window.area());
        nodes.open_root(self.window.index(start));
        open.clear();
        if !cost_limited {
            open.push_best(entry, &self.layout);
        }
        AStarCheckpoint {
            counters: Counters {
                touched: 1,
                pushed: u32::from(!cost_limited),
                ..Counters::default()
            },
            cost_limited,
            closest: (Cost::MAX, 0, start),
            layout: self.layout,
        }
    }

    /// Expands cells until so many were. By itself, so that counters stay in registers.
    #[inline(never)]
    fn expand<K: OpenKey>(
        &self,
        nodes: &mut NodeMap,
        open: &mut OpenList<K>,
        checkpoint: &mut AStarCheckpoint,
        stop: u32,
    ) -> AStarEnd {
        let PathQuery {
            goal,
            limits,
            fallback,
            ..
        } = *self.query;
        let window = &self.window;
        let wants_closest = fallback == Fallback::ClosestReached;
        let nearest = window.nearest(goal);
        // Nothing in the window is nearer; the goal itself is not expanded.
        let least = (nearest != goal).then(|| self.estimate.between(nearest, goal));
        let mut closest = checkpoint.closest;
        let mut front = AStarLists {
            nodes,
            open,
            counters: checkpoint.counters,
            cost_limited: checkpoint.cost_limited,
        };
        let end = loop {
            let Some(place) = front.open.pop(&self.layout) else {
                break AStarEnd::Nowhere(if front.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                });
            };
            front.counters.popped += 1;
            let cell = window.at(place);
            let node = window.index(cell);
            if cell == goal {
                break AStarEnd::Goal(goal, front.nodes.cost(node));
            }
            let Some((cost, step)) = front.nodes.close(node) else {
                continue;
            };
            if front.counters.expanded == stop {
                if stop == limits.expansions {
                    break AStarEnd::Nowhere(Stopped::BudgetSpent);
                }
                // The next slice takes it off the queue again.
                let entry = self.entry(cell, cost, self.line.deviation(cell));
                front.open.push_best(entry, &self.layout);
                front.nodes.reopen(node);
                front.counters.popped -= 1;
                break AStarEnd::Slice;
            }
            front.counters.expanded += 1;
            if wants_closest {
                // Shortcuts lower the guess everywhere; nearness is without them.
                let nearness = self.estimate.between(cell, goal);
                closest = self.closer(closest, (nearness, cost, cell));
                if Some(nearness) == least {
                    break AStarEnd::Nowhere(Stopped::Unreachable);
                }
            }
            self.take_steps(&mut front, cell, cost, step);
            self.take_links(&mut front, cell, cost);
        };
        checkpoint.counters = front.counters;
        checkpoint.cost_limited = front.cost_limited;
        checkpoint.closest = closest;
        end
    }

    /// Of two expanded cells the one that is nearer to the goal.
    #[inline]
    fn closer(&self, one: (Cost, Cost, Cell), other: (Cost, Cost, Cell)) -> (Cost, Cost, Cell) {
        let rank = |(nearness, cost, _)| (nearness, cost);
        match rank(other).cmp(&rank(one)) {
            Ordering::Less => other,
            Ordering::Greater => one,
            Ordering::Equal => {
                let rank = |cell: Cell| (cell.squared_distance(self.query.goal), cell);
                if rank(other.2) < rank(one.2) {
                    other
                } else {
                    one
                }
            }
        }
    }

    /// Looks at the neighbours of a cell that was reached by `step` at `cost`.
    #[inline]
    fn take_steps<K: OpenKey>(
        &self,
        front: &mut AStarLists<'_, K>,
        cell: Cell,
        cost: Cost,
        step: usize,
    ) {
        let (window, ground) = (&self.window, &self.ground);
        let row = if self.prunes { step } else { NO_STEP };
        let fresh = self.moves[row][ground.surroundings(cell)];
        let exits = ground
            .exits(cell)
            .intersection(window.inside(cell.x, cell.y));
        let (node, deviation) = (window.index(cell), self.line.deviation(cell));
        for direction in fresh.intersection(exits) {
            let step = &self.steps[direction as usize];
            let next = step.from(cell);
            let next_cost = cost + step.cost * ground.cost_factor(next);
            let next_node = node.wrapping_add_signed(step.offset);
            let news = front.nodes.improve(next_node, next_cost, direction);
            self.reach(front, next, next_cost, deviation + step.deviation, news);
        }
    }

    /// Looks at the ends of the links of a cell that was reached at `cost`.
    #[inline]
    fn take_links<K: OpenKey>(&self, front: &mut AStarLists<'_, K>, cell: Cell, cost: Cost) {
        for link in self.ground.links(cell) {
            let is_open = self.query.takes_links_to(link.to) && self.ground.may_stand(link.to);
            if !self.window.contains(link.to) || !is_open {
                continue;
            }
            let straight = self.query.rules.metric.straight();
            let next_cost = cost + Cost::from(link.cost) * straight;
            let next_node = self.window.index(link.to);
            let news = front.nodes.improve_by_link(next_node, next_cost);
            self.reach(
                front,
                link.to,
                next_cost,
                self.line.deviation(link.to),
                news,
            );
        }
    }

    /// Puts a cell on the queue if it is news that it can be reached at `cost`.
    #[inline]
    fn reach<K: OpenKey>(
        &self,
        front: &mut AStarLists<'_, K>,
        cell: Cell,
        cost: Cost,
        deviation: i32,
        news: Improvement,
    ) {
        if news == Improvement::None {
            return;
        }
        front.counters.touched += u32::from(news == Improvement::First);
        let guess = self.guess(cell);
        let total = cost + guess;
        if total > self.cost_max {
            front.cost_limited = true;
            return;
        }
        front.counters.pushed += 1;
        let entry = OpenEntry {
            total,
            guess,
            deviation: deviation.unsigned_abs(),
            place: self.window.place(cell),
        };
        front.open.push(entry, &self.layout);
    }

    #[inline]
    fn entry(&self, cell: Cell, cost: Cost, deviation: i32) -> OpenEntry {
        let guess = self.guess(cell);
        OpenEntry {
            total: cost + guess,
            guess,
            deviation: deviation.unsigned_abs(),
            place: self.window.place(cell),
        }
    }
}

/// What the expansion of cells changes.
struct AStarLists<'a, K> {
    nodes: &'a mut NodeMap,
    open: &'a mut OpenList<K>,
    counters: Counters,
    cost_limited: bool,
}

/// Why a slice ended.
enum AStarEnd {
    /// At the goal, at this cost.
    Goal(Cell, Cost),
    /// Short of it.
    Nowhere(Stopped),
    /// There is more to do.
    Slice,
}

/// The highest guess that is not too high for a map with shortcuts; see
/// [`BoundedAStar`](crate::methods::BoundedAStar).
fn guess_max(grid: &Grid, query: &PathQuery, window: &SearchWindow, estimate: Estimate) -> Cost {
    let straight = query.rules.metric.straight();
    grid.shortcuts()
        .iter()
        .filter(|link| window.contains(link.from) && window.contains(link.to))
        .map(|link| (link, Cost::from(link.cost) * straight))
        .filter(|&(link, cost)| cost < estimate.between(link.from, link.to))
        .map(|(link, cost)| cost + estimate.between(link.to, query.goal))
        .min()
        .unwrap_or(Cost::MAX)
}
