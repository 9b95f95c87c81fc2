//! A* of the crate `pathfinding`.

use super::outcome;
use nav_grid::{Cell, Grid, Outcome, Path, PathQuery, Status, query::Counters};
use pathfinding::prelude::astar;

/// The general A* of the crate `pathfinding`, with steps and costs from the map, and the guess of
/// [`Metric::open_ground`](nav_grid::Metric::open_ground).
///
/// It goes by the rules of the query and stays within its window, and has no limit on expansions.
/// It keeps no memory from search to search.
pub struct Pathfinding;

impl Pathfinding {
    /// Answers a query, both ends of it walkable.
    pub fn search(grid: &Grid, query: &PathQuery, path: &mut Path) -> Outcome {
        let &PathQuery { start, goal, .. } = query;
        let (rules, radius) = (query.rules, query.limits.radius);
        let mut counters = Counters::default();
        let found = astar(
            &start,
            |&cell| {
                counters.expanded += 1;
                let steps = grid.steps(cell, rules).into_iter();
                steps.filter_map(move |direction| {
                    let next = cell.step(direction)?;
                    let cost = rules.metric.step(direction)?;
                    (next.chebyshev(start) <= radius).then_some((next, cost))
                })
            },
            |&Cell { x, y, .. }| {
                let (dx, dy) = (x.abs_diff(goal.x), y.abs_diff(goal.y));
                rules.metric.open_ground(dx, dy)
            },
            |&cell| cell == goal,
        );
        path.clear();
        let Some((cells, cost)) = found else {
            return outcome(Status::Unreachable, 0, counters);
        };
        for &cell in cells.iter().skip(1).rev() {
            path.prepend(cell);
        }
        let status = if start == goal {
            Status::AlreadyThere
        } else {
            Status::Found
        };
        outcome(status, cost, counters)
    }
}
