//! Which body stands on which cell.

mod holders;
mod map;
mod rows;
mod store;

pub(crate) use map::{MapOccupancy, strip_of, strips};
pub use rows::Gate;
pub(crate) use rows::{Entries, Entry, OccupancyRows};
pub(crate) use store::{Footing, Stand};
pub use store::{GateAsk, Occupancy};
