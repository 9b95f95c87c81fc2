//! Searches along marked highways.

mod along;
mod flood;
mod route;
mod search;
mod segment;
mod task;

pub use along::RoadError;
pub use search::TrunkSearch;
