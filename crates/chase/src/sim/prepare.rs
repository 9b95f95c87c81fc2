//! Prepares the map for the search method of a scenario.

use crate::Scenario;
use nav::NavMap;
use nav_grid::{Method, Rules, Search, methods::Sweep};

/// Prepares what the scenario's method needs; for a choice of methods by chasers that see far also
/// the portals, by which those of a target share its field from afar. Map files do not say where
/// main roads run, so on maps with step costs the best ground counts as road, and other maps have
/// none.
pub(super) fn prepare(map: &mut NavMap, scenario: &Scenario) {
    let rules = scenario.chaser.rules();
    build(map, scenario.method, rules);
    let sees_far = scenario.chaser.radius > Sweep::SUPPORT.radius_max;
    if scenario.method == Method::Auto && sees_far && !map.grid().has_costs() {
        map.build_portals(rules);
    }
}

/// Builds what a method needs, or is faster with.
fn build(map: &mut NavMap, method: Method, rules: Rules) {
    map.prepare_footprint(rules.footprint);
    match method {
        Method::Auto => map.build_regions(rules),
        Method::Jps => map.build_jumps(rules.footprint, rules.corners),
        Method::Portal => map.build_portals(rules),
        Method::Mosaic => map.build_mosaic(rules.footprint),
        Method::Trunk if map.grid().has_costs() => {
            let grid = map.grid();
            let best: Vec<_> = grid
                .walkable_cells()
                .filter(|&cell| grid.cost(cell) == 1)
                .collect();
            map.insert_roads(rules, best)
                .expect("cells of the map are on it");
        }
        _ => {}
    }
}
