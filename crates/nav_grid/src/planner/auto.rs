//! The planner: chooses the method for every query and owns the scratch memory of all.

use super::{
    checkpoint::{PlannerCheckpoint, QueryShare, WorkShare},
    ground::{leads_far_among_scattered_walls, starts_among_scattered_walls},
    nearest_reachable::look_for_reachable,
};
use crate::{
    index::Regions,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, LineEnd, MosaicSearch, PortalSearch, StraightLine,
        Sweep, TrunkSearch, pending_search, search_method,
    },
    path::Path,
    query::{
        Counters, Fallback, Fault, Method, Outcome, PathQuery, PendingSearch, Progress, QueryEnd,
        Resumable, Search, SliceResult, Sliced, Status, Support, Terrain, answer_at_once,
    },
    rules::Metric,
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
///    [prepared](crate::Grid::prepare_jumps), exact. On long ways among scattered walls, where
///    jumps are short, and without prepared jumps, [`Method::Portal`] where there are
///    [portals](crate::IndexedMap::build_portals): up to 2 % longer than need be by mean, 11 % at
///    most on the benchmarks. Otherwise [`Method::Jps`].
/// 5. [`Method::AStar`], which serves everything.
///
/// A heuristic that is not [admissible](crate::rules::Heuristic::is_admissible) asks for the
/// classic search, and gets [`Method::AStar`] after step 1.
///
/// # Limits
///
/// Only the window and the limit on cost bound the choice, not
/// [`Limits::expansions`](crate::Limits::expansions): every way inside the window is found,
/// whatever the ground is. The window has the same columns and rows on all floors that links may
/// lead to. On ground that only A* serves, with step costs, exits or links, that takes up to an
/// expansion for each cell of the window, 50 to 100 ns: 0.1 to 0.2 ms for the window of a chaser, 2
/// s for 5000×5000 cells. Searches in larger windows belong into slices.
///
/// A method that is asked for by name keeps the limit on expansions.
///
/// # Goals out of reach
///
/// If the path may [end short of the goal](Fallback) and the method that answers cannot find such
/// an end, [`Method::Sweep`] or [`Method::AStar`] does, with the expansions that are left. So it
/// does for methods that are asked for by name, but for [`Method::Line`].
///
/// With [`Fallback::NearestReachable`] and up-to-date regions which show that no way leads to the
/// goal, the query is for the [substitute](super::nearest_reachable) instead. The path leads
/// there, or as near to it as the window allows, and the status is [`Status::Partial`].
///
/// A start in a wall is left by [`Method::AStar`], whatever method is asked for.
///
/// # Slices
///
/// All work is cut into slices, except the choice itself and the look for a substitute of a goal
/// out of reach, a scan for each [tile](crate::map::Tile) and row that it reads.
///
/// # Memory
///
/// That of its methods. Methods that were never used take none.
#[derive(Clone, Debug, Default)]
pub struct Planner {
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
pub(super) const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl Planner {
    /// Answers a query by a method of the caller's choice. [`Method::Auto`] is [`Search::search`].
    /// Other methods answer as by themselves, but for goals out of reach and starts in a wall: see
    /// [`Planner`].
    pub fn ask<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        self.asked = method;
        let terrain = terrain.into().for_rules(query.rules);
        let (query, share) = (&self.limited(query), WorkShare::All);
        let ask = QueryShare {
            terrain,
            query,
            share,
        };
        match self.start(ask, path) {
            SliceResult::Done(outcome) => outcome,
            SliceResult::Paused(at) => Outcome::new(at.method, Status::BudgetSpent),
        }
    }

    /// Begins a query by a method of the caller's choice. With [`Method::Auto`] it is
    /// [`Sliced::begin`].
    #[doc(hidden)]
    pub fn begin_with<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
    ) {
        self.asked = method;
        self.under_way.begin(terrain.into().grid, query);
    }

    /// The query with the limits that count for the method that was asked for.
    fn limited(&self, query: &PathQuery) -> PathQuery {
        let mut query = *query;
        if self.asked == Method::Auto {
            query.limits.expansions = u32::MAX;
        }
        query
    }

    /// Runs a share of a method. If it misses a goal that may be approached, begins a search that
    /// comes as near as possible.
    fn run_method(
        &mut self,
        method: Method,
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let before = match ask.share {
            WorkShare::Next(_) => self.work_of(method),
            _ => 0,
        };
        let progress = match method {
            Method::Line => self.run_line(ask, path),
            Method::Auto | Method::AStar => ask.run(&mut self.astar, path),
            Method::Sweep => ask.run(&mut self.sweep, path),
            Method::Jps => ask.run(&mut self.jps, path),
            Method::Portal => ask.run(&mut self.portal, path),
            Method::Mosaic => ask.run(&mut self.mosaic, path),
            Method::Trunk => ask.run(&mut self.trunk, path),
            Method::Dijkstra => ask.run(&mut self.dijkstra, path),
        };
        match progress {
            Progress::Done(outcome) => self.approach_if_missed(outcome, before, ask, path),
            _ => SliceResult::Paused(PlannerCheckpoint::of(method)),
        }
    }

    /// Passes an answer on, unless it is short of what its method cannot do: to leave a wall, or to
    /// find the end of a path that falls short. `before` is the work in earlier slices.
    fn approach_if_missed(
        &mut self,
        outcome: Outcome,
        before: u32,
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        let (method, fallback) = (outcome.method, ask.query.fallback);
        let missed = match outcome.status {
            Status::Invalid(QueryEnd::Start, Fault::Blocked) => method != Method::AStar,
            _ if fallback == Fallback::None => false,
            Status::Unreachable | Status::BudgetSpent => match method {
                Method::Line | Method::Sweep | Method::AStar => false,
                Method::Jps | Method::Portal => fallback != Fallback::ClosestReached,
                _ => true,
            },
            Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked) => {
                method != Method::Line
            }
            _ => false,
        };
        if !missed {
            return SliceResult::Done(outcome);
        }
        let begun = PlannerCheckpoint {
            before: outcome.counters,
            ..PlannerCheckpoint::of(method)
        };
        let ask = QueryShare {
            query: &begun.query(ask.query),
            ..ask.less(outcome.counters.work().saturating_sub(before))
        };
        begun.and_then(self.approach(ask, path))
    }

    /// Begins a search that comes as near as possible to a goal that no path ends at.
    fn approach(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        let is_near = self.asked == Method::Auto && ask.query.limits.radius <= NEAR;
        let near: &[Method] = if is_near { &[Method::Sweep] } else { &[] };
        self.try_methods(near, ask, path)
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
            WorkShare::All => u32::MAX,
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
    fn start(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        if ask.query.fallback != Fallback::NearestReachable || self.asked == Method::Line {
            return self.start_at(ask, path);
        }
        let QueryShare { terrain, query, .. } = ask;
        let mut begun = PlannerCheckpoint::of(self.asked);
        if let Some(regions) = regions_apart(terrain, query) {
            let (substitute, scanned) = look_for_reachable(terrain, regions, query);
            begun.substitute = substitute;
            begun.before.scanned = scanned;
        }
        let query = &begun.query(query);
        let ask = QueryShare {
            query,
            ..ask.less(begun.before.scanned)
        };
        begun.and_then(self.start_at(ask, path))
    }

    /// The work of a paused search by a method.
    fn work_of(&self, method: Method) -> u32 {
        match method {
            Method::Line => StraightLine::scanned(&self.way),
            Method::Sweep => self.sweep.work(),
            Method::Jps => self.jps.work(),
            Method::Portal => self.portal.work(),
            Method::Mosaic => self.mosaic.work(),
            Method::Trunk => self.trunk.work(),
            Method::Dijkstra => self.dijkstra.work(),
            Method::Auto | Method::AStar => self.astar.work(),
        }
    }

    /// Begins the answer by the method that was asked for.
    fn start_at(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        match self.asked {
            Method::Auto => self.choose(ask, path),
            method => self.run_method(method, ask, path),
        }
    }

    /// Begins the answer by the first method that can serve the query.
    fn choose(&mut self, ask: QueryShare<'_>, path: &mut Path) -> SliceResult<PlannerCheckpoint> {
        let QueryShare { terrain, query, .. } = ask;
        path.clear();
        let known = query.answer_at_once(terrain.grid);
        if let Some(status) = known.filter(|&status| !query.wants_closest_to(status)) {
            return match status {
                Status::Invalid(QueryEnd::Start, Fault::Blocked) => {
                    self.run_method(Method::AStar, ask, path)
                }
                _ => QueryShare::at_once(status),
            };
        }
        let is_admissible = query.heuristic.is_admissible(query.rules.metric);
        // Regions do not tell how near a path comes, and reading them misses the cache.
        if known.is_some() && is_admissible {
            // No path inside the window ends at this goal.
            return self.approach(ask, path);
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
        begun.before.scanned = straight.counters.scanned;
        let ask = ask.less(begun.before.scanned - before);
        begun.and_then(self.try_methods(order(ask.terrain, ask.query), ask, path))
    }

    /// Begins the answer by the first of some methods that can serve the query, otherwise by A*.
    fn try_methods(
        &mut self,
        methods: &[Method],
        ask: QueryShare<'_>,
        path: &mut Path,
    ) -> SliceResult<PlannerCheckpoint> {
        for &method in methods {
            match self.run_method(method, ask, path) {
                SliceResult::Done(outcome) if matches!(outcome.status, Status::Unsupported(_)) => {}
                ran => return ran,
            }
        }
        self.run_method(Method::AStar, ask, path)
    }
}

/// The regions, if they serve the query and show that no path leads from its start to its goal.
fn regions_apart<'t>(terrain: Terrain<'t>, query: &PathQuery) -> Option<&'t Regions> {
    let regions = terrain.regions(query.rules)?;
    (!regions.same(query.start, query.goal)).then_some(regions)
}

/// The methods to try before A*.
fn order(terrain: Terrain<'_>, query: &PathQuery) -> &'static [Method] {
    let rules = query.rules;
    if query.limits.radius <= NEAR {
        let even = matches!(rules.metric, Metric::Unit | Metric::FourWay);
        if even || starts_among_scattered_walls(terrain, query) {
            &[Method::Sweep, Method::Jps]
        } else {
            &[Method::Jps, Method::Sweep]
        }
    } else if terrain.grid.jumps(rules.footprint, rules.corners).is_none()
        || leads_far_among_scattered_walls(terrain, query)
    {
        &[Method::Portal, Method::Jps]
    } else {
        &[Method::Jps, Method::Portal]
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
        let before = checkpoint.before.work();
        before.saturating_add(self.work_of(checkpoint.method))
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
        let query = &self.limited(query);
        let Some(at) = checkpoint else {
            let share = WorkShare::First(slice);
            let ask = QueryShare {
                terrain,
                query,
                share,
            };
            return self.start(ask, path);
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
