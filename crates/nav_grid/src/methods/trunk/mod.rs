//! Searches along marked highways.

mod road_flood;
mod road_route;
mod trunk_search;
mod trunk_task;

pub use trunk_search::{RoadLineError, TrunkSearch, road_cells_along};
