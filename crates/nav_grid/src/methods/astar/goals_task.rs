//! One query for the nearest of several goals: the expansion of cells.

use super::{
    expand::guess_max,
    goal_set::GoalSet,
    node_map::{Improvement, NodeMap},
};
use crate::{
    cell::Cell,
    map::Grid,
    query::{Counters, GridView, PathQuery, Stopped, Terrain, UniformView, WeightedView},
    queues::BucketQueue,
    rules::{Cost, Estimate, FreshTable, NO_STEP},
    window::SearchWindow,
};

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalsCheckpoint {
    pub(super) counters: Counters,
    /// Whether a cell was left out because of the limit on cost.
    pub(super) cost_limited: bool,
    /// The nearest goal so far: its cost, its number and its cell.
    pub(super) best: Option<(Cost, u32, Cell)>,
    /// No guess is higher, as shortcuts may be cheaper than the distance that they cover: see
    /// [`BoundedAStar`](super::BoundedAStar).
    pub(super) guess_max: Cost,
}

/// The highest admissible guess on a map with shortcuts, to any of some goals.
pub(super) fn highest_guess(
    grid: &Grid,
    query: &PathQuery,
    window: &SearchWindow,
    goals: &[(Cell, u32)],
) -> Cost {
    let estimate = Estimate::new(query.heuristic, query.rules.metric);
    let guesses = goals.iter().map(|&(goal, _)| {
        guess_max(grid, query.rules.metric, estimate, Some(window), |from| {
            estimate.between(from, goal)
        })
    });
    guesses.min().unwrap_or(Cost::MAX)
}

impl Default for GoalsCheckpoint {
    fn default() -> Self {
        Self {
            counters: Counters::NONE,
            cost_limited: false,
            best: None,
            guess_max: Cost::MAX,
        }
    }
}

/// The lists of a search.
pub(super) struct GoalsLists<'a, S> {
    pub(super) nodes: &'a mut NodeMap,
    pub(super) queue: &'a mut BucketQueue<Cell>,
    pub(super) goals: S,
}

/// Forgets the last search and queues the start.
pub(super) fn start(
    (nodes, queue): (&mut NodeMap, &mut BucketQueue<Cell>),
    goals: &mut impl GoalSet,
    (grid, query, window): (&Grid, &PathQuery, &SearchWindow),
    at: &mut GoalsCheckpoint,
) {
    let metric = query.rules.metric;
    nodes.start(window.area());
    nodes.open_root(window.index(query.start));
    let estimate = Estimate::new(query.heuristic, metric);
    let straight = goals.guess(query.start, estimate, (window, &mut at.counters));
    let guess = straight.min(at.guess_max);
    // Buckets of one key each: a cell is expanded only once, at its least cost. A step adds its
    // cost to the key, and at most as much to the guess.
    let reach = grid.dearest_move(metric).saturating_mul(2);
    queue.start(0, 0, reach);
    at.counters.touched += 1;
    at.counters.pushed += 1;
    queue.push(guess, query.start);
}

/// Expands cells up to some work, on ground as plain as it is: see [`GoalsTask::run`].
pub(super) fn run<S: GoalSet>(
    mut lists: GoalsLists<'_, S>,
    (terrain, query, window): (Terrain<'_>, &PathQuery, SearchWindow),
    at: &mut GoalsCheckpoint,
    stop: u32,
) -> Option<Stopped> {
    let grid = terrain.grid;
    if let Some(plain) = UniformView::new(terrain, query) {
        GoalsTask::new(grid, plain, query, window).run(&mut lists, at, stop)
    } else {
        let ground = WeightedView::new(terrain, query);
        GoalsTask::new(grid, ground, query, window).run(&mut lists, at, stop)
    }
}

/// A query with the values that follow from it before the first expansion.
struct GoalsTask<'a, G> {
    ground: G,
    query: &'a PathQuery,
    window: SearchWindow,
    estimate: Estimate,
    is_admissible: bool,
    offsets: [i32; 8],
    moves: &'static FreshTable,
    /// Whether neighbours that a cell shares with its parent may be left out.
    prunes: bool,
    cost_max: Cost,
}

impl<'a, G: GridView> GoalsTask<'a, G> {
    fn new(grid: &'a Grid, ground: G, query: &'a PathQuery, window: SearchWindow) -> Self {
        let metric = query.rules.metric;
        let estimate = Estimate::new(query.heuristic, metric);
        Self {
            ground,
            query,
            estimate,
            is_admissible: query.heuristic.is_admissible(metric),
            offsets: window.offsets(),
            window,
            moves: query.rules.fresh_table(),
            prunes: G::UNIFORM || !(grid.has_costs() || grid.has_exits()),
            cost_max: query.limits.cost_max(),
        }
    }

    /// Expands cells up to some work. Returns why it ended, which counts if no goal was found;
    /// `None` if the slice ends first.
    fn run<S: GoalSet>(
        &self,
        lists: &mut GoalsLists<'_, S>,
        at: &mut GoalsCheckpoint,
        stop: u32,
    ) -> Option<Stopped> {
        loop {
            if at.counters.work() >= stop {
                return None;
            }
            let popped = lists.queue.pop();
            // Once a goal is found, only cells as near to others count.
            let best = at.best.map_or(Cost::MAX, |(cost, ..)| cost);
            let Some((_, cell)) = popped.filter(|&(key, _)| key <= best) else {
                return Some(if at.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                });
            };
            at.counters.popped += 1;
            let node = self.window.index(cell);
            // Outdated: the cell became cheaper after it was queued.
            let Some((cost, step)) = lists.nodes.close(node) else {
                continue;
            };
            if let Some(number) = lists.goals.number_of(cell, &mut at.counters) {
                let found = (cost, number, cell);
                at.best = Some(at.best.map_or(found, |best| best.min(found)));
                let start = (self.query.start, 0);
                if !self.is_admissible || !self.may_tie(&lists.goals, start, at) {
                    return Some(Stopped::Unreachable);
                }
            }
            if at.best.is_some() && !self.may_tie(&lists.goals, (cell, cost), at) {
                continue;
            }
            if at.counters.expanded >= self.query.limits.expansions {
                return Some(Stopped::BudgetSpent);
            }
            at.counters.expanded += 1;
            self.take_steps(lists, at, (cell, node), (cost, step));
            self.take_links(lists, at, (cell, cost));
        }
    }

    /// Whether a way by a cell may lead to a goal at the cost of the goal that was found, which
    /// comes before it in the list.
    fn may_tie(
        &self,
        goals: &impl GoalSet,
        (cell, cost): (Cell, Cost),
        at: &mut GoalsCheckpoint,
    ) -> bool {
        let Some((best, number, _)) = at.best else {
            return false;
        };
        let guess_max = at.guess_max;
        goals.any_before(number, &mut at.counters, |goal| {
            let guess = self.estimate.between(cell, goal).min(guess_max);
            cost + guess <= best
        })
    }

    /// Queues the neighbours of a cell that `step` led to at `cost`.
    #[inline]
    fn take_steps(
        &self,
        lists: &mut GoalsLists<'_, impl GoalSet>,
        at: &mut GoalsCheckpoint,
        (cell, node): (Cell, u32),
        (cost, step): (Cost, usize),
    ) {
        let metric = self.query.rules.metric;
        // Row `NO_STEP` of the table leaves no neighbours out.
        let row = if self.prunes { step } else { NO_STEP };
        let fresh = self.moves[row][self.ground.surroundings(cell)];
        let inside = self.window.inside(cell.x, cell.y);
        let exits = self.ground.exits(cell).intersection(inside);
        for direction in fresh.intersection(exits) {
            let (Some(next), Some(step)) = (cell.step(direction), metric.step(direction)) else {
                continue;
            };
            let total = cost + metric.onto(step, self.ground.cost(next));
            let offset = self.offsets[direction as usize];
            let next_node = node.wrapping_add_signed(offset);
            let news = lists.nodes.improve(next_node, total, direction);
            self.reach(lists, at, (next, total), news);
        }
    }

    /// Queues the ends of the links of a cell that was reached at `cost`.
    #[inline]
    fn take_links(
        &self,
        lists: &mut GoalsLists<'_, impl GoalSet>,
        at: &mut GoalsCheckpoint,
        (cell, cost): (Cell, Cost),
    ) {
        for link in self.ground.links(cell) {
            if !self.window.contains(link.to) || !self.ground.may_stand(link.to) {
                continue;
            }
            let total = cost + Cost::from(link.cost) * self.query.rules.metric.straight();
            let next_node = self.window.index(link.to);
            let news = lists.nodes.improve_by_link(next_node, total);
            self.reach(lists, at, (link.to, total), news);
        }
    }

    /// Queues a cell if `news` says that it was not known at this cost.
    #[inline]
    fn reach(
        &self,
        lists: &mut GoalsLists<'_, impl GoalSet>,
        at: &mut GoalsCheckpoint,
        (cell, cost): (Cell, Cost),
        news: Improvement,
    ) {
        if news == Improvement::None {
            return;
        }
        at.counters.touched += u32::from(news == Improvement::First);
        let counted = (&self.window, &mut at.counters);
        let guess = lists.goals.guess(cell, self.estimate, counted);
        let total = cost + guess.min(at.guess_max);
        if total > self.cost_max {
            at.cost_limited = true;
            return;
        }
        at.counters.pushed += 1;
        lists.queue.push(total, cell);
    }
}
