//! Bounded A*: the classic search of game servers.

use super::{
    Counters, Fallback, Method, Outcome, Progress, Query, Search, Sliced, Status, Stopped, Support,
    ground::{Ground, Layered, Plain},
    line::Line,
    node_map::{Improvement, NodeMap, Parent},
    queue::{Bounds, Entry, Key, Layout, Queue},
    slice::{Ran, Slot, stop_after},
    window::Window,
};
use crate::map::{FreshTable, NO_STEP};
use crate::rules::Estimate;
use crate::{Cell, Cost, Direction, Grid, Metric, Path, Terrain};

/// A* inside a window around the start, with a cap on expansions.
///
/// One preallocated node map serves as open and closed list; it is reset by a generation stamp
/// and never zeroed. The open list is a binary heap with lazy deletion: a cell that becomes
/// cheaper is pushed again, and outdated entries are dropped when they come up. Closed cells
/// are not reopened, which loses nothing under a consistent heuristic (all admissible ones
/// here are).
/// Where steps cost the same everywhere, neighbours that a cell shares with its parent are left
/// out if the parent has seen them at no higher cost, which changes nothing but the time.
///
/// Serves every map and query: costs, exits, floors and links, bodies and footprints. A map
/// that has none of it pays for none of it.
///
/// The path is a cheapest one among those inside the window if
/// [the heuristic is admissible](crate::Heuristic::is_admissible). With
/// [`Limits::UNBOUNDED`](super::Limits::UNBOUNDED) it is the textbook search over the whole map.
///
/// Among equally cheap continuations the search prefers the cell nearer to the goal, then the
/// one nearer to the straight line from start to goal, then floor and reading order; paths over open
/// ground therefore look like drawn with a ruler, and walkers from different sides spread over
/// different lines.
///
/// # Complexity
///
/// At most [`Limits::expansions`](super::Limits::expansions) expansions, each O(log n) in the
/// cells seen. Memory: 8 bytes a cell of the largest window searched, 13 KiB at radius 20, and as
/// much for each floor of a map with links.
///
/// # Links and guesses
///
/// A guess from distance is too high where a link is cheaper than the distance it covers, a
/// *shortcut*. Let K be the least sum, over the shortcuts inside the window, of the link's cost
/// and the guess from its end. A path without shortcuts costs no less than the guess from
/// distance; one with shortcuts costs no less than K, by its last one. The lesser of the two is
/// therefore admissible. It is consistent, too: both are along ordinary moves, and at the start
/// of a shortcut it is at most K, which is at most the link's cost and either the guess from
/// its end or K again. One look at each shortcut a query, one comparison a cell.
///
/// # References
///
/// Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths", 1968.
#[derive(Clone, Debug, Default)]
pub struct BoundedAStar {
    lists: Lists,
    under_way: Slot<Halt>,
}

#[derive(Clone, Debug, Default)]
struct Lists {
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
    const METHOD: Method = Method::AStar;
    const SUPPORT: Support = Support::ALL;

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        match self.lists.run(terrain.into(), query, None, u32::MAX, path) {
            Ran::Done(outcome) => outcome,
            Ran::Halted(halt) => {
                Outcome::without_path(Self::METHOD, Status::BudgetSpent, halt.counters)
            }
        }
    }
}

impl Sliced for BoundedAStar {
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &Query) {
        self.under_way.begin(terrain.into().grid, query);
    }

    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        expansions: u32,
        path: &mut Path,
    ) -> Progress {
        let terrain = terrain.into();
        path.clear();
        let Self { lists, under_way } = self;
        under_way.resume(terrain.grid, |query, halt| {
            lists.run(terrain, query, halt, expansions, path)
        })
    }

    fn cancel(&mut self) {
        self.under_way.cancel();
    }
}

impl Lists {
    /// One slice of a query.
    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &Query,
        halt: Option<Halt>,
        slice: u32,
        path: &mut Path,
    ) -> Ran<Halt> {
        path.clear();
        if let Some(status) = query.answer_at_once(terrain.grid) {
            let outcome = Outcome::without_path(Method::AStar, status, Counters::default());
            return Ran::Done(outcome);
        }
        if let Some(plain) = Plain::new(terrain, query) {
            let task = Task::new(terrain.grid, plain, query);
            self.run_on(&task, halt, slice, path)
        } else {
            let task = Task::new(terrain.grid, Layered::new(terrain, query), query);
            self.run_on(&task, halt, slice, path)
        }
    }

    fn run_on<G: Ground>(
        &mut self,
        task: &Task<'_, G>,
        halt: Option<Halt>,
        slice: u32,
        path: &mut Path,
    ) -> Ran<Halt> {
        // Another map may have as many edits and cells.
        let halt = halt.filter(|halt| halt.layout == task.layout);
        if task.layout.is_narrow() {
            task.run(&mut self.nodes, &mut self.narrow, halt, slice, path)
        } else {
            task.run(&mut self.nodes, &mut self.wide, halt, slice, path)
        }
    }
}

/// How far a search has come, next to its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Halt {
    counters: Counters,
    /// Something was left out because it would have cost more than a path may.
    cost_limited: bool,
    /// Guess and cost of the expanded cell that is nearest to the goal, and the cell.
    closest: (Cost, Cost, Cell),
    layout: Layout,
}

/// One query, with what follows from it before the first expansion.
struct Task<'a, G> {
    grid: &'a Grid,
    ground: G,
    query: &'a Query,
    window: Window,
    estimate: Estimate,
    /// No guess is higher: the K of the method's docs.
    guess_max: Cost,
    line: Line,
    steps: [Step; 8],
    moves: &'static FreshTable,
    /// Whether neighbours that a cell shares with its parent may be left out.
    prunes: bool,
    /// Whatever is dearer by its guess is left out.
    cost_max: Cost,
    layout: Layout,
}

impl<'a, G: Ground> Task<'a, G> {
    fn new(grid: &'a Grid, ground: G, query: &'a Query) -> Self {
        let metric = query.rules.metric;
        let window = Window::around(query.start, query.limits.radius, grid);
        let estimate = Estimate::new(query.heuristic, metric);
        let line = Line::new(query.start, query.goal);
        let (columns, rows) = (window.columns() as u16, window.rows() as u16);
        let worst = if grid.has_costs() {
            Grid::COST_WORST
        } else {
            1
        };
        let dearest_step = metric.diagonal().unwrap_or(metric.straight()) * Cost::from(worst);
        let dearest_link = metric.straight() * Cost::from(grid.dearest_link());
        let bounds = Bounds {
            steps: query.limits.expansions,
            dearest_step: dearest_step.max(dearest_link),
            guess: estimate.cost(columns - 1, rows - 1),
            deviation: line.deviation_max(columns - 1, rows - 1),
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
            steps: Step::all(&window, metric, line),
            moves: query.rules.fresh_table(),
            prunes: G::UNIFORM || !(grid.has_costs() || grid.has_exits()),
            cost_max: query.limits.cost_max(),
            layout: Layout::new(&window, bounds),
        }
    }

    /// The guess for a cell of the window.
    #[inline]
    fn guess(&self, cell: Cell) -> Cost {
        self.estimate
            .between(cell, self.query.goal)
            .min(self.guess_max)
    }

    fn run<K: Key>(
        &self,
        nodes: &mut NodeMap,
        open: &mut Queue<K>,
        halt: Option<Halt>,
        slice: u32,
        path: &mut Path,
    ) -> Ran<Halt> {
        let Query { start, limits, .. } = *self.query;
        let mut halt = match halt {
            Some(halt) => halt,
            None => self.begin(nodes, open),
        };
        let stop = stop_after(halt.counters.expanded, slice, limits);
        let end = self.expand(nodes, open, &mut halt, stop);
        let (status, cost, cell) = match (end, halt.closest) {
            (End::Slice, _) => return Ran::Halted(halt),
            (End::Goal(goal, cost), _) => (Status::Found, cost, goal),
            (End::Nowhere(stopped), (_, cost, cell)) if cell != start => {
                (Status::Partial(stopped), cost, cell)
            }
            (End::Nowhere(stopped), _) => {
                let outcome = Outcome::without_path(Method::AStar, stopped.into(), halt.counters);
                return Ran::Done(outcome);
            }
        };
        self.trace(nodes, cell, path);
        Ran::Done(Outcome {
            status,
            cost,
            counters: halt.counters,
            method: Method::AStar,
        })
    }

    /// Forgets the last search, and puts the start on the queue.
    fn begin<K: Key>(&self, nodes: &mut NodeMap, open: &mut Queue<K>) -> Halt {
        let start = self.query.start;
        let entry = self.entry(start, 0, 0);
        let cost_limited = entry.total > self.cost_max;
        nodes.start(self.window.area());
        nodes.open_root(self.window.index(start));
        open.clear();
        if !cost_limited {
            open.push_best(entry, &self.layout);
        }
        Halt {
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
    fn expand<K: Key>(
        &self,
        nodes: &mut NodeMap,
        open: &mut Queue<K>,
        halt: &mut Halt,
        stop: u32,
    ) -> End {
        let Query {
            goal,
            limits,
            fallback,
            ..
        } = *self.query;
        let window = &self.window;
        let wants_closest = fallback == Fallback::ClosestReached;
        let mut closest = halt.closest;
        let mut front = Front {
            nodes,
            open,
            counters: halt.counters,
            cost_limited: halt.cost_limited,
        };
        let end = loop {
            let Some(place) = front.open.pop(&self.layout) else {
                break End::Nowhere(if front.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                });
            };
            front.counters.popped += 1;
            let cell = window.at(place);
            let node = window.index(cell);
            if cell == goal {
                break End::Goal(goal, front.nodes.cost(node));
            }
            let Some((cost, step)) = front.nodes.close(node) else {
                continue;
            };
            if front.counters.expanded == stop {
                if stop == limits.expansions {
                    break End::Nowhere(Stopped::BudgetSpent);
                }
                // The next slice takes it off the queue again.
                let entry = self.entry(cell, cost, self.line.deviation(cell));
                front.open.push_best(entry, &self.layout);
                front.nodes.reopen(node);
                front.counters.popped -= 1;
                break End::Slice;
            }
            front.counters.expanded += 1;
            if wants_closest {
                // Shortcuts lower the guess everywhere; nearness is without them.
                let nearness = self.estimate.between(cell, goal);
                closest = closest.min((nearness, cost, cell));
            }
            self.take_steps(&mut front, cell, cost, step);
            self.take_links(&mut front, cell, cost);
        };
        halt.counters = front.counters;
        halt.cost_limited = front.cost_limited;
        halt.closest = closest;
        end
    }

    /// Looks at the neighbours of a cell that was reached by `step` at `cost`.
    #[inline]
    fn take_steps<K: Key>(&self, front: &mut Front<'_, K>, cell: Cell, cost: Cost, step: usize) {
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
    fn take_links<K: Key>(&self, front: &mut Front<'_, K>, cell: Cell, cost: Cost) {
        for link in self.ground.links(cell) {
            if !self.window.contains(link.to) || !self.ground.may_stand(link.to) {
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
    fn reach<K: Key>(
        &self,
        front: &mut Front<'_, K>,
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
        let entry = Entry {
            total,
            guess,
            deviation: deviation.unsigned_abs(),
            place: self.window.place(cell),
        };
        front.open.push(entry, &self.layout);
    }

    #[inline]
    fn entry(&self, cell: Cell, cost: Cost, deviation: i32) -> Entry {
        let guess = self.guess(cell);
        Entry {
            total: cost + guess,
            guess,
            deviation: deviation.unsigned_abs(),
            place: self.window.place(cell),
        }
    }

    /// Follows parents from `end` to the start.
    fn trace(&self, nodes: &NodeMap, end: Cell, path: &mut Path) {
        let mut cell = end;
        loop {
            let node = self.window.index(cell);
            let before = match nodes.parent(node) {
                Parent::None => return,
                Parent::Step(direction) => {
                    Some(self.steps[direction.opposite() as usize].from(cell))
                }
                Parent::Link => self.link_taken(nodes, cell, nodes.cost(node)),
            };
            path.prepend(cell);
            // A node that a link led to has one that did.
            let Some(before) = before else { return };
            cell = before;
        }
    }

    /// Where a link leaves by which the search reached `to` at `cost`. Since links are not
    /// free, that is a cell nearer to the start.
    fn link_taken(&self, nodes: &NodeMap, to: Cell, cost: Cost) -> Option<Cell> {
        let straight = self.query.rules.metric.straight();
        let links = self.grid.links_to(to).iter();
        links
            .filter(|link| self.window.contains(link.from))
            .find(|link| {
                let before = nodes.closed_cost(self.window.index(link.from));
                before.is_some_and(|before| before + Cost::from(link.cost) * straight == cost)
            })
            .map(|link| link.from)
    }
}

/// What the expansion of cells changes.
struct Front<'a, K> {
    nodes: &'a mut NodeMap,
    open: &'a mut Queue<K>,
    counters: Counters,
    cost_limited: bool,
}

/// Why a slice ended.
enum End {
    /// At the goal, at this cost.
    Goal(Cell, Cost),
    /// Short of it.
    Nowhere(Stopped),
    /// There is more to do.
    Slice,
}

/// The highest guess that is not too high for a map with shortcuts; see [`BoundedAStar`].
fn guess_max(grid: &Grid, query: &Query, window: &Window, estimate: Estimate) -> Cost {
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
                    let plain = Plain::new(Terrain::from(&grid), &query).unwrap();
                    let task = Task::new(&grid, plain, &query);
                    if query.answer_at_once(&grid).is_some() || !task.layout.is_narrow() {
                        continue;
                    }
                    narrow.clear();
                    wide.clear();
                    let Lists {
                        nodes,
                        narrow: few_bits,
                        wide: many_bits,
                    } = &mut search.lists;
                    let one = task.run(nodes, few_bits, None, u32::MAX, &mut narrow);
                    let other = task.run(nodes, many_bits, None, u32::MAX, &mut wide);
                    assert_eq!(one, other, "{query:?}");
                    assert_eq!(narrow, wide, "{query:?}");
                }
            }
        }
    }
}
