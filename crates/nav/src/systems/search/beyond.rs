//! Ways out of the window of a chaser, for targets that need one.

use crate::NavMap;
use nav_grid::{
    Cell, Method, Path, PathQuery, Search, methods::PortalSearch, query::Fallback,
    rules::BodyPolicy,
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

/// The query of a chaser that [may leave](may_leave_window) its window, over the whole map. `None`
/// if the portals that it needs are not built, or the regions show that no way leads to the goal.
pub(crate) fn beyond_window(map: &NavMap, query: &PathQuery) -> Option<PathQuery> {
    let (grid, indexed, rules) = (map.grid(), map.indexed(), query.rules);
    let serves = || PortalSearch::SUPPORT.lacks(indexed.into(), query).is_none();
    let is_ready = grid.for_rules(rules).fits(query.goal, rules.footprint)
        && indexed.ready_portals(rules).is_some()
        && serves();
    let regions = indexed.ready_regions(rules).filter(|_| is_ready);
    let is_apart = regions.is_some_and(|regions| !regions.same(query.start, query.goal));
    let mut beyond = *query;
    beyond.limits.radius = u16::MAX;
    // A way that only leads nearer is up to the window, which looks at each cell.
    beyond.fallback = Fallback::None;
    (is_ready && !is_apart).then_some(beyond)
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
