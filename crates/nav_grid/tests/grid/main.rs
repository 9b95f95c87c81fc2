//! The promises of `nav_grid`, a module for each topic.

#[global_allocator]
static METER: heap_meter::Meter = heap_meter::Meter;

// Maps.
mod edits;
mod floor_heights;
mod frame;
mod memory;
mod text_maps;

// Searches, whatever the method.
mod closest;
mod conformance;
mod known_cases;
mod limits;
mod planner;
mod regions;
mod several_indexes;
mod slices;
mod substitute;
mod walls;
mod work;

// Methods.
mod astar;
mod jps;
mod mosaic;
mod nearest_goal;
mod portals;
mod sight_goal;
mod trunk;

// Fields around a target.
mod detour;
mod fields;
mod flow;
mod reach;

// Paths.
mod path_shapes;

// Shared helpers.
mod scenes;
mod worlds;
