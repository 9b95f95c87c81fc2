//! One A* query: the expansion of cells, and the trace of the path.

use super::{
    node_map::{Improvement, NodeMap},
    open_list::{KeyBounds, KeyLayout, OpenEntry, OpenKey, OpenList},
    trace::trace,
};
use crate::{
    cell::{Cell, Direction},
    map::{Grid, Size},
    path::Path,
    query::{
        Counters, Fallback, GridView, Method, Outcome, PathQuery, SliceResult, Status, Stopped,
        TieBreakLine, stop_after,
    },
    rules::{Cost, Estimate, FreshTable, Metric, NO_STEP},
    window::SearchWindow,
};
use std::cmp::Ordering;

/// The progress of a search, next to its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AStarCheckpoint {
    pub(crate) counters: Counters,
    /// Whether a cell was left out because of the limit on cost.
    cost_limited: bool,
    /// The expanded cell nearest to the goal, in the order of [`AStarTask::closer`]: its nearness,
    /// its cost, and the cell.
    closest: (Cost, Cost, Cell),
    pub(crate) layout: KeyLayout,
}

/// The lists of a search with its progress.
struct AStarLists<'a, K> {
    nodes: &'a mut NodeMap,
    open: &'a mut OpenList<K>,
    at: AStarCheckpoint,
}

/// A query with the values that follow from it before the first expansion.
pub(crate) struct AStarTask<'a, G> {
    grid: &'a Grid,
    ground: G,
    query: &'a PathQuery,
    window: SearchWindow,
    estimate: Estimate,
    /// Orders cells by nearness to the goal where the order is [`NearnessOrder::Guess`].
    nearness_by: Estimate,
    /// The order of cells by nearness to the goal, if the path may end short of it.
    nearness: Option<NearnessOrder>,
    /// No guess is higher: the K in the docs of the method.
    guess_max: Cost,
    line: TieBreakLine,
    steps: [WindowStep; 8],
    moves: &'static FreshTable,
    /// Whether neighbours that a cell shares with its parent may be left out.
    prunes: bool,
    /// Cells whose cost and guess exceed this are left out.
    cost_max: Cost,
    pub(crate) layout: KeyLayout,
}

/// An order of cells by nearness to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NearnessOrder {
    /// By the heuristic, then by cost: [`Fallback::ClosestReached`].
    Guess,
    /// By square rings around the goal, on its floor before others, then by distance, then by cost:
    /// [`Fallback::NearestReachable`].
    Ring,
}

/// The nearness of cells on other floors than the goal: beyond all cells of its floor.
const OTHER_FLOOR: Cost = Size::SIDE_MAX as Cost;

/// The changes that a step in one direction makes.
#[derive(Clone, Copy, Debug)]
struct WindowStep {
    cost: Cost,
    /// Added to the number of the node.
    offset: i32,
    /// Added to the deviation from the line.
    deviation: i32,
    delta: (i16, i16),
}

impl WindowStep {
    /// The cell that the step leads to. It must be in the window.
    #[inline]
    fn from(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.wrapping_add_signed(self.delta.0),
            y: cell.y.wrapping_add_signed(self.delta.1),
            ..cell
        }
    }
}

/// The highest admissible guess on a map with shortcuts, counting those in the window, or all
/// without one. `to_goal` returns the guess from the end of a link.
///
/// [`BoundedAStar`](crate::methods::BoundedAStar) explains why it is admissible.
pub(crate) fn guess_max(
    grid: &Grid,
    metric: Metric,
    estimate: Estimate,
    window: Option<&SearchWindow>,
    to_goal: impl Fn(Cell) -> Cost,
) -> Cost {
    let straight = metric.straight();
    (grid.links.shortcuts.iter())
        .filter(|link| window.is_none_or(|window| window.holds_link(link)))
        .map(|link| (link, Cost::from(link.cost) * straight))
        .filter(|&(link, cost)| cost < estimate.between(link.from, link.to))
        .map(|(link, cost)| cost + to_goal(link.to))
        .min()
        .unwrap_or(Cost::MAX)
}

impl<'a, G: GridView> AStarTask<'a, G> {
    pub(crate) fn new(grid: &'a Grid, ground: G, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let window = SearchWindow::around(query.start, query.limits.radius, grid);
        let estimate = Estimate::new(query.heuristic, metric);
        let line = TieBreakLine::new(query.start, query.goal);
        // The goal may be outside the window.
        let (columns, rows) = window.farthest(query.goal);
        let cost_max = query.limits.cost_max();
        let guess = estimate.cost(columns, rows);
        let bounds = KeyBounds {
            steps: query.limits.expansions,
            dearest_step: grid.dearest_move(metric),
            guess,
            deviation: line.deviation_max(columns, rows),
            total: match query.fallback {
                Fallback::None => cost_max,
                _ => cost_max + guess,
            },
        };
        let offsets = window.offsets();
        let step = |direction: Direction| {
            let (dx, dy) = direction.delta();
            WindowStep {
                // Any cost will do for steps that the metric lacks.
                cost: metric.step(direction).unwrap_or(metric.straight()),
                offset: offsets[direction as usize],
                deviation: line.deviation_of(dx, dy),
                delta: (dx as i16, dy as i16),
            }
        };
        Self {
            grid,
            ground,
            query,
            window,
            estimate,
            nearness_by: query.nearness(),
            nearness: match query.fallback {
                Fallback::None => None,
                Fallback::ClosestReached => Some(NearnessOrder::Guess),
                Fallback::NearestReachable => Some(NearnessOrder::Ring),
            },
            guess_max: guess_max(grid, metric, estimate, Some(&window), |from| {
                estimate.between(from, query.goal)
            }),
            line,
            steps: Direction::ALL.map(step),
            moves: query.rules.fresh_table(),
            prunes: G::UNIFORM || !(grid.has_costs() || grid.has_exits()),
            cost_max,
            layout: KeyLayout::new(&window, bounds),
        }
    }

    pub(crate) fn run<K: OpenKey>(
        &self,
        nodes: &mut NodeMap,
        open: &mut OpenList<K>,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        let metric = self.query.rules.metric;
        let mut at = checkpoint.unwrap_or_else(|| self.begin(nodes, open));
        let stop = stop_after(at.counters.expanded, slice, self.query.limits);
        let Some(ended) = self.expand(nodes, open, &mut at, stop) else {
            return SliceResult::Paused(at);
        };
        let (.., closest) = at.closest;
        let (status, cost, end) = match ended {
            Ok(cost) => (Status::Found, cost, self.query.goal),
            Err(stopped) if closest != self.query.start => {
                let cost = nodes.cost(self.window.index(closest));
                (Status::Partial(stopped), cost, closest)
            }
            Err(stopped) => (stopped.into(), 0, self.query.start),
        };
        trace(nodes, (self.grid, &self.window), metric, end, path);
        let outcome = Outcome::new(Method::AStar, status).with_cost(cost);
        SliceResult::Done(outcome.with_counters(at.counters))
    }

    /// Forgets the last search and queues the start.
    fn begin<K: OpenKey>(&self, nodes: &mut NodeMap, open: &mut OpenList<K>) -> AStarCheckpoint {
        let start = self.query.start;
        let entry = self.entry(start, 0, 0);
        let cost_limited = self.is_too_dear(0, entry.total);
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
                ..Counters::NONE
            },
            cost_limited,
            closest: (Cost::MAX, 0, start),
            layout: self.layout,
        }
    }

    /// Expands cells up to a count of `stop`. Returns the cost of the goal or the reason for
    /// missing it, or `None` if the slice ends first.
    // Not inlined, so that the counters stay in registers.
    #[inline(never)]
    fn expand<K: OpenKey>(
        &self,
        nodes: &mut NodeMap,
        open: &mut OpenList<K>,
        checkpoint: &mut AStarCheckpoint,
        stop: u32,
    ) -> Option<Result<Cost, Stopped>> {
        let (window, goal) = (&self.window, self.query.goal);
        // Nothing in the window is nearer. The goal itself is not expanded.
        let nearest = Some(window.nearest(goal)).filter(|&nearest| nearest != goal);
        let least = nearest.map(|nearest| self.nearness_by.between(nearest, goal));
        let at = *checkpoint;
        let mut front = AStarLists { nodes, open, at };
        let ended = loop {
            let Some(place) = front.open.pop(&self.layout) else {
                break Some(Err(if front.at.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                }));
            };
            front.at.counters.popped += 1;
            let cell = window.at(place);
            let node = window.index(cell);
            if cell == goal {
                break Some(Ok(front.nodes.cost(node)));
            }
            // Outdated: the cell became cheaper after it was queued.
            let Some((cost, step)) = front.nodes.close(node) else {
                continue;
            };
            if front.at.counters.expanded == stop {
                if stop == self.query.limits.expansions {
                    break Some(Err(Stopped::BudgetSpent));
                }
                // Puts the cell back for the next slice.
                let entry = self.entry(cell, cost, self.line.deviation(cell));
                front.open.push_best(entry, &self.layout);
                front.nodes.reopen(node);
                front.at.counters.popped -= 1;
                break None;
            }
            front.at.counters.expanded += 1;
            match self.nearness {
                None => {}
                Some(NearnessOrder::Guess) => {
                    // Shortcuts lower the guess everywhere, so nearness ignores them.
                    let nearness = self.nearness_by.between(cell, goal);
                    front.at.closest = self.closer(front.at.closest, (nearness, cost, cell));
                    if Some(nearness) == least {
                        break Some(Err(Stopped::Unreachable));
                    }
                    // No cell to come has a lower sum of cost and guess, so none within the limit
                    // on cost is nearer. Without an estimate, the sum says nothing of
                    // that.
                    let guess = self.estimate.between(cell, goal);
                    let total = cost + guess.min(self.guess_max);
                    let beyond = total.saturating_sub(self.cost_max);
                    if beyond > 0 && front.at.closest.0 <= beyond {
                        break Some(Err(Stopped::BudgetSpent));
                    }
                }
                Some(NearnessOrder::Ring) => {
                    let off = if cell.floor == goal.floor {
                        0
                    } else {
                        OTHER_FLOOR
                    };
                    let ring = Cost::from(cell.chebyshev(goal)) + off;
                    front.at.closest = self.closer(front.at.closest, (ring, cost, cell));
                    if Some(cell) == nearest {
                        break Some(Err(Stopped::Unreachable));
                    }
                }
            }
            self.take_steps(&mut front, cell, cost, step);
            self.take_links(&mut front, cell, cost);
        };
        *checkpoint = front.at;
        ended
    }

    /// Whether a cell is left out because of the limit on cost. Cells from which no path within the
    /// limit leads to the goal still count where the path may end short of it.
    #[inline]
    fn is_too_dear(&self, cost: Cost, total: Cost) -> bool {
        let least = if self.nearness.is_some() { cost } else { total };
        least > self.cost_max
    }

    /// The nearer to the goal of two expanded cells.
    #[inline]
    fn closer(&self, one: (Cost, Cost, Cell), other: (Cost, Cost, Cell)) -> (Cost, Cost, Cell) {
        // The cell itself comes last, so that the order of expansion does not matter.
        let (by_nearness, by_cost) = (other.0.cmp(&one.0), other.1.cmp(&one.1));
        let order = match self.nearness {
            Some(NearnessOrder::Ring) => by_nearness
                .then_with(|| self.by_distance(one.2, other.2))
                .then(by_cost),
            _ => by_nearness
                .then(by_cost)
                .then_with(|| self.by_distance(one.2, other.2)),
        };
        match order.then(other.2.cmp(&one.2)) {
            Ordering::Less => other,
            _ => one,
        }
    }

    /// The order of two cells by distance to the goal, the nearer one last.
    #[inline]
    fn by_distance(&self, one: Cell, other: Cell) -> Ordering {
        let goal = self.query.goal;
        (other.squared_distance(goal)).cmp(&one.squared_distance(goal))
    }

    /// Queues the neighbours of a cell that `step` led to at `cost`.
    #[inline]
    fn take_steps<K: OpenKey>(
        &self,
        front: &mut AStarLists<'_, K>,
        cell: Cell,
        cost: Cost,
        step: usize,
    ) {
        let (window, ground, metric) = (&self.window, &self.ground, self.query.rules.metric);
        // Row `NO_STEP` of the table leaves no neighbours out.
        let row = if self.prunes { step } else { NO_STEP };
        let fresh = self.moves[row][ground.surroundings(cell)];
        let inside = window.inside(cell.x, cell.y);
        let exits = ground.exits(cell).intersection(inside);
        let (node, deviation) = (window.index(cell), self.line.deviation(cell));
        for direction in fresh.intersection(exits) {
            let step = &self.steps[direction as usize];
            let next = step.from(cell);
            let next_cost = cost + metric.onto(step.cost, ground.cost(next));
            let next_node = node.wrapping_add_signed(step.offset);
            let news = front.nodes.improve(next_node, next_cost, direction);
            self.reach(front, next, next_cost, deviation + step.deviation, news);
        }
    }

    /// Queues the ends of the links of a cell that was reached at `cost`.
    #[inline]
    fn take_links<K: OpenKey>(&self, front: &mut AStarLists<'_, K>, cell: Cell, cost: Cost) {
        for link in self.ground.links(cell) {
            let is_open = self.query.takes_links_to(link.to) && self.ground.may_stand(link.to);
            if !self.window.contains(link.to) || !is_open {
                continue;
            }
            let next_cost = cost + Cost::from(link.cost) * self.query.rules.metric.straight();
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

    /// Queues a cell if `news` says that it was not known at this cost.
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
        front.at.counters.touched += u32::from(news == Improvement::First);
        let entry = self.entry(cell, cost, deviation);
        if self.is_too_dear(cost, entry.total) {
            front.at.cost_limited = true;
            return;
        }
        front.at.counters.pushed += 1;
        front.open.push(entry, &self.layout);
    }

    #[inline]
    fn entry(&self, cell: Cell, cost: Cost, deviation: i32) -> OpenEntry {
        let straight = self.estimate.between(cell, self.query.goal);
        let guess = straight.min(self.guess_max);
        OpenEntry {
            total: cost + guess,
            guess,
            deviation: deviation.unsigned_abs(),
            place: self.window.place(cell),
        }
    }
}
