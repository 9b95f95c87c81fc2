//! Facts about a query before any search: answers at once, the greatest work, and whether a method
//! serves it.

use super::auto::{NEAR, Planner};
use crate::{
    map::Grid,
    methods::{
        BoundedAStar, Dijkstra, JumpPointSearch, MosaicSearch, PortalSearch, StraightLine, Sweep,
        TrunkSearch,
    },
    query::{Fallback, Fault, Method, Outcome, PathQuery, QueryEnd, Search, Status, Support},
    rules::Metric,
};

impl Planner {
    /// The answer of [`search`](Search::search) that needs no search on any map: an invalid end,
    /// start = goal, or a goal outside the window.
    ///
    /// `None` if a search is needed, as for a goal that may be [approached](Fallback), and for a
    /// start in a wall. O(1).
    #[doc(hidden)]
    #[inline]
    pub fn answer_at_once(grid: &Grid, query: &PathQuery) -> Option<Outcome> {
        let status = query.answer_unless_closest(grid.for_rules(query.rules))?;
        let in_wall = status == Status::Invalid(QueryEnd::Start, Fault::Blocked);
        (!in_wall).then(|| Outcome::new(Method::Auto, status))
    }

    /// An upper bound of the [work](crate::query::Counters::work) of [`search`](Search::search);
    /// the highest number where it is not known: for windows of more than radius 28, and where the
    /// goal may be [replaced](Fallback::NearestReachable).
    #[doc(hidden)]
    pub fn work_max(grid: &Grid, query: &PathQuery) -> u32 {
        if query.limits.radius > NEAR || query.fallback == Fallback::NearestReachable {
            return u32::MAX;
        }
        let side = 2 * u32::from(query.limits.radius) + 1;
        // A wave from either end, or an expansion of each cell.
        let even = matches!(query.rules.metric, Metric::Unit | Metric::FourWay);
        let waves = if even { 1 } else { 2 };
        let floors = match grid.links() {
            [] => 1,
            _ => grid.floors().into(),
        };
        side * side * waves.max(floors)
    }

    /// The features that a method serves by itself; of [`Method::Auto`] those of the planner.
    pub const fn support(method: Method) -> Support {
        match method {
            Method::Auto => Self::SUPPORT,
            Method::Line => StraightLine::SUPPORT,
            Method::AStar => BoundedAStar::SUPPORT,
            Method::Sweep => Sweep::SUPPORT,
            Method::Jps => JumpPointSearch::SUPPORT,
            Method::Portal => PortalSearch::SUPPORT,
            Method::Mosaic => MosaicSearch::SUPPORT,
            Method::Trunk => TrunkSearch::SUPPORT,
            Method::Dijkstra => Dijkstra::SUPPORT,
        }
    }
}
