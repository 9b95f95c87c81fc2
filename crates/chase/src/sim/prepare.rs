//! Making the map ready for the method of the searches.

use crate::Scenario;
use nav::NavMap;
use nav_grid::{Method, TrunkRoads};

/// Prepares what the scenario's method needs. Map files do not say where main roads run, so on
/// maps with step costs the best ground counts as road, and other maps have none.
pub(super) fn prepare(map: &mut NavMap, scenario: &Scenario) {
    let rules = scenario.chaser.rules();
    map.prepare(scenario.method, rules);
    if scenario.method == Method::Trunk && map.grid().has_costs() {
        let grid = map.grid();
        let best = grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1);
        let roads = TrunkRoads::new(grid, rules, best);
        map.charts_mut().trunk = Some(roads);
    }
}
