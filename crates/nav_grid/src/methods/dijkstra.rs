//! Dijkstra's search: plain and obviously right, the judge of every other method.

use crate::{
    cell::{Cell, Direction},
    path::Path,
    query::{
        Counters, Method, Outcome, PathQuery, PendingSearch, Resumable, Search, SliceResult,
        Status, Support, Terrain, stop_after,
    },
    rules::{BodyPolicy, CornerRule, Cost, Footprint, Rules},
    window::SearchWindow,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Uniform-cost search over the window, without heuristic and without cleverness.
///
/// Shares no code with the fast methods beyond the shape of the call: it asks
/// [`Grid::is_walkable`](crate::Grid::is_walkable) cell by cell and spells out corners, exits,
/// footprints and bodies, so that a mistake in the bit tricks of others cannot hide. The limits on
/// expansions and cost are honoured; the fallback is not.
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
    under_way: PendingSearch<DijkstraCheckpoint>,
}

/// Where a search was paused, next to its lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DijkstraCheckpoint {
    counters: Counters,
    /// Something was left out because it would have cost more than a path may.
    cost_limited: bool,
}

impl Dijkstra {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for Dijkstra {
    const METHOD: Method = Method::Dijkstra;
    const SUPPORT: Support = Support::ALL;

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.run_through(terrain, query, path)
    }
}

impl Resumable for Dijkstra {
    type Checkpoint = DijkstraCheckpoint;

    fn pending(&self) -> &PendingSearch<DijkstraCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<DijkstraCheckpoint> {
        &mut self.under_way
    }

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
            SliceResult::Done(Outcome::without_path(Method::Dijkstra, status, counters))
        };
        if let Some(status) = query.answer_at_once(grid) {
            return answer(status, Counters::default());
        }
        let PathQuery {
            start,
            goal,
            rules,
            limits,
            ..
        } = *query;
        let window = SearchWindow::around(start, limits.radius, grid);
        let index = |cell: Cell| window.index(cell) as usize;
        // Another map may have as many edits and cells.
        let checkpoint = checkpoint.filter(|_| self.reached.len() == window.area());
        let mut checkpoint = checkpoint.unwrap_or_else(|| self.start(&window, start));
        let DijkstraCheckpoint {
            counters,
            cost_limited,
        } = &mut checkpoint;
        let stop = stop_after(counters.expanded, slice, limits);
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
                return SliceResult::Done(Outcome {
                    status: Status::Found,
                    cost,
                    counters: *counters,
                    method: Method::Dijkstra,
                });
            }
            if std::mem::replace(&mut self.done[index(cell)], true) {
                continue;
            }
            if counters.expanded == stop {
                if stop == limits.expansions {
                    return answer(Status::BudgetSpent, *counters);
                }
                // The next slice takes it off the queue again.
                self.done[index(cell)] = false;
                self.open.push(Reverse((cost, cell)));
                counters.popped -= 1;
                return SliceResult::Paused(checkpoint);
            }
            counters.expanded += 1;
            let steps = Direction::ALL.into_iter().filter_map(|direction| {
                let cost = step_cost(terrain, query, cell, direction)?;
                Some((cell.step(direction)?, cost))
            });
            let links = grid.links().iter().filter(|link| link.from == cell);
            let links = links
                .filter(|link| can_stand(terrain, query, link.to))
                .filter(|link| !query.ends_with_step || link.to != query.goal)
                .map(|link| (link.to, Cost::from(link.cost) * rules.metric.straight()));
            for (next, step) in steps.chain(links) {
                if start.chebyshev(next) > limits.radius {
                    continue;
                }
                let next_cost = cost + step;
                if next_cost > limits.cost_max() {
                    *cost_limited = true;
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
        let status = if *cost_limited {
            Status::BudgetSpent
        } else {
            Status::Unreachable
        };
        answer(status, *counters)
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
        let counters = Counters {
            touched: 1,
            pushed: 1,
            ..Counters::default()
        };
        DijkstraCheckpoint {
            counters,
            cost_limited: false,
        }
    }
}

/// Cost of one step, or `None` if it is forbidden.
fn step_cost(
    terrain: Terrain<'_>,
    query: &PathQuery,
    from: Cell,
    direction: Direction,
) -> Option<Cost> {
    let Rules {
        metric,
        corners,
        footprint,
        ..
    } = query.rules;
    let to = from.step(direction)?;
    if !can_stand(terrain, query, to) {
        return None;
    }
    if direction.is_diagonal() && corners == CornerRule::Strict {
        let beside = [Cell { x: to.x, ..from }, Cell { y: to.y, ..from }];
        if !beside
            .into_iter()
            .all(|cell| can_stand(terrain, query, cell))
        {
            return None;
        }
    }
    let grid = terrain.grid;
    if !covered(from, footprint).all(|cell| grid.exits(cell).contains(direction)) {
        return None;
    }
    let dearest = covered(to, footprint).map(|cell| grid.cost(cell)).max()?;
    Some(metric.step(direction)? * Cost::from(dearest))
}

/// Whether the walker's body fits at `anchor` and nobody is in its way there.
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
