//! Apps, chasers, cells and maps for scenes of several topics.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{Chaser, NavMap, NavPlugin, OnMap};
pub use nav_drawn::app_with_behaviours;
use nav_grid::{Cell, Footprint, Grid, Limits, Method, Rules};
use nav_testing::Scene;

/// Makes an app with the plugin, which knows the components of behaviours but runs none of their
/// systems.
pub fn app_with_components() -> App {
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    nav_behaviour::register_components(&mut app);
    app
}

/// Makes a chaser that looks beyond its window.
pub fn far_sighted() -> Chaser {
    Chaser {
        limits: Limits::UNBOUNDED,
        ..Chaser::default()
    }
}

/// Returns the walkable cell of a number, anywhere on a map: neighbouring numbers are far apart.
pub fn place(ground: &[Cell], number: usize) -> Cell {
    ground[number * 7919 % ground.len()]
}

/// Returns `count` places anywhere on a map where a footprint fits.
pub fn places(grid: &Grid, count: usize, footprint: Footprint) -> Vec<Cell> {
    let cells = grid.walkable_cells();
    let cells: Vec<Cell> = cells.filter(|&cell| grid.fits(cell, footprint)).collect();
    (0..count).map(|number| place(&cells, number)).collect()
}

/// Moves an agent to a neighbouring cell of its map, if a step leads to one. `choose` picks a step
/// by its index, given the number of steps.
///
/// # Panics
///
/// When `choose` returns an index that is too large.
pub fn step(scene: &mut Scene, agent: Entity, choose: impl FnOnce(usize) -> usize) {
    let from = scene.cell(agent);
    let map = scene.get::<OnMap>(agent).0;
    let ways = scene
        .get::<NavMap>(map)
        .grid()
        .steps(from, Rules::default());
    let cells: Vec<Cell> = ways.into_iter().filter_map(|way| from.step(way)).collect();
    if !cells.is_empty() {
        scene.put(agent, cells[choose(cells.len())]);
    }
}

/// Builds the index that a method needs of a map; all ground is road.
///
/// # Panics
///
/// Never: roads are cells of the map.
pub fn prepare(map: &mut NavMap, method: Method, rules: Rules) {
    match method {
        Method::Jps => map.build_jumps(rules),
        Method::Portal => map.build_portals(rules),
        Method::Mosaic => map.build_mosaic(rules),
        Method::Trunk => {
            let ground: Vec<Cell> = map.grid().walkable_cells().collect();
            map.insert_roads(rules, ground).expect("cells of the map");
        }
        _ => {}
    }
}
