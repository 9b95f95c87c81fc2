//! Paths: the waypoints still to visit, and the few points at which they turn.
//!
//! - [`Path`]: the cells still to visit. [`BrokenPathError`]: a step that the map forbids.
//! - [`TurningPoints`], [`TurningPoint`]: the same path in short, for sending to clients; [`turns`]: the
//!   same one by one.
//!
//! [`smoothing`](crate::smoothing) pulls paths tight.

mod path_step;
mod turning_point;
mod turning_points;
mod turns;
mod waypoints;

pub use turning_point::TurningPoint;
pub use turning_points::{TurningPoints, TurningPointsError};
pub use turns::{Turns, takes_link, turns};
pub use waypoints::{BrokenPathError, Path};

pub(crate) use path_step::{PathStep, WalkCost};
