//! Ways out: of the window of a chaser, for targets that need one, and of a wall that was built on
//! a chaser.

use crate::{NavMap, systems::storage::columns::ChaserView};
use nav_grid::{
    Cell, Method, Outcome, Path, PathQuery, Planner, Status, Terrain,
    query::{Counters, Fallback, Fault, QueryEnd, Stopped},
    rules::{BodyPolicy, Cost},
};

/// How many times the radius is searched if only regions say that there is a way: past most rooms
/// and walls, and in two milliseconds at most.
const WIDER: u16 = 8;

/// Returns the query of a chaser whose window may not hold the way, if the map is prepared for a
/// search beyond it.
///
/// With portals, that covers the whole map. With regions only, it covers a larger window that holds
/// the goal, provided that both ends are in one region.
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
    let mut beyond = *query;
    let area = u32::from(WIDER).pow(2);
    beyond.limits.expansions = limits.expansions.saturating_mul(area);
    let portals = map.portals();
    if !grid.has_costs() && portals.is_some_and(|portals| portals.serves(grid, query.rules)) {
        beyond.limits.radius = u16::MAX;
        // A way that only leads nearer is up to the window, which looks at each cell.
        beyond.fallback = Fallback::None;
        return is_connected.unwrap_or(true).then_some(beyond);
    }
    beyond.limits.radius = limits.radius.saturating_mul(WIDER);
    let is_inside = query.start.chebyshev(query.goal) <= beyond.limits.radius;
    (is_connected? && is_inside).then_some(beyond)
}

/// Whether the next search of a chaser looks beyond its window: after a search in the window found
/// nothing, and while the followed path leaves the window.
pub(crate) fn is_beyond_due(chaser: &ChaserView) -> bool {
    let (from, radius) = (chaser.cell(), chaser.chaser.limits.radius);
    let mut path = chaser.cursor.path().iter();
    chaser.search_timer.looks_beyond() || path.any(|cell| cell.chebyshev(from) > radius)
}

/// Whether a window holds the whole map.
fn holds(radius: u16, start: Cell, map: &NavMap) -> bool {
    let far = |at: u16, length: u16| at.max(length.saturating_sub(1).saturating_sub(at));
    let (width, height) = (map.grid().width(), map.grid().height());
    far(start.x, width) <= radius && far(start.y, height) <= radius
}

/// Answers the query of a chaser that a wall was built on. Returns any other outcome unchanged.
///
/// The path starts at the free neighbour nearest to the goal from which a path leads there, or else
/// from which one leads nearer, or else it just leads out. All exits share the expansions of one
/// search, which the method must keep.
pub(super) fn out_of_wall(
    outcome: Outcome,
    (planner, method): (&mut Planner, Method),
    terrain: Terrain<'_>,
    query: &PathQuery,
    path: &mut Path,
) -> Outcome {
    if outcome.status != Status::Invalid(QueryEnd::Start, Fault::Blocked) {
        return outcome;
    }
    let (grid, start, rules) = (terrain.grid(), query.start, query.rules);
    let exit = |way| Some((start.step(way)?, grid.step_cost(start, way, rules)?));
    let mut exits: Vec<(Cell, Cost)> = grid
        .steps(start, rules)
        .into_iter()
        .filter_map(exit)
        .collect();
    // Stable: among equals the first one clockwise.
    exits.sort_by_key(|(exit, _)| exit.manhattan(query.goal));
    let mut counters = Counters::default();
    let mut best: Option<(Outcome, Path)> = None;
    for (exit, step) in exits {
        let mut from_exit = *query;
        from_exit.start = exit;
        let left = query.limits.expansions.saturating_sub(counters.work());
        from_exit.limits.expansions = left;
        let found = planner.ask(method, terrain, &from_exit, path);
        counters.add(&found.counters);
        path.prepend(exit);
        let found = found.with_cost(found.cost + step);
        if found.status == Status::Found {
            return found.with_counters(counters);
        }
        // A way nearer to the goal replaces a way that only leads out.
        let is_better = |kept: &Path| kept.len() == 1 && path.len() > 1;
        if best.as_ref().is_none_or(|(_, kept)| is_better(kept)) {
            let status = Status::Partial(match found.status {
                Status::Partial(stopped) => stopped,
                Status::BudgetSpent => Stopped::BudgetSpent,
                _ => Stopped::Unreachable,
            });
            best = Some((found.with_status(status), std::mem::take(path)));
        }
    }
    let Some((found, kept)) = best else {
        return outcome;
    };
    *path = kept;
    found.with_counters(counters)
}
