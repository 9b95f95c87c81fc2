//! Prepares the map for the search method of a scenario.

use super::error::SimError;
use crate::Scenario;
use nav::NavMap;
use nav_formats::MapFile;
use nav_grid::{Cell, Footprint, Method, Rules};

/// Creates the map of a file, prepared for the method of a scenario. For [`Method::Auto`] it
/// prepares itself.
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
    Ok(map)
}

/// Builds the index that a method needs.
fn build(map: &mut NavMap, method: Method, rules: Rules, roads: Option<Vec<Cell>>) {
    match method {
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
