//! Searches along marked highways.

mod along;
mod flood;
mod route;
mod search;
mod segment;
mod task;

pub use along::{RoadLineError, road_cells_along};
pub use search::TrunkSearch;
