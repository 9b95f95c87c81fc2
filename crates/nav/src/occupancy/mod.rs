//! Which body stands on which cell.

mod map;
mod rows;
mod store;
mod who;

pub(crate) use map::{MapOccupancy, strip_of, strips};
pub use rows::Gate;
pub(crate) use rows::{Entries, Entry, OccupancyRows, STRIP};
pub use store::{BodyPlaces, GateAsk};
pub(crate) use store::{Footing, Stand};
pub use who::{Occupancy, PlayerSteps, StepRefusal};
