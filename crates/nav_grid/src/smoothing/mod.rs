//! Any-angle shapes of paths: line of sight, string pulling and look-ahead.
//!
//! - [`LineOfSight`]: the straight lines that a walker can go along, and their costs
//!   ([`ClearLine`]).
//! - [`Straightener`]: pulls paths tight along such lines.
//! - [`Path::look_ahead`](crate::Path::look_ahead), [`look_ahead()`]: the farthest
//!   [`VisibleWaypoint`].

mod line_of_sight;
mod look_ahead;
mod straighten;
mod supercover;

pub use line_of_sight::{ClearLine, LineOfSight};
pub use look_ahead::{VisibleWaypoint, look_ahead};
pub use straighten::Straightener;
