//! A* to the nearest of several goals, or to the nearest place from which a target is seen.

use super::{
    bounded_astar::way_through_wall,
    goal_blocks::GoalBlocks,
    goal_set::ListedGoals,
    goals_task::{GoalsCheckpoint, GoalsLists, highest_guess, run, start},
    node_map::NodeMap,
    sight_goal::{SightGoal, SightGoals},
    trace::trace,
};
use crate::{
    cell::Cell,
    map::{Grid, Size},
    methods::line::StraightLine,
    path::Path,
    query::{Fault, Method, Outcome, PathQuery, Progress, QueryEnd, Status, Terrain},
    queues::BucketQueue,
    rules::{Cost, Estimate},
    window::SearchWindow,
};

/// A* from one start to the nearest of several goals: one search, whose guess is the least to any
/// goal. Before it, the straight way to the goal that is nearest as the crow flies, if that is
/// free.
///
/// The goal with the cheapest path wins, and the first in the list among equals, if the heuristic
/// is [admissible](crate::rules::Heuristic::is_admissible). Otherwise the first that the search
/// comes to.
///
/// Serves every map: costs, exits, floors, links and footprints. Bodies do not count, and neither
/// do the [goal](PathQuery::goal) and the [fallback](PathQuery::fallback) of the query. Goals that
/// are off the map, in a wall or outside the window are left out, as are goals that up-to-date
/// [regions](crate::IndexedMap::build_regions) show to be cut off. Out of a wall the path leads as
/// that of [`BoundedAStar`](super::BoundedAStar) does.
///
/// # By sight
///
/// [`search_sight`](Self::search_sight) has a [`SightGoal`] in place of the list: of all places
/// from which the walker sees its target, the cheapest to get to; of several the first to which the
/// search comes, which is the same on every machine. A place is looked at when the search expands
/// it, so few lines of sight are walked. The straight way is not tried.
///
/// # Status
///
/// Without a path: [`Status::BudgetSpent`] if a [limit](crate::Limits) ended the search, else
/// [`Status::Unreachable`] if any goal is a place in the window, else [`Status::TooFar`] if any is
/// a place on the map, else [`Status::Invalid`] by the first one, and for no goals
/// [`Status::Unreachable`].
///
/// # Complexity
///
/// As A* to one goal, with at most [`Limits::expansions`](crate::Limits::expansions) expansions;
/// and O(goals) for each block of 16×16 cells that it touches. It expands each cell whose cost and
/// guess are less than the cost of the path. Measured on drawn maps with fifty goals: 1.1 to 2
/// times the work of A* to the nearest goal alone, 1.4 times on average. Memory: 8 bytes a cell of
/// the largest window, and 16 bytes an entry of the queue.
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
    /// The target to see; `None` for a list of goals.
    sight: Option<SightGoal>,
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
        self.finish(terrain, path)
    }

    /// Searches from the start of a query, and fills `path` with the way to the nearest place from
    /// which the walker sees a target.
    pub fn search_sight<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        goal: SightGoal,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        self.begin_sight(terrain, query, goal);
        self.finish(terrain, path)
    }

    /// Searches on to the end of the pending search. Without one the budget counts as spent.
    pub fn finish<'a>(&mut self, terrain: impl Into<Terrain<'a>>, path: &mut Path) -> Outcome {
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
        let from = query.start;
        let (grid, query) = (terrain.grid, self.leave_wall(terrain.grid, query));
        let window = window(&query, grid);
        let known = fault_of_start(grid, &query)
            .or_else(|| self.take_goals(terrain, &query, &window, goals));
        let mut at = GoalsCheckpoint::default();
        if known.is_none() {
            at.guess_max = highest_guess(grid, &query, &window, &self.goals);
            let cells = self.goals.iter().map(|&(goal, _)| goal);
            self.blocks.start(&window, cells);
            let mut goals = ListedGoals {
                goals: &self.goals,
                blocks: &mut self.blocks,
            };
            let lists = (&mut self.nodes, &mut self.queue);
            start(lists, &mut goals, (grid, &query, &window), &mut at);
        }
        self.under_way = Some(PendingGoals {
            query,
            from,
            sight: None,
            version: grid.version(),
            size: grid.size(),
            area: window.area(),
            at,
            known,
            is_line_blocked: false,
        });
    }

    /// Begins a search for a place from which the walker sees a target, to be
    /// [resumed](Self::resume), and drops the pending one.
    pub fn begin_sight<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        goal: SightGoal,
    ) {
        let whole = terrain.into();
        let terrain = whole.for_rules(query.rules);
        let from = query.start;
        let (grid, query) = (terrain.grid, self.leave_wall(terrain.grid, query));
        let window = window(&query, grid);
        let known = fault_of_start(grid, &query)
            .or_else(|| goal.answer_at_once((whole.grid, terrain), &query, &window));
        self.winner = (known == Some(Status::AlreadyThere)).then_some(0);
        let mut at = GoalsCheckpoint::default();
        if known.is_none() {
            at.guess_max = goal.highest_guess(grid, &query, &window);
            let mut goals = SightGoals::new(whole.grid, goal, query.rules);
            let lists = (&mut self.nodes, &mut self.queue);
            start(lists, &mut goals, (grid, &query, &window), &mut at);
        }
        self.under_way = Some(PendingGoals {
            query,
            from,
            sight: Some(goal),
            version: grid.version(),
            size: grid.size(),
            area: window.area(),
            at,
            known,
            // A place may be seen from before the line ends.
            is_line_blocked: true,
        });
    }

    /// Returns a query from the ground beside the wall that its start is in, if it is in one, and
    /// lays the way there.
    fn leave_wall(&mut self, grid: &Grid, query: &PathQuery) -> PathQuery {
        let mut query = *query;
        self.winner = None;
        self.wall.clear();
        let in_wall = grid.contains(query.start) && !grid.fits(query.start, query.rules.footprint);
        if in_wall && way_through_wall(grid, query.start, query.rules, &mut self.wall).is_some() {
            query.start = self.wall.end().unwrap_or(query.start);
        }
        query
    }

    /// Searches on for some [work](crate::query::Counters::work), as
    /// [`Sliced::resume`](crate::query::Sliced::resume) does: however the search is cut, answer,
    /// path and counters are the same.
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
        let whole = terrain.into();
        let terrain = whole.for_rules(query.rules);
        let grid = terrain.grid;
        let window = window(&query, grid);
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
        let (slice, at) = ((bare, &query, window), &mut pending.at);
        let (nodes, queue) = (&mut self.nodes, &mut self.queue);
        let ended = if let Some(goal) = pending.sight {
            let goals = SightGoals::new(whole.grid, goal, query.rules);
            let lists = GoalsLists {
                nodes,
                queue,
                goals,
            };
            run(lists, slice, at, stop)
        } else {
            let goals = ListedGoals {
                goals: &self.goals,
                blocks: &mut self.blocks,
            };
            let lists = GoalsLists {
                nodes,
                queue,
                goals,
            };
            run(lists, slice, at, stop)
        };
        let Some(stopped) = ended else {
            self.under_way = Some(pending);
            return Progress::Suspended;
        };
        let (status, cost) = match pending.at.best {
            Some((cost, number, goal)) => {
                self.winner = Some(number);
                trace(&self.nodes, (grid, &window), query.rules.metric, goal, path);
                (Status::Found, cost)
            }
            None => (stopped.into(), 0),
        };
        Progress::Done(self.answer(grid, &pending, (status, cost), path))
    }

    /// The number in the list of the goal that the last path leads to, 0 for a place by sight;
    /// `None` without a path.
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(|number| number as usize)
    }

    /// The [work](crate::query::Counters::work) of all slices of the pending search; 0 without one.
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
        let in_wall = !grid.fits(start, footprint);
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
            } else if !query.limits.window_holds(start, goal) {
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

    /// Walks along the line to the goal that is nearest as the crow flies, once. If the line is
    /// free, no path to another goal is cheaper.
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

/// The answer to a query whose start is no place to begin at.
fn fault_of_start(grid: &Grid, query: &PathQuery) -> Option<Status> {
    let (start, rules) = (query.start, query.rules);
    if !grid.contains(start) {
        return Some(Status::Invalid(QueryEnd::Start, Fault::OutsideMap));
    }
    let is_shut_in =
        !grid.fits(start, rules.footprint) && grid.steps_onto_ground(start, rules).is_empty();
    is_shut_in.then_some(Status::Invalid(QueryEnd::Start, Fault::Blocked))
}

/// The window of a search. A start off the map, which ends the search at once, counts as the first
/// cell.
fn window(query: &PathQuery, grid: &Grid) -> SearchWindow {
    let start = Some(query.start).filter(|&start| grid.contains(start));
    SearchWindow::around(start.unwrap_or_default(), query.limits.radius, grid)
}
