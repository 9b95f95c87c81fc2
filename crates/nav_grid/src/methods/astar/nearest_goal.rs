//! A* to the nearest of several goals.

use super::{
    bounded_astar::way_through_wall,
    expand::guess_max,
    goal_blocks::GoalBlocks,
    node_map::{Improvement, NodeMap},
    trace::trace,
};
use crate::{
    cell::Cell,
    map::{Grid, Link, Size},
    methods::line::StraightLine,
    path::Path,
    query::{
        Counters, Fault, GridView, Method, Outcome, PathQuery, Progress, QueryEnd, Status, Stopped,
        Terrain, UniformView, WeightedView,
    },
    queues::BucketQueue,
    rules::{Cost, Estimate, FreshTable, NO_STEP},
    window::SearchWindow,
};

/// A* from one start to the nearest of several goals: one search, whose guess is the least to any
/// goal. Before it, the straight way to the goal that is nearest as the crow flies, if that is free.
///
/// The goal with the cheapest path wins, and the first in the list among equals, if the heuristic is
/// [admissible](crate::rules::Heuristic::is_admissible). Otherwise the first that the search comes to.
///
/// Serves every map: costs, exits, floors, links and footprints. Bodies do not count, and neither
/// do the [goal](PathQuery::goal) and the [fallback](PathQuery::fallback) of the query. Goals that
/// are off the map, in a wall or outside the window are left out, as are those that up-to-date
/// [regions](crate::IndexedMap::build_regions) show to be cut off. Out of a wall the path leads as
/// that of [`BoundedAStar`](super::BoundedAStar) does.
///
/// # Status
///
/// Without a path: [`Status::BudgetSpent`] if a [limit](crate::Limits) ended the search, else
/// [`Status::Unreachable`] if any goal is a place in the window, else [`Status::TooFar`] if any is a
/// place on the map, else [`Status::Invalid`] by the first one, and for no goals
/// [`Status::Unreachable`].
///
/// # Complexity
///
/// As A* to one goal, with at most [`Limits::expansions`](crate::Limits::expansions) expansions;
/// and O(goals) for each block of 16×16 cells that it touches. It expands each cell whose cost and
/// guess are less than the cost of the path. Measured on drawn maps with fifty goals: 1.1 to 2 times
/// the work of A* that is told which is the nearest, 1.4 times on average. Memory: 8 bytes a cell of the largest
/// window, and 16 bytes an entry of the queue.
///
/// # References
///
/// Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths", 1968. The least of several estimates is admissible and consistent as each of them is.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Path, PathQuery, Status, methods::NearestGoal};
///
/// let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8)?;
/// let start = Cell::new(3, 0);
/// // The first one is nearer as the crow flies, but behind the wall.
/// let goals = [Cell::new(5, 0), Cell::new(0, 6)];
/// let query = PathQuery::new(start, start).with_limits(nav_grid::Limits::UNBOUNDED);
/// let (mut search, mut path) = (NearestGoal::new(), Path::new());
/// let outcome = search.search(&grid, &query, &goals, &mut path);
/// assert_eq!((outcome.status, outcome.cost), (Status::Found, 6));
/// assert_eq!(search.winner(), Some(1));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NearestGoal {
    nodes: NodeMap,
    queue: BucketQueue<Cell>,
    blocks: GoalBlocks,
    /// The goals that count, in reading order, each with its least number in the list.
    goals: Vec<(Cell, u32)>,
    /// The way out of a wall. Scratch memory.
    wall: Path,
    under_way: Option<PendingGoals>,
    winner: Option<u32>,
}

/// A paused search, next to its lists.
#[derive(Clone, Copy, Debug)]
struct PendingGoals {
    /// From the ground beside the wall, if the start is inside one.
    query: PathQuery,
    from: Cell,
    version: u64,
    size: Size,
    /// The number of cells of the window: another map may have the same version and size.
    area: usize,
    at: GoalsCheckpoint,
    /// The answer that needs no search.
    known: Option<Status>,
    /// Whether the straight way to the goal nearest as the crow flies is known not to be free.
    is_line_blocked: bool,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
struct GoalsCheckpoint {
    counters: Counters,
    /// Whether a cell was left out because of the limit on cost.
    cost_limited: bool,
    /// The nearest goal so far: its cost and number.
    best: Option<(Cost, u32)>,
}

impl NearestGoal {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches from the start of a query, and fills `path` with the way to the nearest goal.
    pub fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        goals: &[Cell],
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        self.begin(terrain, query, goals);
        match self.resume(terrain, u32::MAX, path) {
            Progress::Done(outcome) => outcome,
            // Only after more work than counters hold.
            _ => Outcome::new(Method::AStar, Status::BudgetSpent),
        }
    }

    /// Begins a search to be [resumed](Self::resume), and drops the pending one.
    pub fn begin<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        goals: &[Cell],
    ) {
        let terrain = terrain.into().for_rules(query.rules);
        let grid = terrain.grid;
        let (mut query, from) = (*query, query.start);
        self.winner = None;
        self.wall.clear();
        let in_wall = grid.contains(query.start) && !grid.fits(query.start, query.rules.footprint);
        if in_wall && way_through_wall(grid, query.start, query.rules, &mut self.wall).is_some() {
            query.start = self.wall.end().unwrap_or(query.start);
        }
        let window = SearchWindow::around(query.start, query.limits.radius, grid);
        let known = self.take_goals(terrain, &query, &window, goals);
        let mut at = GoalsCheckpoint {
            counters: Counters::NONE,
            cost_limited: false,
            best: None,
        };
        if known.is_none() {
            self.start(grid, &query, &window, &mut at);
        }
        self.under_way = Some(PendingGoals {
            query,
            from,
            version: grid.version(),
            size: grid.size(),
            area: window.area(),
            at,
            known,
            is_line_blocked: false,
        });
    }

    /// Searches on for some [work](Counters::work), as [`Sliced::resume`](crate::query::Sliced::resume)
    /// does: however the search is cut, answer, path and counters are the same.
    pub fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        work: u32,
        path: &mut Path,
    ) -> Progress {
        path.clear();
        let Some(mut pending) = self.under_way.take() else {
            return Progress::Idle;
        };
        let query = pending.query;
        let terrain = terrain.into().for_rules(query.rules);
        let grid = terrain.grid;
        let window = SearchWindow::around(query.start, query.limits.radius, grid);
        let found_on = (pending.version, pending.size, pending.area);
        if found_on != (grid.version(), grid.size(), window.area()) {
            return Progress::Stale;
        }
        if let Some(status) = pending.known {
            return Progress::Done(self.answer(grid, &pending, (status, 0), path));
        }
        let stop = pending.at.counters.work().saturating_add(work.max(1));
        let bare = Terrain {
            bodies: None,
            ..terrain
        };
        if let Some(outcome) = self.go_straight(bare, &mut pending, path) {
            return Progress::Done(self.answer(
                grid,
                &pending,
                (outcome.status, outcome.cost),
                path,
            ));
        }
        let mut lists = GoalsLists {
            nodes: &mut self.nodes,
            queue: &mut self.queue,
            blocks: &mut self.blocks,
        };
        let (goals, at) = (&self.goals, &mut pending.at);
        let ended = if let Some(plain) = UniformView::new(bare, &query) {
            GoalsTask::new(grid, plain, &query, window, goals).run(&mut lists, at, stop)
        } else {
            let ground = WeightedView::new(bare, &query);
            GoalsTask::new(grid, ground, &query, window, goals).run(&mut lists, at, stop)
        };
        let Some(stopped) = ended else {
            self.under_way = Some(pending);
            return Progress::Suspended;
        };
        let (status, cost) = match pending.at.best {
            Some((cost, number)) => {
                self.winner = Some(number);
                let goal = self.goals.iter().find(|goal| goal.1 == number);
                if let Some(&(goal, _)) = goal {
                    trace(&self.nodes, (grid, &window), query.rules.metric, goal, path);
                }
                (Status::Found, cost)
            }
            None => (stopped.into(), 0),
        };
        Progress::Done(self.answer(grid, &pending, (status, cost), path))
    }

    /// The number in the list of the goal that the last path leads to; `None` without a path.
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(|number| number as usize)
    }

    /// The [work](Counters::work) of all slices of the pending search; 0 without one.
    pub fn work(&self) -> u32 {
        let under_way = self.under_way.as_ref();
        under_way.map_or(0, |pending| pending.at.counters.work())
    }

    /// Drops the pending search, and keeps its memory.
    pub fn cancel(&mut self) {
        self.under_way = None;
    }

    /// Lists the goals that count. Returns the answer if it needs no search.
    fn take_goals(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        window: &SearchWindow,
        goals: &[Cell],
    ) -> Option<Status> {
        let (grid, start, footprint) = (terrain.grid, query.start, query.rules.footprint);
        self.goals.clear();
        if !grid.contains(start) {
            return Some(Status::Invalid(QueryEnd::Start, Fault::OutsideMap));
        }
        let in_wall = !grid.fits(start, footprint);
        if in_wall && grid.steps_onto_ground(start, query.rules).is_empty() {
            return Some(Status::Invalid(QueryEnd::Start, Fault::Blocked));
        }
        // Cells of walls are in no region.
        let regions = terrain.regions(query.rules).filter(|_| !in_wall);
        let mut first_fault = None;
        let [mut is_any_far, mut is_any_apart] = [false; 2];
        for (&goal, number) in goals.iter().zip(0..) {
            if !grid.contains(goal) {
                first_fault = first_fault.or(Some(Fault::OutsideMap));
            } else if !grid.fits(goal, footprint) {
                first_fault = first_fault.or(Some(Fault::Blocked));
            } else if goal == start {
                self.winner = Some(number);
                return Some(Status::AlreadyThere);
            } else if start.chebyshev(goal) > query.limits.radius {
                is_any_far = true;
            } else if !window.contains(goal)
                || regions.is_some_and(|regions| !regions.same(start, goal))
            {
                is_any_apart = true;
            } else {
                self.goals.push((goal, number));
            }
        }
        self.goals.sort_unstable();
        self.goals.dedup_by_key(|goal| goal.0);
        match first_fault {
            _ if !self.goals.is_empty() => None,
            _ if is_any_apart => Some(Status::Unreachable),
            _ if is_any_far => Some(Status::TooFar),
            Some(fault) => Some(Status::Invalid(QueryEnd::Goal, fault)),
            None => Some(Status::Unreachable),
        }
    }

    /// Forgets the last search and queues the start.
    fn start(
        &mut self,
        grid: &Grid,
        query: &PathQuery,
        window: &SearchWindow,
        at: &mut GoalsCheckpoint,
    ) {
        let metric = query.rules.metric;
        let worst = if grid.has_costs() {
            Grid::COST_WORST
        } else {
            1
        };
        let step = metric.diagonal().unwrap_or(metric.straight()) * Cost::from(worst);
        let link = metric.straight().saturating_mul(grid.links.dearest.into());
        self.blocks
            .start(window, self.goals.iter().map(|&(goal, _)| goal));
        self.nodes.start(window.area());
        self.nodes.open_root(window.index(query.start));
        let estimate = Estimate::new(query.heuristic, metric);
        let counted = (window, &mut at.counters);
        let guess = self.blocks.guess(query.start, estimate, counted);
        let guess = guess.min(highest_guess(grid, query, window, &self.goals));
        // Buckets of one key each: a cell is expanded only once, at its least cost. A step adds its cost to the
        // key, and at most as much to the guess.
        self.queue.start(0, 0, step.max(link).saturating_mul(2));
        at.counters.touched += 1;
        at.counters.pushed += 1;
        self.queue.push(guess, query.start);
    }

    /// Walks along the line to the goal that is nearest as the crow flies, once. If the line is free, no
    /// path to another goal is cheaper.
    fn go_straight(
        &mut self,
        terrain: Terrain<'_>,
        pending: &mut PendingGoals,
        path: &mut Path,
    ) -> Option<Outcome> {
        let PathQuery {
            start,
            rules,
            heuristic,
            ..
        } = pending.query;
        // By a shortcut another goal may be nearer.
        let may_know = terrain.grid.links().is_empty() && heuristic.is_admissible(rules.metric);
        if std::mem::replace(&mut pending.is_line_blocked, true) || !may_know {
            return None;
        }
        let exact = Estimate::exact(rules.metric);
        let goals = self.goals.iter();
        let (goal, number) = *goals.min_by_key(|goal| (exact.between(start, goal.0), goal.1))?;
        let query = PathQuery {
            goal,
            ..pending.query
        };
        let end = StraightLine::walk_on(terrain, &query, u32::MAX, path);
        pending.at.counters.scanned += StraightLine::scanned(path);
        let straight = StraightLine::answer(end, path);
        let is_free = straight.status == Status::Found;
        self.winner = is_free.then_some(number);
        is_free.then_some(straight)
    }

    /// The outcome of a search, with the way out of a wall before the path.
    fn answer(
        &self,
        grid: &Grid,
        pending: &PendingGoals,
        (status, cost): (Status, Cost),
        path: &mut Path,
    ) -> Outcome {
        let answer = Outcome::new(Method::AStar, status).with_counters(pending.at.counters);
        let leads = matches!(status, Status::Found | Status::AlreadyThere);
        if self.wall.is_empty() || !leads {
            return answer.with_cost(cost);
        }
        path.prepend_all(self.wall.iter().rev());
        let walked = path.walk(grid, pending.from, pending.query.rules);
        answer
            .with_status(Status::Found)
            .with_cost(walked.unwrap_or(cost))
    }
}

/// The highest admissible guess on a map with shortcuts, to any of some goals.
fn highest_guess(
    grid: &Grid,
    query: &PathQuery,
    window: &SearchWindow,
    goals: &[(Cell, u32)],
) -> Cost {
    let estimate = Estimate::new(query.heuristic, query.rules.metric);
    let in_window = |link: &Link| window.contains(link.from) && window.contains(link.to);
    let guesses = goals.iter().map(|&(goal, _)| {
        let query = PathQuery { goal, ..*query };
        guess_max(grid, &query, estimate, in_window)
    });
    guesses.min().unwrap_or(Cost::MAX)
}

/// The lists of a search.
struct GoalsLists<'a> {
    nodes: &'a mut NodeMap,
    queue: &'a mut BucketQueue<Cell>,
    blocks: &'a mut GoalBlocks,
}

/// A query with the values that follow from it before the first expansion.
struct GoalsTask<'a, G> {
    ground: G,
    query: &'a PathQuery,
    window: SearchWindow,
    goals: &'a [(Cell, u32)],
    estimate: Estimate,
    /// No guess is higher, as shortcuts may be cheaper than the distance that they cover: see
    /// [`BoundedAStar`](super::BoundedAStar).
    guess_max: Cost,
    is_admissible: bool,
    offsets: [i32; 8],
    moves: &'static FreshTable,
    /// Whether neighbours that a cell shares with its parent may be left out.
    prunes: bool,
    cost_max: Cost,
}

impl<'a, G: GridView> GoalsTask<'a, G> {
    fn new(
        grid: &'a Grid,
        ground: G,
        query: &'a PathQuery,
        window: SearchWindow,
        goals: &'a [(Cell, u32)],
    ) -> Self {
        let metric = query.rules.metric;
        let estimate = Estimate::new(query.heuristic, metric);
        Self {
            guess_max: highest_guess(grid, query, &window, goals),
            ground,
            query,
            goals,
            estimate,
            is_admissible: query.heuristic.is_admissible(metric),
            offsets: window.offsets(),
            window,
            moves: query.rules.fresh_table(),
            prunes: G::UNIFORM || !(grid.has_costs() || grid.has_exits()),
            cost_max: query.limits.cost_max(),
        }
    }

    /// Expands cells up to some work. Returns why it ended, which counts if no goal was found; `None`
    /// if the slice ends first.
    fn run(
        &self,
        lists: &mut GoalsLists<'_>,
        at: &mut GoalsCheckpoint,
        stop: u32,
    ) -> Option<Stopped> {
        loop {
            if at.counters.work() >= stop {
                return None;
            }
            let popped = lists.queue.pop();
            // Once a goal is found, only cells as near to others count.
            let best = at.best.map_or(Cost::MAX, |(cost, _)| cost);
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
            if let Some(number) = self.number_of(cell) {
                let found = (cost, number);
                at.best = Some(at.best.map_or(found, |best| best.min(found)));
                if !self.is_admissible || !self.may_tie((self.query.start, 0), at) {
                    return Some(Stopped::Unreachable);
                }
            }
            if at.best.is_some() && !self.may_tie((cell, cost), at) {
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

    /// The number of the goal on a cell.
    fn number_of(&self, cell: Cell) -> Option<u32> {
        let at = self.goals.binary_search_by_key(&cell, |goal| goal.0);
        Some(self.goals[at.ok()?].1)
    }

    /// Whether a way by a cell may lead to a goal at the cost of the one that was found, which
    /// comes before it in the list.
    fn may_tie(&self, (cell, cost): (Cell, Cost), at: &mut GoalsCheckpoint) -> bool {
        let Some((best, number)) = at.best else {
            return false;
        };
        at.counters.scanned += (self.goals.len() as u32).div_ceil(Counters::CELLS_PER_SCAN);
        let mut before = self.goals.iter().filter(|goal| goal.1 < number);
        before.any(|&(goal, _)| {
            let guess = self.estimate.between(cell, goal).min(self.guess_max);
            cost + guess <= best
        })
    }

    /// Queues the neighbours of a cell that `step` led to at `cost`.
    #[inline]
    fn take_steps(
        &self,
        lists: &mut GoalsLists<'_>,
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
        lists: &mut GoalsLists<'_>,
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
        lists: &mut GoalsLists<'_>,
        at: &mut GoalsCheckpoint,
        (cell, cost): (Cell, Cost),
        news: Improvement,
    ) {
        if news == Improvement::None {
            return;
        }
        at.counters.touched += u32::from(news == Improvement::First);
        let counted = (&self.window, &mut at.counters);
        let guess = lists.blocks.guess(cell, self.estimate, counted);
        let total = cost + guess.min(self.guess_max);
        if total > self.cost_max {
            at.cost_limited = true;
            return;
        }
        at.counters.pushed += 1;
        lists.queue.push(total, cell);
    }
}
