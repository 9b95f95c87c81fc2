//! Dijkstra's search: plain and obviously right, the judge of every other method.

use crate::{
    cell::{Cell, Direction},
    path::Path,
    query::{
        Counters, Method, Outcome, PathQuery, PendingSearch, Resumable, SliceResult, Status,
        Support, Terrain, stop_after,
    },
    rules::{BodyPolicy, CornerRule, Cost, Footprint},
    window::SearchWindow,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Uniform-cost search over the window, without a heuristic.
///
/// Shares no code with the fast methods beyond the shape of the call. It asks
/// [`Grid::is_walkable`](crate::Grid::is_walkable) cell by cell and spells out corners, exits,
/// footprints and bodies, so that a mistake in the bit tricks of others cannot hide. The limits on
/// expansions and cost apply, the fallback does not.
///
/// # Complexity
///
/// O(n log n) in the cells of the window. Every call clears the memory of the whole window: a
/// tool for tests and offline work, not for ticks.
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
    under_way: PendingSearch<DijkstraCheckpoint>,
}

/// The progress of a paused search, next to its lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DijkstraCheckpoint {
    counters: Counters,
    /// Whether a cell was left out because of the limit on cost.
    cost_limited: bool,
}

search_method!(Dijkstra, Dijkstra, Support::ALL);

impl Resumable for Dijkstra {
    pending_search!(DijkstraCheckpoint);

    fn work_at(&self, checkpoint: &DijkstraCheckpoint) -> u32 {
        checkpoint.counters.work()
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<DijkstraCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<DijkstraCheckpoint> {
        let grid = terrain.grid;
        let answer = |status, counters| {
            SliceResult::Done(Outcome::new(Method::Dijkstra, status).with_counters(counters))
        };
        if let Some(status) = query.answer_at_once(grid) {
            return answer(status, Counters::NONE);
        }
        let (start, goal, limits) = (query.start, query.goal, query.limits);
        let window = SearchWindow::around(start, limits.radius, grid);
        let index = |cell: Cell| window.index(cell) as usize;
        // Another map can have the same version and size.
        let checkpoint = checkpoint.filter(|_| self.reached.len() == window.area());
        let mut at = checkpoint.unwrap_or_else(|| self.start(&window, start));
        let stop = stop_after(at.counters.expanded, slice, limits);
        while let Some(Reverse((cost, cell))) = self.open.pop() {
            at.counters.popped += 1;
            if cell == goal {
                let mut cell = goal;
                while cell != start {
                    path.prepend(cell);
                    // Every reached cell but the start has a parent nearer to the start.
                    let Some((_, parent)) = self.reached[index(cell)] else {
                        break;
                    };
                    cell = parent;
                }
                let found = Outcome::new(Method::Dijkstra, Status::Found).with_cost(cost);
                return SliceResult::Done(found.with_counters(at.counters));
            }
            if self.done[index(cell)] {
                continue;
            }
            if at.counters.expanded == stop {
                if stop == limits.expansions {
                    return answer(Status::BudgetSpent, at.counters);
                }
                // Puts the cell back for the next slice.
                self.open.push(Reverse((cost, cell)));
                at.counters.popped -= 1;
                return SliceResult::Paused(at);
            }
            self.done[index(cell)] = true;
            at.counters.expanded += 1;
            let steps = Direction::ALL.into_iter().filter_map(|direction| {
                let cost = step_cost(terrain, query, cell, direction)?;
                Some((cell.step(direction)?, cost))
            });
            let links = grid
                .links()
                .iter()
                .filter(|link| link.from == cell)
                .filter(|link| query.rules.links.allows(link.kind))
                .filter(|link| can_stand(terrain, query, link.to))
                .filter(|link| !query.ends_with_step || link.to != goal)
                .map(|link| {
                    (
                        link.to,
                        Cost::from(link.cost) * query.rules.metric.straight(),
                    )
                });
            for (next, step) in steps.chain(links) {
                if !limits.window_holds(start, next) {
                    continue;
                }
                let next_cost = cost + step;
                if next_cost > limits.cost_max() {
                    at.cost_limited = true;
                    continue;
                }
                let known = &mut self.reached[index(next)];
                if known.is_none_or(|(known, _)| next_cost < known) {
                    at.counters.touched += u32::from(known.is_none());
                    at.counters.pushed += 1;
                    *known = Some((next_cost, cell));
                    self.open.push(Reverse((next_cost, next)));
                }
            }
        }
        let status = if at.cost_limited {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        answer(status, at.counters)
    }
}

impl Dijkstra {
    /// Forgets everything but the start.
    fn start(&mut self, window: &SearchWindow, start: Cell) -> DijkstraCheckpoint {
        self.reached.clear();
        self.reached.resize(window.area(), None);
        self.done.clear();
        self.done.resize(window.area(), false);
        self.open.clear();
        self.reached[window.index(start) as usize] = Some((0, start));
        self.open.push(Reverse((0, start)));
        DijkstraCheckpoint {
            counters: Counters {
                touched: 1,
                pushed: 1,
                ..Counters::NONE
            },
            cost_limited: false,
        }
    }
}

/// The cost of one step, or `None` if it is forbidden.
fn step_cost(
    terrain: Terrain<'_>,
    query: &PathQuery,
    from: Cell,
    direction: Direction,
) -> Option<Cost> {
    let (grid, rules) = (terrain.grid, query.rules);
    let may_stand = |cell| can_stand(terrain, query, cell);
    let to = from.step(direction)?;
    let beside = [Cell { x: to.x, ..from }, Cell { y: to.y, ..from }];
    let passes = !direction.is_diagonal()
        || rules.corners == CornerRule::Cut
        || beside.into_iter().all(may_stand);
    let mut own = covered(from, rules.footprint);
    if !(may_stand(to) && passes && own.all(|cell| grid.exits(cell).contains(direction))) {
        return None;
    }
    let dearest = covered(to, rules.footprint)
        .map(|cell| grid.cost(cell))
        .max()?;
    let step = rules.metric.step(direction)?;
    Some(rules.metric.onto(step, dearest.into()))
}

/// Whether the walker's body fits at `anchor` without meeting another body.
fn can_stand(terrain: Terrain<'_>, query: &PathQuery, anchor: Cell) -> bool {
    let footprint = query.rules.footprint;
    covered(anchor, footprint).all(|cell| {
        let own = covered(query.start, footprint).any(|own| own == cell);
        let target = covered(query.goal, query.goal_body).any(|target| target == cell);
        let occupied = terrain
            .bodies
            .is_some_and(|bodies| bodies.is_occupied(cell));
        let minded = match query.rules.bodies {
            BodyPolicy::Ignore => false,
            BodyPolicy::AvoidAll => true,
            BodyPolicy::AvoidNear(distance) => covered(query.start, footprint)
                .any(|own| own.floor == cell.floor && own.chebyshev(cell) <= distance.into()),
        };
        terrain.grid.is_walkable(cell) && (own || target || !occupied || !minded)
    })
}

/// The cells that a body covers.
fn covered(anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> {
    let side = u16::from(footprint.side());
    (0..side).flat_map(move |dy| {
        (0..side).map(move |dx| Cell {
            x: anchor.x + dx,
            y: anchor.y + dy,
            ..anchor
        })
    })
}
