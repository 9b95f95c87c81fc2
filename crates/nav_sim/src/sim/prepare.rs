//! Prepares the map for the search method of a scenario.

use super::error::SimError;
use crate::{Scenario, methods};
use nav::NavMap;
use nav_formats::MapFile;
use nav_grid::{Footprint, Method, index::BuiltIndexes};

/// Creates the map of a file, prepared for the method of a scenario. For [`Method::Auto`] it
/// prepares itself.
///
/// # Errors
///
/// [`SimError::Heights`].
///
/// # Panics
///
/// A main road is not on the map.
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
        let footprint = Footprint::new(side).unwrap_or_default();
        map.prepare_footprint(rules.with_footprint(footprint));
    }
    if scenario.method != Method::Auto {
        let needs = methods::needs(scenario.method, rules, &roads.unwrap_or_default());
        let is_news = needs != BuiltIndexes::default();
        map.build_as(&needs, is_news)
            .expect("main roads are on their map");
    }
    Ok(map)
}
