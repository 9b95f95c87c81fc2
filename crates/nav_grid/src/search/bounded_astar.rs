//! Bounded A*: the classic search of game servers.

use super::{
    Counters, Fallback, Outcome, Query, Search, Status, Stopped,
    node_map::{Improvement, NodeMap},
    queue::{Bounds, Entry, Key, Layout, Queue},
    window::Window,
};
use crate::rules::Estimate;
use crate::{COST_MAX, Cell, Cost, Direction, Grid, Metric, Path};

/// A* inside a window around the start, with a cap on expansions.
///
/// One preallocated node map serves as open and closed list; it is reset by a generation stamp
/// and never zeroed. The open list is a binary heap with lazy deletion: a cell that becomes
/// cheaper is pushed again, and outdated entries are dropped when they come up. Closed cells
/// are not reopened, which loses nothing under a consistent heuristic (all admissible ones
/// here are).
/// Neighbours that a cell shares with its parent are left out where the parent has seen them at
/// no higher cost, which changes nothing but the time.
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
    /// The open list of near searches.
    narrow: Queue<u64>,
    /// The open list of searches whose numbers need more bits; without memory until one comes.
    wide: Queue<u128>,
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
        if let Some(status) = query.answer_at_once(grid) {
            return Outcome::without_path(status, Counters::default());
        }
        let task = Task::new(grid, query);
        if task.layout.is_narrow() {
            task.run(&mut self.nodes, &mut self.narrow, path)
        } else {
            task.run(&mut self.nodes, &mut self.wide, path)
        }
    }
}

/// One query, with what follows from it before the first expansion.
struct Task<'a> {
    grid: &'a Grid,
    query: &'a Query,
    window: Window,
    estimate: Estimate,
    line: Line,
    steps: [Step; 8],
    layout: Layout,
}

impl<'a> Task<'a> {
    fn new(grid: &'a Grid, query: &'a Query) -> Self {
        let metric = query.rules.metric;
        let window = Window::around(query.start, query.limits.radius, grid);
        let estimate = Estimate::new(query.heuristic, metric);
        let line = Line::new(query.start, query.goal);
        let (columns, rows) = (window.columns() as u16, window.rows() as u16);
        let bounds = Bounds {
            steps: query.limits.expansions,
            dearest_step: metric.diagonal().unwrap_or(metric.straight()),
            guess: estimate.cost(columns - 1, rows - 1),
            deviation: line.deviation_max(columns - 1, rows - 1),
        };
        Self {
            grid,
            query,
            window,
            estimate,
            line,
            steps: Step::all(&window, metric, line),
            layout: Layout::new(&window, bounds),
        }
    }

    /// The guess for a cell of the window.
    #[inline]
    fn guess(&self, cell: Cell) -> Cost {
        let goal = self.query.goal;
        self.estimate
            .cost(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y))
    }

    fn run<K: Key>(&self, nodes: &mut NodeMap, open: &mut Queue<K>, path: &mut Path) -> Outcome {
        let Query {
            start,
            goal,
            rules,
            limits,
            fallback,
            ..
        } = *self.query;
        let window = &self.window;
        let moves = rules.fresh_table();
        let wants_closest = fallback == Fallback::ClosestReached;
        let mut closest = (Cost::MAX, 0, start);
        let mut cost_limited = false;
        let mut counters = Counters {
            touched: 1,
            pushed: 1,
            ..Counters::default()
        };

        nodes.start(window.area());
        nodes.open_root(window.index(start.x, start.y));
        open.clear();
        let guess = self.guess(start);
        let root = Entry {
            total: guess,
            guess,
            deviation: 0,
            place: window.place(start.x, start.y),
        };
        open.push(root, &self.layout);

        let stopped = loop {
            let Some(place) = open.pop(&self.layout) else {
                break if cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                };
            };
            counters.popped += 1;
            let (x, y) = window.at(place);
            let cell = Cell { x, y, ..start };
            let node = window.index(x, y);
            if cell == goal {
                self.trace(nodes, goal, path);
                return Outcome {
                    status: Status::Found,
                    cost: nodes.cost(node),
                    counters,
                };
            }
            let Some((cost, step)) = nodes.close(node) else {
                continue;
            };
            if counters.expanded == limits.expansions {
                break Stopped::BudgetSpent;
            }
            counters.expanded += 1;
            if wants_closest {
                closest = closest.min((self.guess(cell), cost, cell));
            }

            let deviation = self.line.deviation(cell);
            let fresh = moves[step][self.grid.surroundings(cell, rules.footprint)];
            for direction in fresh.intersection(window.inside(x, y)) {
                let step = &self.steps[direction as usize];
                let next_cost = cost + step.cost;
                if next_cost > COST_MAX {
                    cost_limited = true;
                    continue;
                }
                let next_node = node.wrapping_add_signed(step.offset);
                let improvement = nodes.improve(next_node, next_cost, direction);
                if improvement == Improvement::None {
                    continue;
                }
                counters.touched += u32::from(improvement == Improvement::First);
                counters.pushed += 1;
                let next = step.from(cell);
                let guess = self.guess(next);
                let entry = Entry {
                    total: next_cost + guess,
                    guess,
                    deviation: (deviation + step.deviation).unsigned_abs(),
                    place: window.place(next.x, next.y),
                };
                open.push(entry, &self.layout);
            }
        };

        let (_, cost, cell) = closest;
        if cell != start {
            self.trace(nodes, cell, path);
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

    /// Follows parents from `end` to the start.
    fn trace(&self, nodes: &NodeMap, end: Cell, path: &mut Path) {
        let mut cell = end;
        let mut node = self.window.index(end.x, end.y);
        while let Some(direction) = nodes.parent(node) {
            path.prepend(cell);
            cell = self.steps[direction.opposite() as usize].from(cell);
            node = node.wrapping_add_signed(-self.steps[direction as usize].offset);
        }
    }
}

/// What a step in one direction changes.
#[derive(Clone, Copy, Debug)]
struct Step {
    cost: Cost,
    /// What to add to the node's number.
    offset: i32,
    /// What to add to the deviation.
    deviation: i32,
    delta: (i16, i16),
}

impl Step {
    /// The eight, by direction. Steps that the metric lacks have any cost.
    fn all(window: &Window, metric: Metric, line: Line) -> [Self; 8] {
        let offsets = window.offsets();
        Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            Self {
                cost: metric.step(direction).unwrap_or(metric.straight()),
                offset: offsets[direction as usize],
                deviation: line.deviation_of(dx, dy),
                delta: (dx as i16, dy as i16),
            }
        })
    }

    /// The cell that the step leads to, if it is one of the window.
    #[inline]
    fn from(&self, cell: Cell) -> Cell {
        Cell {
            x: cell.x.wrapping_add_signed(self.delta.0),
            y: cell.y.wrapping_add_signed(self.delta.1),
            ..cell
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

    /// Distance of a cell from the line, times the line's length; its sign tells the side.
    #[inline]
    fn deviation(&self, cell: Cell) -> i32 {
        self.deviation_of(
            i32::from(cell.x) - self.goal.0,
            i32::from(cell.y) - self.goal.1,
        )
    }

    /// The deviation of a cell so many columns and rows from any cell on the line. Linear, so
    /// a step adds the same to every cell's.
    #[inline]
    fn deviation_of(&self, dx: i32, dy: i32) -> i32 {
        dx * self.run.1 - dy * self.run.0
    }

    /// The greatest deviation at most so many columns and rows from the goal.
    fn deviation_max(&self, columns: u16, rows: u16) -> u32 {
        u32::from(columns) * self.run.1.unsigned_abs() + u32::from(rows) * self.run.0.unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heuristic, Limits, Rules};

    #[test]
    fn the_width_of_the_keys_does_not_show() {
        let grid = Grid::from_fn(60, 60, |Cell { x, y, .. }| {
            (x * 7 + y * 13 + x * y) % 4 != 0
        });
        let grid = grid.unwrap();
        let cells: Vec<Cell> = grid.walkable_cells().step_by(37).collect();
        let mut search = BoundedAStar::new();
        let (mut narrow, mut wide) = (Path::new(), Path::new());
        for (&start, &goal) in cells.iter().zip(cells.iter().cycle().skip(11)) {
            for metric in Metric::ALL {
                for heuristic in Heuristic::ALL {
                    let query = Query::new(start, goal)
                        .with_rules(Rules {
                            metric,
                            ..Rules::default()
                        })
                        .with_heuristic(heuristic)
                        .with_limits(Limits::window(25))
                        .with_fallback(Fallback::ClosestReached);
                    let task = Task::new(&grid, &query);
                    if query.answer_at_once(&grid).is_some() || !task.layout.is_narrow() {
                        continue;
                    }
                    narrow.clear();
                    wide.clear();
                    assert_eq!(
                        task.run(&mut search.nodes, &mut search.narrow, &mut narrow),
                        task.run(&mut search.nodes, &mut search.wide, &mut wide),
                        "{query:?}"
                    );
                    assert_eq!(narrow, wide, "{query:?}");
                }
            }
        }
    }
}
