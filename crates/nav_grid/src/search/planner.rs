//! The right method for every query.

use super::{
    BoundedAStar, Counters, Dijkstra, Fallback, JumpPoint, Method, Outcome, Query, Search, Status,
    Stopped, StraightLine, Support, Sweep, nearest_reachable,
};
use crate::{MosaicSearch, Path, PortalPath, Terrain, TrunkSearch};

/// All methods, with what each keeps, and a choice among them.
///
/// # How it chooses
///
/// The first of these that can serve the query and the map:
///
/// 1. *No* at once if [`Charts::regions`](crate::Charts::regions) are up to date and say that
///    start and goal do not hang together.
/// 2. [`Method::Line`], if nothing is in the straight way.
/// 3. Near goals, in windows of radius up to 28: [`Method::Sweep`], which finds every goal that
///    can be reached in the window and keeps followers on lines of their own; where steps cost
///    √2, [`Method::Jps`].
/// 4. Far goals: [`Method::Jps`] where jumps are
///    [prepared](crate::Grid::prepare_jumps), exact; [`Method::Portal`] where there are
///    [portals](crate::Charts::portals), a few percent longer than need be; exact again
///    [`Method::Mosaic`] where there is a [mosaic](crate::Charts::mosaic), and [`Method::Jps`]
///    without preparation.
/// 5. [`Method::AStar`], which serves everything.
///
/// A heuristic that is not [admissible](crate::Heuristic::is_admissible) is taken as a wish for
/// the classic search, and gets [`Method::AStar`] after step 1.
///
/// [`Limits::expansions`](super::Limits::expansions) bounds the searches that expand cells one by one; a sweep is bounded
/// by its window.
///
/// # What it answers in place of a goal out of reach
///
/// [`Fallback::NearestReachable`] makes it look for another goal if that of the query is in a
/// wall or, by the regions, cut off; the path then leads there, and the status is
/// [`Status::Partial`]. Without regions that are up to date it falls back to
/// [`Fallback::ClosestReached`].
///
/// # Memory
///
/// What its methods keep: nothing for those never asked.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    line: StraightLine,
    astar: BoundedAStar,
    sweep: Sweep,
    jps: JumpPoint,
    portal: PortalPath,
    mosaic: MosaicSearch,
    trunk: TrunkSearch,
    dijkstra: Dijkstra,
}

/// Windows up to this radius are near: those of the sweep.
const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl Planner {
    /// All methods without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a query by a method of the caller's choice, exactly as the method itself does;
    /// [`Method::Auto`] is [`Search::search`].
    pub fn ask<'a>(
        &mut self,
        method: Method,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        match method {
            Method::Auto => self.choose(terrain, query, path),
            Method::Line => self.line.search(terrain, query, path),
            Method::AStar => self.astar.search(terrain, query, path),
            Method::Sweep => self.sweep.search(terrain, query, path),
            Method::Jps => self.jps.search(terrain, query, path),
            Method::Portal => self.portal.search(terrain, query, path),
            Method::Mosaic => self.mosaic.search(terrain, query, path),
            Method::Trunk => self.trunk.search(terrain, query, path),
            Method::Dijkstra => self.dijkstra.search(terrain, query, path),
        }
    }

    fn choose(&mut self, terrain: Terrain<'_>, query: &Query, path: &mut Path) -> Outcome {
        let Fallback::NearestReachable { rings } = query.fallback else {
            return self.find(terrain, query, path);
        };
        let closest = query.with_fallback(Fallback::ClosestReached);
        let regions = terrain.charts.and_then(|charts| charts.regions.as_ref());
        let goal = regions.and_then(|regions| {
            let serves = regions.serve(terrain.grid, query.rules);
            let reachable = regions.same(query.start, query.goal);
            (serves && !reachable).then(|| nearest_reachable(terrain, regions, query, rings))?
        });
        let Some(goal) = goal else {
            return self.find(terrain, &closest, path);
        };
        let mut outcome = self.find(terrain, &Query { goal, ..closest }, path);
        outcome.status = match outcome.status {
            Status::Found => Status::Partial(Stopped::Unreachable),
            Status::AlreadyThere => Status::Unreachable,
            other => other,
        };
        outcome
    }

    /// The answer of the first method that can give one.
    fn find(&mut self, terrain: Terrain<'_>, query: &Query, path: &mut Path) -> Outcome {
        let grid = terrain.grid;
        path.clear();
        let at_once = |status| Outcome::without_path(Method::Auto, status, Counters::default());
        if let Some(status) = query.answer_at_once(grid) {
            return at_once(status);
        }
        let regions = terrain.charts.and_then(|charts| charts.regions.as_ref());
        let cut_off = regions.is_some_and(|regions| {
            regions.serve(grid, query.rules) && !regions.same(query.start, query.goal)
        });
        if cut_off && query.fallback == Fallback::None {
            return at_once(Status::Unreachable);
        }
        if !query.heuristic.is_admissible(query.rules.metric) {
            return self.astar.search(terrain, query, path);
        }
        if !cut_off {
            let straight = self.line.search(terrain, query, path);
            if straight.status == Status::Found {
                return straight;
            }
        }
        for method in order(terrain, query) {
            let outcome = self.ask(*method, terrain, query, path);
            if !matches!(outcome.status, Status::Unsupported(_)) {
                return outcome;
            }
        }
        self.astar.search(terrain, query, path)
    }
}

/// The methods to try before A*.
fn order(terrain: Terrain<'_>, query: &Query) -> &'static [Method] {
    let jumps = terrain
        .grid
        .jumps(query.rules.footprint, query.rules.corners);
    if query.limits.radius <= NEAR {
        &[Method::Sweep, Method::Jps]
    } else if jumps.is_some() {
        &[Method::Jps, Method::Portal, Method::Mosaic]
    } else {
        &[Method::Portal, Method::Mosaic, Method::Jps]
    }
}

impl Search for Planner {
    const METHOD: Method = Method::Auto;
    const SUPPORT: Support = Support::ALL;

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        self.choose(terrain.into(), query, path)
    }
}
