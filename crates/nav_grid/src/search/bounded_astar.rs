//! Bounded A*: the classic search of game servers.

use super::{
    Counters, Fallback, Outcome, Query, Search, Status, Stopped,
    node_map::{Improvement, NodeMap},
    queue::Queue,
    window::Window,
};
use crate::rules::Estimate;
use crate::{COST_MAX, Cell, Grid, Path};

/// A* inside a window around the start, with a cap on expansions.
///
/// One preallocated node map serves as open and closed list; it is reset by a generation stamp
/// and never zeroed. The open list is a binary heap with lazy deletion: a cell that becomes
/// cheaper is pushed again, and outdated entries are dropped when they come up. Closed cells
/// are not reopened, which loses nothing under a consistent heuristic (all admissible ones
/// here are).
///
/// The path is a cheapest one among those inside the window if
/// [the heuristic is admissible](crate::Heuristic::is_admissible). With
/// [`Limits::UNBOUNDED`](super::Limits::UNBOUNDED) it is the textbook search over the whole map.
///
/// Among equally cheap continuations the search prefers the cell nearer to the goal, then the
/// one nearer to the straight line from start to goal, then reading order; paths over open
/// ground therefore look like drawn with a ruler, and walkers from different sides spread over
/// different lines.
///
/// # Complexity
///
/// At most [`Limits::expansions`](super::Limits::expansions) expansions, each O(log n) in the
/// cells seen. Memory: 8 bytes a cell of the largest window searched, 13 KiB at radius 20.
///
/// # References
///
/// Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths", 1968.
#[derive(Clone, Debug, Default)]
pub struct BoundedAStar {
    nodes: NodeMap,
    open: Queue,
}

impl BoundedAStar {
    /// A search without memory yet; it takes what the first queries need and keeps it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for BoundedAStar {
    const NAME: &'static str = "astar";

    fn search(&mut self, grid: &Grid, query: &Query, path: &mut Path) -> Outcome {
        path.clear();
        let mut counters = Counters::default();
        if let Some(status) = query.answer_at_once(grid) {
            return Outcome::without_path(status, counters);
        }

        let Query {
            start,
            goal,
            rules,
            limits,
            ..
        } = *query;
        let window = Window::around(start, limits.radius, grid);
        let offsets = window.offsets();
        let moves = rules.move_table();
        let straight = rules.metric.straight();
        let step_costs = [straight, rules.metric.diagonal().unwrap_or(straight)];
        let estimate = Estimate::new(query.heuristic, rules.metric);
        let guess = |cell: Cell| estimate.cost(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
        let line = Line::new(start, goal);

        self.nodes.start(window.area());
        self.open.clear();
        self.nodes.open_root(window.index(start.x, start.y));
        let start_guess = guess(start);
        self.open.push(start_guess, start_guess, 0, start);
        counters.touched = 1;
        counters.pushed = 1;
        let mut closest = (start_guess, 0, start);
        let mut cost_limited = false;

        let stopped = loop {
            let Some(cell) = self.open.pop() else {
                break if cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                };
            };
            counters.popped += 1;
            let node = window.index(cell.x, cell.y);
            if cell == goal {
                let cost = self.nodes.cost(node);
                self.trace(&window, goal, path);
                return Outcome {
                    status: Status::Found,
                    cost,
                    counters,
                };
            }
            let Some(cost) = self.nodes.close(node) else {
                continue;
            };
            if counters.expanded == limits.expansions {
                break Stopped::BudgetSpent;
            }
            counters.expanded += 1;
            closest = closest.min((guess(cell), cost, cell));

            let around = grid.surroundings(cell.x, cell.y, cell.floor);
            for direction in moves[around].intersection(window.inside(cell.x, cell.y)) {
                let next_cost = cost + step_costs[usize::from(direction.is_diagonal())];
                if next_cost > COST_MAX {
                    cost_limited = true;
                    continue;
                }
                let next_node = node.wrapping_add_signed(offsets[direction as usize]);
                let improvement = self.nodes.improve(next_node, next_cost, direction);
                if improvement == Improvement::None {
                    continue;
                }
                counters.touched += u32::from(improvement == Improvement::First);
                counters.pushed += 1;
                let (dx, dy) = direction.delta();
                let next = Cell {
                    x: cell.x.wrapping_add_signed(dx as i16),
                    y: cell.y.wrapping_add_signed(dy as i16),
                    floor: cell.floor,
                };
                let rest = guess(next);
                self.open
                    .push(next_cost + rest, rest, line.deviation(next), next);
            }
        };

        let (_, cost, cell) = closest;
        if query.fallback == Fallback::ClosestReached && cell != start {
            self.trace(&window, cell, path);
            return Outcome {
                status: Status::Partial(stopped),
                cost,
                counters,
            };
        }
        let status = match stopped {
            Stopped::Unreachable => Status::Unreachable,
            Stopped::BudgetSpent => Status::BudgetSpent,
        };
        Outcome::without_path(status, counters)
    }
}

impl BoundedAStar {
    /// Follows parents from `end` to the start.
    fn trace(&self, window: &Window, end: Cell, path: &mut Path) {
        let mut cell = end;
        while let Some(direction) = self.nodes.parent(window.index(cell.x, cell.y)) {
            path.prepend(cell);
            let (dx, dy) = direction.delta();
            cell.x = cell.x.wrapping_add_signed(-dx as i16);
            cell.y = cell.y.wrapping_add_signed(-dy as i16);
        }
    }
}

/// The straight line from start to goal, for breaking ties.
#[derive(Clone, Copy, Debug)]
struct Line {
    goal: (i32, i32),
    run: (i32, i32),
}

impl Line {
    fn new(start: Cell, goal: Cell) -> Self {
        let (gx, gy) = (i32::from(goal.x), i32::from(goal.y));
        Self {
            goal: (gx, gy),
            run: (gx - i32::from(start.x), gy - i32::from(start.y)),
        }
    }

    /// Distance of a cell from the line, times the line's length.
    #[inline]
    fn deviation(&self, cell: Cell) -> u32 {
        let (dx, dy) = (
            i32::from(cell.x) - self.goal.0,
            i32::from(cell.y) - self.goal.1,
        );
        (dx * self.run.1 - dy * self.run.0).unsigned_abs()
    }
}
