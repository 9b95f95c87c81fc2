//! Making the map ready for the method of the searches.

use crate::Scenario;
use nav::NavMap;
use nav_grid::{Method, Search, index::TrunkRoads, methods::Sweep};

/// Prepares what the scenario's method needs; for a choice of methods by chasers that see far also
/// the portals, by which those of a target share its field from afar. Map files do not say where
/// main roads run, so on maps with step costs the best ground counts as road, and other maps have
/// none.
pub(super) fn prepare(map: &mut NavMap, scenario: &Scenario) {
    let rules = scenario.chaser.rules();
    map.prepare(scenario.method, rules);
    let sees_far = scenario.chaser.radius > Sweep::SUPPORT.radius_max;
    if scenario.method == Method::Auto && sees_far && !map.grid().has_costs() {
        map.prepare(Method::Portal, rules);
    }
    if scenario.method == Method::Trunk && map.grid().has_costs() {
        let grid = map.grid();
        let best = grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1);
        let roads = TrunkRoads::new(grid, rules, best);
        map.charts_mut().trunk = Some(roads);
    }
}
