//! The textbook A* that most servers use.

use nav_grid::{
    Cell, CornerRule, Direction, Grid, Method, Metric, Outcome, Path, PathQuery, Status,
    query::Counters,
    rules::{Cost, Heuristic},
};
use std::{cmp::Reverse, collections::BinaryHeap};

const RADIUS: u16 = 20;
const SIDE: usize = 2 * RADIUS as usize + 1;

/// A* as in a textbook, written with care and without tricks: a node per cell of the window, zeroed
/// for every search, a binary heap from the standard library, and one look at the map per
/// neighbour. All memory is kept from search to search.
pub struct Textbook {
    nodes: Vec<Node>,
    open: BinaryHeap<Reverse<(Cost, Cost, u16)>>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    cost: Cost,
    parent: u16,
    open: bool,
    closed: bool,
}

impl Textbook {
    pub fn new() -> Self {
        Self {
            nodes: vec![Node::default(); SIDE * SIDE],
            open: BinaryHeap::new(),
        }
    }

    /// Answers queries of the default metric and radius, both ends of them walkable.
    pub fn search(&mut self, grid: &Grid, query: &PathQuery, path: &mut Path) -> Outcome {
        let &PathQuery { start, goal, .. } = query;
        let guess = |cell: Cell| {
            let (dx, dy) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
            match query.heuristic {
                Heuristic::Manhattan => Cost::from(dx) + Cost::from(dy),
                _ => Metric::Unit.open_ground(dx, dy),
            }
        };
        // Cells left of column 0 and above row 0 are never walkable, so nothing wraps.
        let index = |cell: Cell| {
            usize::from(cell.y + RADIUS - start.y) * SIDE + usize::from(cell.x + RADIUS - start.x)
        };
        let cell_at = |index: usize| {
            Cell::new(
                (index % SIDE) as u16 + start.x - RADIUS,
                (index / SIDE) as u16 + start.y - RADIUS,
            )
        };
        let mut counters = Counters::default();
        let answer = |status, cost, counters| {
            Outcome::new(Method::AStar, status)
                .with_cost(cost)
                .with_counters(counters)
        };
        path.clear();
        self.nodes.fill(Node::default());
        self.open.clear();
        self.nodes[index(start)].open = true;
        self.open
            .push(Reverse((guess(start), guess(start), index(start) as u16)));
        while let Some(Reverse((_, _, at))) = self.open.pop() {
            let at = usize::from(at);
            let cell = cell_at(at);
            let cost = self.nodes[at].cost;
            if cell == goal {
                let mut back = at;
                while back != index(start) {
                    path.prepend(cell_at(back));
                    back = usize::from(self.nodes[back].parent);
                }
                return answer(Status::Found, cost, counters);
            }
            if self.nodes[at].closed {
                continue;
            }
            if counters.expanded == query.limits.expansions {
                return answer(Status::BudgetSpent, 0, counters);
            }
            self.nodes[at].closed = true;
            counters.expanded += 1;
            for direction in Direction::ALL {
                let Some(next) = cell.step(direction) else {
                    continue;
                };
                if next.chebyshev(start) > RADIUS || !grid.is_walkable(next) {
                    continue;
                }
                if direction.is_diagonal()
                    && query.rules.corners == CornerRule::Strict
                    && !(grid.is_walkable(Cell::new(cell.x, next.y))
                        && grid.is_walkable(Cell::new(next.x, cell.y)))
                {
                    continue;
                }
                let next_cost = cost + 1;
                let next_at = index(next);
                let node = &mut self.nodes[next_at];
                if node.closed || node.open && node.cost <= next_cost {
                    continue;
                }
                *node = Node {
                    cost: next_cost,
                    parent: at as u16,
                    open: true,
                    closed: false,
                };
                counters.pushed += 1;
                let rest = guess(next);
                self.open
                    .push(Reverse((next_cost + rest, rest, next_at as u16)));
            }
        }
        answer(Status::Unreachable, 0, counters)
    }
}
