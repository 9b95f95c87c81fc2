//! Ways out of the window of a chaser, for targets that need one.

use crate::NavMap;
use nav_grid::{
    Cell, IndexedMap, Method, Path, PathQuery, Search,
    index::Regions,
    methods::PortalSearch,
    planner::nearest_reachable,
    query::Fallback,
    rules::{BodyPolicy, Heuristic},
};

/// Whether a chaser asks the index of its map where its window is not enough: by the default
/// method, and unless it is to stand where its window shows no way.
///
/// Not where the window holds the whole map.
pub(crate) fn may_leave_window(method: Method, map: &NavMap, query: &PathQuery) -> bool {
    method == Method::Auto
        && query.fallback != Fallback::None
        && query.rules.bodies == BodyPolicy::Ignore
        && query.heuristic.is_admissible(query.rules.metric)
        && !holds(query.limits.radius, query.start, map)
}

/// The query of a chaser that [may leave](may_leave_window) its window, over the whole map: to the
/// goal, or where the chaser may not enter that, to the nearest cell. `None` if the portals that it
/// needs are not built, or the regions show that no way leads there.
pub(crate) fn beyond_window(map: &NavMap, query: &PathQuery) -> Option<PathQuery> {
    let (indexed, rules) = (map.indexed(), query.rules);
    indexed.ready_portals(rules)?;
    if PortalSearch::SUPPORT.lacks(indexed.into(), query).is_some() {
        return None;
    }
    let regions = indexed.ready_regions(rules);
    let mut beyond = *query;
    beyond.limits.radius = u16::MAX;
    // A way that only leads nearer is up to the window, which looks at each cell.
    beyond.fallback = Fallback::None;
    if !map
        .grid()
        .for_rules(rules)
        .fits(query.goal, rules.footprint)
    {
        beyond.goal = nearest_ground(indexed, regions?, query)?;
    }
    let is_apart = regions.is_some_and(|regions| !regions.same(query.start, beyond.goal));
    (!is_apart).then_some(beyond)
}

/// The cell that a chaser gets to nearest to a goal that it may not enter, such as a swimmer's place.
/// `None` if it is not nearer than where the chaser is.
///
/// Nearer by the cost on open ground, as for a search that approaches in the window. Otherwise a
/// chaser would go back and forth between what is nearest to each of the two.
#[cold]
fn nearest_ground(map: &IndexedMap, regions: &Regions, query: &PathQuery) -> Option<Cell> {
    let nearest = nearest_reachable(map, regions, query)?;
    let left = |cell: Cell| {
        let (dx, dy) = (cell.x.abs_diff(query.goal.x), cell.y.abs_diff(query.goal.y));
        query.rules.metric.open_ground(dx, dy)
    };
    let is_nearer = left(nearest) < left(query.start);
    (is_nearer && query.heuristic == Heuristic::OpenGround).then_some(nearest)
}

/// Whether a path leaves the window of a query.
pub(crate) fn leaves_window(path: &Path, query: &PathQuery) -> bool {
    path.iter().any(|cell| is_outside(cell, query))
}

/// Whether a cell lies outside the window of a query.
pub(crate) fn is_outside(cell: Cell, query: &PathQuery) -> bool {
    cell.chebyshev(query.start) > query.limits.radius
}

/// Whether a window holds the whole map.
fn holds(radius: u16, start: Cell, map: &NavMap) -> bool {
    let far = |at: u16, length: u16| at.max(length.saturating_sub(1).saturating_sub(at));
    let (width, height) = (map.grid().width(), map.grid().height());
    far(start.x, width) <= radius && far(start.y, height) <= radius
}
