//! Which body stands on which cell.

mod closed;
mod footing;
mod holders;
mod map;
mod moves;
mod rows;
mod stand;
mod store;

pub(crate) use closed::Closed;
pub(crate) use footing::Footing;
pub(crate) use map::{MapOccupancy, strip_of, strips};
pub(crate) use rows::{Entrant, OccupancyRows};
pub(crate) use stand::Stand;
pub use store::Occupancy;
