//! The planner: chooses the method for every query and owns the scratch memory of all.

use super::{
    ground::{leads_far_among_scattered_walls, starts_among_scattered_walls},
    nearest_reachable::look_for_reachable,
    plan::{Plan, Share},
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
    under_way: PendingSearch<Plan>,
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
        match self.start(terrain, &self.limited(query), Share::All, path) {
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

    /// Plans the answer to a query, and does a first share of the work.
    fn start(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        mut share: Share,
        path: &mut Path,
    ) -> SliceResult<Plan> {
        path.clear();
        let mut plan = Plan::of(self.asked);
        if query.fallback == Fallback::NearestReachable
            && self.asked != Method::Line
            && let Some(regions) = regions_apart(terrain, query)
        {
            (plan.substitute, plan.before.scanned) = look_for_reachable(terrain, regions, query);
            share = share.less(plan.before.scanned);
        }
        if self.asked == Method::Auto {
            match choose(terrain, &plan.query(query)) {
                Ok(methods) => plan = plan.first_of(methods),
                Err(known) => {
                    return SliceResult::Done(plan.end(Outcome::new(Method::Auto, known)));
                }
            }
        }
        self.follow(plan, terrain, query, share, path)
    }

    /// Follows a plan for a share of the work: runs its method, and where that does not answer, the
    /// next one.
    fn follow(
        &mut self,
        mut plan: Plan,
        terrain: Terrain<'_>,
        whole: &PathQuery,
        mut share: Share,
        path: &mut Path,
    ) -> SliceResult<Plan> {
        loop {
            let query = &plan.query(whole);
            let done = match share {
                Share::Next(_) => self.work_of(plan.method),
                _ => 0,
            };
            let Progress::Done(outcome) = self.run_method(plan.method, terrain, query, share, path)
            else {
                return SliceResult::Paused(plan);
            };
            let next = self.after(&outcome, &plan, terrain, query);
            if next.is_empty() {
                return SliceResult::Done(plan.end(outcome));
            }
            plan.before.add(&outcome.counters);
            plan = plan.first_of(next);
            share = share.less(outcome.counters.work().saturating_sub(done));
        }
    }

    /// The methods to go on with after an answer; none if it is the answer to the query.
    fn after(
        &self,
        outcome: &Outcome,
        plan: &Plan,
        terrain: Terrain<'_>,
        query: &PathQuery,
    ) -> &'static [Method] {
        if matches!(outcome.status, Status::Unsupported(_)) {
            plan.others
        } else if self.asked == Method::Auto && plan.method == Method::Line {
            match outcome.status {
                Status::Found => &[],
                _ => order(terrain, query),
            }
        } else if !Plan::is_missed(outcome, query.fallback) {
            &[]
        } else if self.asked == Method::Auto {
            nearest_by(query)
        } else {
            &[Method::AStar]
        }
    }

    /// Runs a share of a method.
    fn run_method(
        &mut self,
        method: Method,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: Share,
        path: &mut Path,
    ) -> Progress {
        match method {
            Method::Line => self.run_line(terrain, query, share, path),
            Method::Auto | Method::AStar => share.run(&mut self.astar, terrain, query, path),
            Method::Sweep => share.run(&mut self.sweep, terrain, query, path),
            Method::Jps => share.run(&mut self.jps, terrain, query, path),
            Method::Portal => share.run(&mut self.portal, terrain, query, path),
            Method::Mosaic => share.run(&mut self.mosaic, terrain, query, path),
            Method::Trunk => share.run(&mut self.trunk, terrain, query, path),
            Method::Dijkstra => share.run(&mut self.dijkstra, terrain, query, path),
        }
    }

    /// Walks along the line for a share of the work. Asked for by name, it answers at once where it
    /// does not serve the query; before a choice it only has to end.
    fn run_line(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        share: Share,
        path: &mut Path,
    ) -> Progress {
        let work = match share {
            Share::Next(work) => work,
            first => {
                path.clear();
                self.way.clear();
                if self.asked == Method::Line
                    && let Some(outcome) = answer_at_once::<StraightLine>(terrain, query)
                {
                    return Progress::Done(outcome);
                }
                match first {
                    Share::First(work) => work,
                    _ => u32::MAX,
                }
            }
        };
        let steps = work.max(1).saturating_mul(Counters::CELLS_PER_SCAN);
        let end = StraightLine::walk_on(terrain, query, steps, &mut self.way);
        if end == LineEnd::Slice {
            return Progress::Suspended;
        }
        let straight = StraightLine::answer(end, &mut self.way);
        std::mem::swap(&mut self.way, path);
        Progress::Done(straight)
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
}

/// Chooses the methods to begin with, or answers without a search.
fn choose(terrain: Terrain<'_>, query: &PathQuery) -> Result<&'static [Method], Status> {
    let known = query.answer_at_once(terrain.grid);
    if let Some(status) = known.filter(|&status| !query.wants_closest_to(status)) {
        return match status {
            Status::Invalid(QueryEnd::Start, Fault::Blocked) => Ok(&[Method::AStar]),
            _ => Err(status),
        };
    }
    let is_admissible = query.heuristic.is_admissible(query.rules.metric);
    // Regions do not tell how near a path comes, and reading them misses the cache.
    if known.is_some() && is_admissible {
        // No path inside the window ends at this goal.
        return Ok(nearest_by(query));
    }
    let cut_off = regions_apart(terrain, query).is_some();
    if cut_off && query.fallback == Fallback::None {
        Err(Status::Unreachable)
    } else if !is_admissible {
        Ok(&[Method::AStar])
    } else if cut_off {
        Ok(order(terrain, query))
    } else {
        Ok(&[Method::Line])
    }
}

/// The methods that come as near as possible to a goal that no path ends at.
const fn nearest_by(query: &PathQuery) -> &'static [Method] {
    if query.limits.radius <= NEAR {
        &[Method::Sweep, Method::AStar]
    } else {
        &[Method::AStar]
    }
}

/// The regions, if they serve the query and show that no path leads from its start to its goal.
fn regions_apart<'t>(terrain: Terrain<'t>, query: &PathQuery) -> Option<&'t Regions> {
    let regions = terrain.regions(query.rules)?;
    (!regions.same(query.start, query.goal)).then_some(regions)
}

/// The methods to try, the best first.
fn order(terrain: Terrain<'_>, query: &PathQuery) -> &'static [Method] {
    let rules = query.rules;
    if query.limits.radius <= NEAR {
        let even = matches!(rules.metric, Metric::Unit | Metric::FourWay);
        if even || starts_among_scattered_walls(terrain, query) {
            &[Method::Sweep, Method::Jps, Method::AStar]
        } else {
            &[Method::Jps, Method::Sweep, Method::AStar]
        }
    } else if terrain.grid.jumps(rules.footprint, rules.corners).is_none()
        || leads_far_among_scattered_walls(terrain, query)
    {
        &[Method::Portal, Method::Jps, Method::AStar]
    } else {
        &[Method::Jps, Method::Portal, Method::AStar]
    }
}

search_method!(
    Planner,
    Auto,
    Support::ALL,
    |planner, terrain, query, path| planner.ask(Method::Auto, terrain, query, path)
);

impl Resumable for Planner {
    pending_search!(Plan);

    fn work_at(&self, plan: &Plan) -> u32 {
        let before = plan.before.work();
        before.saturating_add(self.work_of(plan.method))
    }

    fn prepare(&mut self, _: Terrain<'_>, _: &PathQuery) {
        self.asked = Method::Auto;
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        plan: Option<Plan>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<Plan> {
        let query = &self.limited(query);
        match plan {
            None => self.start(terrain, query, Share::First(slice), path),
            Some(plan) => self.follow(plan, terrain, query, Share::Next(slice), path),
        }
    }
}
