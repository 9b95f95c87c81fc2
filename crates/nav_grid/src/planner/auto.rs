//! The planner: chooses the method for every query and owns the scratch memory of all.

use super::{
    checkpoint::{PlannerCheckpoint, QueryShare, WorkShare},
    nearest_reachable::{RINGS_MAX, nearest_reachable},
};
use crate::{
    index::Regions,
    map::Grid,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, LineEnd, MosaicSearch, PortalSearch, StraightLine,
        Sweep, TrunkSearch, pending_search, search_method,
    },
    path::Path,
    query::{
        Counters, Fallback, Method, Outcome, PathQuery, PendingSearch, Progress, Resumable, Search,
        SearchValid, SliceResult, Sliced, Status, Support, Terrain, answer_at_once,
    },
    rules::{Footprint, Metric},
};

/// All methods with their memory, and a choice among them.
///
/// # Choice
///
/// The first of these that can serve the query and the map:
///
/// 1. *No* at once, if up-to-date [regions](crate::IndexedMap::build_regions) show that start and
///    goal are not connected.
/// 2. [`Method::Line`], if the straight way is free.
/// 3. For windows of radius up to 28: [`Method::Sweep`], which finds every goal that can be reached
///    in the window and keeps followers on different lines. Where diagonal steps cost more than
///    straight ones and walls are in large pieces, [`Method::Jps`].
/// 4. For larger windows: [`Method::Jps`] where jumps are
///    [prepared](crate::Grid::prepare_jumps), exact; [`Method::Portal`] where there are
///    [portals](crate::IndexedMap::build_portals), a few percent longer than need be;
///    [`Method::Mosaic`] where there is a [mosaic](crate::IndexedMap::build_mosaic), exact;
///    [`Method::Jps`] without preparation.
/// 5. [`Method::AStar`], which serves everything.
///
/// A heuristic that is not [admissible](crate::rules::Heuristic::is_admissible) asks for the
/// classic search, and gets [`Method::AStar`] after step 1.
///
/// [`Limits::expansions`](crate::Limits::expansions) bounds the expansions of all methods but the
/// sweep and the straight line, which their windows bound.
///
/// # Goals out of reach
///
/// With [`Fallback::NearestReachable`] the planner looks for another goal if the goal of the query
/// is in a wall or, by the regions, cut off. The path then leads there, and the status is
/// [`Status::Partial`]. Without up-to-date regions it uses [`Fallback::ClosestReached`]: the path
/// leads to the reached cell closest to the goal, by [`Method::Sweep`] or [`Method::AStar`] if the
/// goal is in a wall or outside the window.
///
/// # Slices
///
/// All work is cut into slices, except the choice itself and the search for a substitute of a goal
/// out of reach, at most 631 units of [work](Counters::work).
///
/// # Memory
///
/// That of its methods. Methods that were never used take none.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    line: StraightLine,
    astar: BoundedAStar,
    sweep: Sweep,
    jps: JumpPointSearch,
    portal: PortalSearch,
    mosaic: MosaicSearch,
    trunk: TrunkSearch,
    dijkstra: Dijkstra,
    /// The cells walked so far along the line of the paused search.
    way: Path,
    under_way: PendingSearch<PlannerCheckpoint>,
    /// The method that was asked for.
    asked: Method,
}

/// Windows up to this radius are near: the largest windows of the sweep.
const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl Planner {
    /// The answer of [`search`](Search::search) that needs no search on any map: an invalid end,
    /// start = goal, or a goal outside the window.
    ///
    /// `None` if a search is needed, as for a goal that may be
    /// [replaced](Fallback::NearestReachable) or [approached](Fallback::ClosestReached). O(1).
    #[inline]
    pub fn answer_at_once(grid: &Grid, query: &PathQuery) -> Option<Outcome> {
        if matches!(query.fallback, Fallback::NearestReachable { .. }) {
            return None;
        }
        let status = query.answer_unless_closest(grid)?;
        Some(Outcome::new(Method::Auto, status))
    }

    /// Answers a query by a method of the caller's choice, exactly as the method itself does.
    /// [`Method::Auto`] is [`Search::search`].
    pub fn ask<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        let (terrain, share) = (terrain.into(), WorkShare::All);
        match self.run_method(
            method,
            QueryShare {
                terrain,
                query,
                share,
            },
            path,
        ) {
            SliceResult::Done(outcome) => outcome,
            SliceResult::Paused(at) => Outcome::new(at.method, Status::BudgetSpent),
        }
    }

    /// Begins a query by a method of the caller's choice. With [`Method::Auto`] it is
    /// [`Sliced::begin`].
    pub fn begin_with<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
    ) {
        self.asked = method;
        self.under_way.begin(terrain.into().grid, query);
    }

    /// Runs a share of a method.
    fn run_method(
        &mut self,
        method: Method,
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let progress = match method {
            Method::Auto => return self.choose(ask, path),
            Method::Line => self.run_line(ask, path),
            Method::AStar => ask.run(&mut self.astar, path),
            Method::Sweep => ask.run(&mut self.sweep, path),
            Method::Jps => ask.run(&mut self.jps, path),
            Method::Portal => ask.run(&mut self.portal, path),
            Method::Mosaic => ask.run(&mut self.mosaic, path),
            Method::Trunk => ask.run(&mut self.trunk, path),
            Method::Dijkstra => ask.run(&mut self.dijkstra, path),
        };
        match progress {
            Progress::Done(outcome) => SliceResult::Done(outcome),
            _ => SliceResult::Paused(PlannerCheckpoint::of(method)),
        }
    }

    /// Runs the straight line as the method of the caller's choice.
    fn run_line(&mut self, ask: QueryShare<'_>, path: &mut Path) -> Progress {
        if !matches!(ask.share, WorkShare::Next(_)) {
            path.clear();
            self.way.clear();
            if let Some(outcome) = answer_at_once::<StraightLine>(ask.terrain, ask.query) {
                return Progress::Done(outcome);
            }
        }
        self.go_straight(ask, path)
    }

    /// Walks along the line for a share of the work.
    fn go_straight(&mut self, ask: QueryShare<'_>, path: &mut Path) -> Progress {
        let work = match ask.share {
            WorkShare::All => {
                return Progress::Done(self.line.search_valid(ask.terrain, ask.query, path));
            }
            WorkShare::First(work) | WorkShare::Next(work) => work,
        };
        let steps = work.max(1).saturating_mul(Counters::CELLS_PER_SCAN);
        let end = StraightLine::walk_on(ask.terrain, ask.query, steps, &mut self.way);
        if end == LineEnd::Slice {
            return Progress::Suspended;
        }
        let straight = StraightLine::answer(end, &mut self.way);
        std::mem::swap(&mut self.way, path);
        Progress::Done(straight)
    }

    /// Begins the answer to the goal of the query, or to a substitute.
    fn choose(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        let QueryShare { terrain, query, .. } = ask;
        let Fallback::NearestReachable { rings } = query.fallback else {
            return self.find(ask, path);
        };
        let mut begun = PlannerCheckpoint::of(Method::Auto);
        if let Some(regions) = regions_apart(terrain, query) {
            begun.substitute = nearest_reachable(terrain, regions, query, rings);
            let rings = match begun.substitute {
                Some(cell) => cell.chebyshev(query.goal),
                None => rings.min(RINGS_MAX).into(),
            };
            let side = 2 * u32::from(rings) + 1;
            begun.scanned = side * side / Counters::CELLS_PER_SCAN;
        }
        let query = &begun.query(query);
        let ask = QueryShare {
            query,
            ..ask.less(begun.scanned)
        };
        begun.and_then(self.find(ask, path))
    }

    /// Begins the answer by the first method that can serve the query.
    fn find(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        let QueryShare { terrain, query, .. } = ask;
        path.clear();
        let known = query.answer_at_once(terrain.grid);
        if let Some(status) = known.filter(|&status| !query.wants_closest_to(status)) {
            return QueryShare::at_once(status);
        }
        let is_admissible = query.heuristic.is_admissible(query.rules.metric);
        // Regions do not tell how near a path comes, and reading them misses the cache.
        if known.is_some() && is_admissible {
            // No path inside the window ends at this goal.
            let near: &[Method] = if query.limits.radius <= NEAR {
                &[Method::Sweep]
            } else {
                &[]
            };
            return self.try_methods(near, ask, path);
        }
        let cut_off = regions_apart(terrain, query).is_some();
        if cut_off && query.fallback == Fallback::None {
            return QueryShare::at_once(Status::Unreachable);
        }
        if !is_admissible {
            return self.run_method(Method::AStar, ask, path);
        }
        if cut_off {
            return self.try_methods(order(terrain, query), ask, path);
        }
        self.way.clear();
        self.walk_line(ask, path)
    }

    /// Walks along the line from start to goal, and begins a search around an obstacle.
    fn walk_line(
        &mut self,
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let mut begun = PlannerCheckpoint::of(Method::Line);
        let before = StraightLine::scanned(&self.way);
        let Progress::Done(straight) = self.go_straight(ask, path) else {
            return SliceResult::Paused(begun);
        };
        if straight.status == Status::Found {
            return SliceResult::Done(straight);
        }
        begun.scanned = straight.counters.scanned;
        let ask = ask.less(begun.scanned - before);
        begun.and_then(self.try_methods(order(ask.terrain, ask.query), ask, path))
    }

    /// Begins the answer by the first of some methods that can serve the query, otherwise by A*.
    fn try_methods(
        &mut self,
        methods: &[Method],
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let QueryShare {
            terrain,
            query,
            share,
        } = ask;
        for &method in methods {
            let ran = match (method, share) {
                (Method::Sweep, WorkShare::All) => {
                    SliceResult::Done(self.sweep.search_if_served(terrain, query, path))
                }
                (Method::Jps, WorkShare::All) => {
                    SliceResult::Done(self.jps.search_if_served(terrain, query, path))
                }
                _ => self.run_method(method, ask, path),
            };
            match ran {
                SliceResult::Done(outcome) if matches!(outcome.status, Status::Unsupported(_)) => {}
                ran => return ran,
            }
        }
        self.run_method(Method::AStar, ask, path)
    }
}

/// Whether there are many corners of walls around the start. Each is a jump point or two. Reads
/// eight pairs of rows.
fn walls_are_scattered(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    /// Corners between two rows of 64 cells. A guess: near this number, the sweep and jump points
    /// take about as long.
    const MANY: u32 = 14;
    let (start, radius) = (query.start, query.limits.radius);
    let Some(board) = terrain.grid.board(Footprint::ONE) else {
        return false;
    };
    let first = start.y.saturating_sub(radius);
    let last = (start.y + radius).min(terrain.grid.height() - 1);
    let mut pairs = 0;
    let mut corners = 0;
    for y in (first..last).step_by(usize::from((radius / 4).max(1))) {
        let words = board.words_from(i32::from(start.x) - 32, y, start.floor, 2);
        let ends = words.map(|word| word ^ word << 1);
        corners += ends.fold(0, |one, other| one ^ other).count_ones();
        pairs += 1;
    }
    corners > MANY * pairs
}

/// The regions, if they serve the query and show that no path leads from its start to its goal.
fn regions_apart<'t>(terrain: Terrain<'t>, query: &PathQuery) -> Option<&'t Regions> {
    let regions = terrain.indexes?.regions.as_ref()?;
    let is_apart =
        regions.serve(terrain.grid, query.rules) && !regions.same(query.start, query.goal);
    is_apart.then_some(regions)
}

/// The methods to try before A*.
fn order(terrain: Terrain<'_>, query: &PathQuery) -> &'static [Method] {
    let rules = query.rules;
    if query.limits.radius <= NEAR {
        let even = matches!(rules.metric, Metric::Unit | Metric::FourWay);
        if even || walls_are_scattered(terrain, query) {
            &[Method::Sweep, Method::Jps]
        } else {
            &[Method::Jps, Method::Sweep]
        }
    } else if terrain.grid.jumps(rules.footprint, rules.corners).is_some() {
        &[Method::Jps, Method::Portal, Method::Mosaic]
    } else {
        &[Method::Portal, Method::Mosaic, Method::Jps]
    }
}

search_method!(
    Planner,
    Auto,
    Support::ALL,
    |planner, terrain, query, path| planner.ask(Method::Auto, terrain, query, path)
);

impl Resumable for Planner {
    pending_search!(PlannerCheckpoint);

    fn work_at(&self, checkpoint: &PlannerCheckpoint) -> u32 {
        let by_method = match checkpoint.method {
            Method::Line => StraightLine::scanned(&self.way),
            Method::Sweep => self.sweep.work(),
            Method::Jps => self.jps.work(),
            Method::Portal => self.portal.work(),
            Method::Mosaic => self.mosaic.work(),
            Method::Trunk => self.trunk.work(),
            Method::Dijkstra => self.dijkstra.work(),
            Method::Auto | Method::AStar => self.astar.work(),
        };
        checkpoint.scanned.saturating_add(by_method)
    }

    fn prepare(&mut self, _: Terrain<'_>, _: &PathQuery) {
        self.asked = Method::Auto;
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<PlannerCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let Some(at) = checkpoint else {
            let share = WorkShare::First(slice);
            return self.run_method(
                self.asked,
                QueryShare {
                    terrain,
                    query,
                    share,
                },
                path,
            );
        };
        let (query, share) = (&at.query(query), WorkShare::Next(slice));
        let ask = QueryShare {
            terrain,
            query,
            share,
        };
        at.and_then(match at.method {
            Method::Line if self.asked == Method::Auto => self.walk_line(ask, path),
            method => self.run_method(method, ask, path),
        })
    }
}
