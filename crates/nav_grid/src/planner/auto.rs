//! The planner: chooses the method for every query and owns the scratch memory of all.

use super::{
    checkpoint::{PlannerCheckpoint, WorkShare},
    nearest_reachable::{RINGS_MAX, nearest_reachable},
};
use crate::{
    index::Regions,
    map::Grid,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, LineEnd, MosaicSearch, PortalSearch, StraightLine,
        Sweep, TrunkSearch,
    },
    path::Path,
    query::{
        Counters, Fallback, Method, Outcome, PathQuery, PendingSearch, Progress, Resumable, Search,
        SearchValid, SliceResult, Sliced, Status, Support, Terrain, answer_at_once,
    },
    rules::{Footprint, Metric},
};

/// All methods, with what each keeps, and a choice among them.
///
/// # How it chooses
///
/// The first of these that can serve the query and the map:
///
/// 1. *No* at once if [regions](crate::IndexedMap::build_regions) are up to date and say that
///    start and goal are not connected.
/// 2. [`Method::Line`], if nothing is in the straight way.
/// 3. Near goals, in windows of radius up to 28: [`Method::Sweep`], which finds every goal that
///    can be reached in the window and keeps followers on lines of their own; where diagonal
///    steps cost more than straight ones and walls are in large pieces, [`Method::Jps`].
/// 4. Far goals: [`Method::Jps`] where jumps are [prepared](crate::Grid::prepare_jumps), exact;
///    [`Method::Portal`] where there are [portals](crate::IndexedMap::build_portals), a few percent
///    longer than need be; exact again [`Method::Mosaic`] where there is a
///    [mosaic](crate::IndexedMap::build_mosaic), and [`Method::Jps`] without preparation.
/// 5. [`Method::AStar`], which serves everything.
///
/// A heuristic that is not [admissible](crate::rules::Heuristic::is_admissible) is taken as a wish
/// for the classic search, and gets [`Method::AStar`] after step 1.
///
/// [`Limits::expansions`](crate::Limits::expansions) bounds what is expanded, but in a sweep, which
/// is bounded by its window as the straight way is.
///
/// # What it answers in place of a goal out of reach
///
/// [`Fallback::NearestReachable`] makes it look for another goal if that of the query is in a
/// wall or, by the regions, cut off; the path then leads there, and the status is
/// [`Status::Partial`]. Without regions that are up to date it falls back to
/// [`Fallback::ClosestReached`]. That leads to the reached cell closest to the goal, by
/// [`Method::Sweep`] or [`Method::AStar`] where the goal is in a wall or outside the window.
///
/// # In slices
///
/// All of it is cut, but for the choice itself and the look for a substitute for a goal out of
/// reach, 600 units of [work](Counters::work) at most.
///
/// # Memory
///
/// What its methods keep: nothing for those never asked.
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
    /// The cells walked along the line of what is under way.
    way: Path,
    under_way: PendingSearch<PlannerCheckpoint>,
    /// By which method to answer what is under way.
    asked: Method,
}

/// Windows up to this radius are near: those of the sweep.
const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl Planner {
    /// All methods without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What [`search`](Search::search) answers without a search, whatever was prepared of the map:
    /// an end that makes no sense, start = goal, or a goal outside the window. `None` if it has to
    /// look, as for a goal that may be [replaced](Fallback::NearestReachable) or
    /// [come nearer to](Fallback::ClosestReached). O(1).
    #[inline]
    pub fn answer_at_once(grid: &Grid, query: &PathQuery) -> Option<Outcome> {
        if matches!(query.fallback, Fallback::NearestReachable { .. }) {
            return None;
        }
        let status = query.answer_unless_closest(grid)?;
        Some(Outcome::without_path(
            Method::Auto,
            status,
            Counters::default(),
        ))
    }

    /// Answers a query by a method of the caller's choice, exactly as the method itself does;
    /// [`Method::Auto`] is [`Search::search`].
    pub fn ask<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        match self.go(method, terrain.into(), query, WorkShare::All, path) {
            SliceResult::Done(outcome) => outcome,
            SliceResult::Paused(checkpoint) => {
                Outcome::without_path(checkpoint.method, Status::BudgetSpent, Counters::default())
            }
        }
    }

    /// Begins a query to be answered by a method of the caller's choice; with
    /// [`Method::Auto`] it is [`Sliced::begin`].
    pub fn begin_with<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
    ) {
        self.asked = method;
        self.under_way.begin(terrain.into().grid, query);
    }

    /// The work up to a checkpoint.
    fn work_of(&self, checkpoint: PlannerCheckpoint) -> u32 {
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

    /// Goes a share of the way to an answer.
    fn go(
        &mut self,
        method: Method,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        if method == Method::Auto {
            return self.choose(terrain, query, share, path);
        }
        match self.go_on(method, terrain, query, share, path) {
            Progress::Done(outcome) => SliceResult::Done(outcome),
            _ => SliceResult::Paused(PlannerCheckpoint::of(method)),
        }
    }

    /// A share of the work of a method that is not a choice.
    fn go_on(
        &mut self,
        method: Method,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> Progress {
        match method {
            Method::Line => match share {
                WorkShare::All => Progress::Done(self.line.search(terrain, query, path)),
                WorkShare::First(work) => {
                    self.way.clear();
                    match answer_at_once::<StraightLine>(terrain, query) {
                        Some(outcome) => Progress::Done(outcome),
                        None => self.go_straight(terrain, query, work, path),
                    }
                }
                WorkShare::Next(work) => self.go_straight(terrain, query, work, path),
            },
            Method::Sweep => share.of(&mut self.sweep, terrain, query, path),
            Method::Jps => share.of(&mut self.jps, terrain, query, path),
            Method::Portal => share.of(&mut self.portal, terrain, query, path),
            Method::Mosaic => share.of(&mut self.mosaic, terrain, query, path),
            Method::Trunk => share.of(&mut self.trunk, terrain, query, path),
            Method::Dijkstra => share.of(&mut self.dijkstra, terrain, query, path),
            Method::Auto | Method::AStar => share.of(&mut self.astar, terrain, query, path),
        }
    }

    /// Begins the answer of the first method that can give one, to this goal or a substitute.
    fn choose(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let Fallback::NearestReachable { rings } = query.fallback else {
            return self.find(terrain, query, share, path);
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
        let query = begun.query(query);
        let share = share.less(begun.scanned);
        begun.after(self.find(terrain, &query, share, path))
    }

    /// Begins the answer of the first method that can give one.
    fn find(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let grid = terrain.grid;
        path.clear();
        let known = query.answer_at_once(grid);
        if let Some(status) = known.filter(|&status| !query.wants_closest_to(status)) {
            let outcome = Outcome::without_path(Method::Auto, status, Counters::default());
            return SliceResult::Done(outcome);
        }
        let is_admissible = query.heuristic.is_admissible(query.rules.metric);
        // Regions have no say in how near a path comes, and are far apart in memory.
        if known.is_some() && is_admissible {
            return self.try_methods(to_the_closest(query), terrain, query, share, path);
        }
        let cut_off = regions_apart(terrain, query).is_some();
        if cut_off && query.fallback == Fallback::None {
            let no = Status::Unreachable;
            return SliceResult::Done(Outcome::without_path(Method::Auto, no, Counters::default()));
        }
        if !is_admissible {
            return self.go(Method::AStar, terrain, query, share, path);
        }
        if cut_off {
            return self.try_methods(order(terrain, query), terrain, query, share, path);
        }
        self.way.clear();
        self.walk_line(terrain, query, share, path)
    }

    /// Walks along the line from start to goal, and begins to go round what is in the way.
    fn walk_line(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let (straight, share) = match share {
            WorkShare::All => (self.line.search_valid(terrain, query, path), share),
            WorkShare::First(work) | WorkShare::Next(work) => {
                let before = StraightLine::scanned(&self.way);
                let Progress::Done(straight) = self.go_straight(terrain, query, work, path) else {
                    return SliceResult::Paused(PlannerCheckpoint::of(Method::Line));
                };
                let walked = straight.counters.scanned - before;
                (straight, WorkShare::First(work.saturating_sub(walked)))
            }
        };
        if straight.status == Status::Found {
            return SliceResult::Done(straight);
        }
        let begun = PlannerCheckpoint {
            scanned: straight.counters.scanned,
            ..PlannerCheckpoint::of(Method::Line)
        };
        let methods = order(terrain, query);
        begun.after(self.try_methods(methods, terrain, query, share, path))
    }

    /// Walks on along the line for so much work.
    fn go_straight(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        work: u32,
        path: &mut Path,
    ) -> Progress {
        let steps = work.max(1).saturating_mul(Counters::CELLS_PER_SCAN);
        let end = StraightLine::walk_on(terrain, query, steps, &mut self.way);
        if end == LineEnd::Slice {
            return Progress::Suspended;
        }
        let straight = StraightLine::answer(end, &mut self.way);
        std::mem::swap(&mut self.way, path);
        Progress::Done(straight)
    }

    /// Begins the answer of the first of some methods that can give one, or else of A*.
    fn try_methods(
        &mut self,
        methods: &[Method],
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: WorkShare,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        for method in methods {
            let ran = match (*method, share) {
                (Method::Sweep, WorkShare::All) => {
                    SliceResult::Done(self.sweep.search_if_served(terrain, query, path))
                }
                (Method::Jps, WorkShare::All) => {
                    SliceResult::Done(self.jps.search_if_served(terrain, query, path))
                }
                (method, share) => self.go(method, terrain, query, share, path),
            };
            let refused = matches!(
                ran,
                SliceResult::Done(Outcome {
                    status: Status::Unsupported(_),
                    ..
                })
            );
            if !refused {
                return ran;
            }
        }
        self.go(Method::AStar, terrain, query, share, path)
    }
}

/// Whether there are many corners around the start, where walls begin and end: each of them is
/// a jump point or two. A look at eight pairs of rows.
fn walls_are_scattered(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    /// Corners between two rows of 64 cells.
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

/// The regions, where they serve a query and say that no way leads from its start to its goal.
fn regions_apart<'t>(terrain: Terrain<'t>, query: &PathQuery) -> Option<&'t Regions> {
    let regions = terrain.indexes?.regions.as_ref()?;
    let is_apart =
        regions.serve(terrain.grid, query.rules) && !regions.same(query.start, query.goal);
    is_apart.then_some(regions)
}

/// The methods to try before A*.
fn order(terrain: Terrain<'_>, query: &PathQuery) -> &'static [Method] {
    let jumps = terrain
        .grid
        .jumps(query.rules.footprint, query.rules.corners);
    if query.limits.radius <= NEAR {
        let even = matches!(query.rules.metric, Metric::Unit | Metric::FourWay);
        if even || walls_are_scattered(terrain, query) {
            &[Method::Sweep, Method::Jps]
        } else {
            &[Method::Jps, Method::Sweep]
        }
    } else if jumps.is_some() {
        &[Method::Jps, Method::Portal, Method::Mosaic]
    } else {
        &[Method::Portal, Method::Mosaic, Method::Jps]
    }
}

/// The methods to try before A* for a goal that no path inside the window ends at.
fn to_the_closest(query: &PathQuery) -> &'static [Method] {
    if query.limits.radius <= NEAR {
        &[Method::Sweep]
    } else {
        &[]
    }
}

impl Search for Planner {
    const METHOD: Method = Method::Auto;
    const SUPPORT: Support = Support::ALL;

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.ask(Method::Auto, terrain, query, path)
    }
}

impl Resumable for Planner {
    type Checkpoint = PlannerCheckpoint;

    fn pending(&self) -> &PendingSearch<PlannerCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<PlannerCheckpoint> {
        &mut self.under_way
    }

    fn work_at(&self, checkpoint: &PlannerCheckpoint) -> u32 {
        self.work_of(*checkpoint)
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
        let Some(checkpoint) = checkpoint else {
            return self.go(self.asked, terrain, query, WorkShare::First(slice), path);
        };
        let query = checkpoint.query(query);
        let (method, share) = (checkpoint.method, WorkShare::Next(slice));
        checkpoint.after(match method {
            Method::Line if self.asked == Method::Auto => {
                self.walk_line(terrain, &query, share, path)
            }
            // The method knows the query, which need not be this one.
            _ => match self.go_on(method, terrain, &query, share, path) {
                Progress::Done(outcome) => SliceResult::Done(outcome),
                _ => SliceResult::Paused(PlannerCheckpoint::of(method)),
            },
        })
    }
}
