//! Marked main roads, and searches along them.

mod build;
mod flood;
mod leg;
mod roads;
mod route;
mod search;
mod task;

pub use roads::{RoadError, TrunkRoads};
pub use search::TrunkSearch;
