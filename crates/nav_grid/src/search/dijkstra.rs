//! Dijkstra's search: plain and obviously right, the judge of every other method.

use super::{Counters, Outcome, Query, Search, Status, window::Window};
use crate::{COST_MAX, Cell, CornerRule, Cost, Direction, Grid, Path, Rules};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Uniform-cost search over the window, without heuristic and without cleverness.
///
/// Shares no code with the fast methods beyond the shape of the call: it asks
/// [`Grid::is_walkable`] cell by cell and spells the corner rule out, so that a mistake in the
/// bit tricks of others cannot hide. The limit on expansions is honoured; the fallback is not.
///
/// # Complexity
///
/// O(n log n) in the cells of the window, and it clears its memory on every call: a tool for
/// tests and offline work, not for ticks.
///
/// # References
///
/// Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959.
#[derive(Clone, Debug, Default)]
pub struct Dijkstra {
    /// Cost and parent of each cell of the window that was reached.
    reached: Vec<Option<(Cost, Cell)>>,
    done: Vec<bool>,
    open: BinaryHeap<Reverse<(Cost, Cell)>>,
}

impl Dijkstra {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for Dijkstra {
    const NAME: &'static str = "dijkstra";

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
        let index = |cell: Cell| window.index(cell.x, cell.y) as usize;
        self.reached.clear();
        self.reached.resize(window.area(), None);
        self.done.clear();
        self.done.resize(window.area(), false);
        self.open.clear();

        self.reached[index(start)] = Some((0, start));
        self.open.push(Reverse((0, start)));
        counters.touched = 1;
        counters.pushed = 1;
        let mut cost_limited = false;
        while let Some(Reverse((cost, cell))) = self.open.pop() {
            counters.popped += 1;
            if cell == goal {
                let mut at = goal;
                while at != start {
                    path.prepend(at);
                    // Every reached cell but the start has a parent nearer to the start.
                    let Some((_, parent)) = self.reached[index(at)] else {
                        break;
                    };
                    at = parent;
                }
                return Outcome {
                    status: Status::Found,
                    cost,
                    counters,
                };
            }
            if std::mem::replace(&mut self.done[index(cell)], true) {
                continue;
            }
            if counters.expanded == limits.expansions {
                return Outcome::without_path(Status::BudgetSpent, counters);
            }
            counters.expanded += 1;
            for direction in Direction::ALL {
                let Some(next) = cell.step(direction) else {
                    continue;
                };
                let inside = start.chebyshev(next) <= limits.radius;
                let Some(step) = step_cost(grid, cell, direction, rules) else {
                    continue;
                };
                if !inside {
                    continue;
                }
                let next_cost = cost + step;
                if next_cost > COST_MAX {
                    cost_limited = true;
                    continue;
                }
                let known = &mut self.reached[index(next)];
                if known.is_none_or(|(known, _)| next_cost < known) {
                    counters.touched += u32::from(known.is_none());
                    counters.pushed += 1;
                    *known = Some((next_cost, cell));
                    self.open.push(Reverse((next_cost, next)));
                }
            }
        }
        let status = if cost_limited {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        Outcome::without_path(status, counters)
    }
}

/// Cost of one step, or `None` if the rules forbid it.
fn step_cost(grid: &Grid, from: Cell, direction: Direction, rules: Rules) -> Option<Cost> {
    let to = from.step(direction)?;
    if !grid.is_walkable(to) {
        return None;
    }
    if !direction.is_diagonal() {
        return Some(rules.metric.straight());
    }
    let beside = [Cell { x: to.x, ..from }, Cell { y: to.y, ..from }];
    match rules.corners {
        CornerRule::Strict if !beside.into_iter().all(|cell| grid.is_walkable(cell)) => None,
        _ => rules.metric.diagonal(),
    }
}
