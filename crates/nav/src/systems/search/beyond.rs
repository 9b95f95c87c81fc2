//! Searches beyond the window of a chaser, for targets that need a way out of it.

use crate::{NavMap, systems::storage::chaser::ChaserView};
use nav_grid::{Cell, Limits, Method, PathQuery, query::Fallback, rules::BodyPolicy};

/// How many times as large a window is searched where only regions say that there is a way: past
/// most rooms and walls, and in two milliseconds at most.
const WIDER: u16 = 8;

/// The query of a chaser whose window may not hold the way, if the map is prepared for a look beyond:
/// over all of it by portals, or in a larger window that holds the goal if both ends are in one region.
pub(crate) fn beyond_window(method: Method, map: &NavMap, query: &PathQuery) -> Option<PathQuery> {
    let (grid, limits) = (map.grid(), query.limits);
    let may_leave = method == Method::Auto
        && query.fallback != Fallback::None
        && query.rules.bodies == BodyPolicy::Ignore
        && query.heuristic.is_admissible(query.rules.metric)
        && grid.fits(query.goal, query.rules.footprint)
        && !holds(limits.radius, query.start, map);
    if !may_leave {
        return None;
    }
    let regions = map.regions();
    let regions = regions.filter(|regions| regions.serve(grid, query.rules));
    let is_connected = regions.map(|regions| regions.same(query.start, query.goal));
    let area = u32::from(WIDER).pow(2);
    let limits = Limits {
        expansions: limits.expansions.saturating_mul(area),
        ..limits
    };
    let portals = map.portals();
    if !grid.has_costs() && portals.is_some_and(|portals| portals.serves(grid, query.rules)) {
        let limits = Limits {
            radius: u16::MAX,
            ..limits
        };
        // What leads nearer is for the window to say, cell by cell.
        let query = query.with_limits(limits).with_fallback(Fallback::None);
        return is_connected.unwrap_or(true).then_some(query);
    }
    let limits = Limits {
        radius: limits.radius.saturating_mul(WIDER),
        ..limits
    };
    let is_inside = query.start.chebyshev(query.goal) <= limits.radius;
    (is_connected? && is_inside).then(|| query.with_limits(limits))
}

/// Whether it is time to look beyond: after a look around gave nothing, and while what is followed leaves
/// the window.
pub(crate) fn is_beyond_due(chaser: &ChaserView) -> bool {
    let (from, radius) = (chaser.cell(), chaser.chaser.limits.radius);
    let mut path = chaser.cursor.path().iter();
    chaser.search_timer.looks_beyond() || path.any(|cell| cell.chebyshev(from) > radius)
}

/// Whether a window holds the whole map.
fn holds(radius: u16, start: Cell, map: &NavMap) -> bool {
    let (width, height) = (map.grid().width(), map.grid().height());
    let far = [
        start.x,
        width.saturating_sub(1).saturating_sub(start.x),
        start.y,
        height.saturating_sub(1).saturating_sub(start.y),
    ];
    far.into_iter().all(|far| far <= radius)
}
