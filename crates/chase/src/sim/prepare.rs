//! Prepares the map for the search method of a scenario.

use super::error::SimError;
use crate::Scenario;
use nav::NavMap;
use nav_formats::MapFile;
use nav_grid::{Cell, Footprint, Method, Rules, Search, methods::Sweep};

/// Creates the map of a file, prepared for the method of a scenario. For [`Method::Auto`] and
/// chasers with a wide window this includes portals, which give the chasers of a target a shared
/// far field.
///
/// # Errors
///
/// [`SimError::Heights`].
pub fn prepare(file: MapFile, scenario: &Scenario) -> Result<NavMap, SimError> {
    let rules = scenario.chaser.rules();
    let roads = (scenario.method == Method::Trunk)
        .then(|| scenario.roads.cells(&file))
        .flatten();
    let mut frame = file.frame.unwrap_or_default();
    if let Some(heights) = &scenario.heights {
        let lifted = frame.with_heights(heights.clone());
        frame = lifted.map_err(SimError::Heights)?;
    }
    let mut map = NavMap::with_frame(file.grid, frame);
    for &side in &scenario.sizes {
        map.prepare_footprint(Footprint::new(side).unwrap_or_default());
    }
    build(&mut map, scenario.method, rules, roads);
    let sees_far = scenario.chaser.radius > Sweep::SUPPORT.radius_max;
    if scenario.method == Method::Auto && sees_far && !map.grid().has_costs() {
        map.build_portals(rules);
    }
    Ok(map)
}

/// Builds the indexes that a method needs or is faster with.
fn build(map: &mut NavMap, method: Method, rules: Rules, roads: Option<Vec<Cell>>) {
    match method {
        Method::Auto => map.build_regions(rules),
        Method::Jps => map.build_jumps(rules.footprint, rules.corners),
        Method::Portal => map.build_portals(rules),
        Method::Mosaic => map.build_mosaic(rules.footprint),
        Method::Trunk => {
            if let Some(roads) = roads {
                map.insert_roads(rules, roads)
                    .expect("cells of the map are on it");
            }
        }
        _ => {}
    }
}
