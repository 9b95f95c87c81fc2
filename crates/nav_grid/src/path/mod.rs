//! Paths: the waypoints still to visit, and the few points at which they turn.
//!
//! - [`Path`]: the cells still to visit. [`BrokenPathError`]: a step that the map forbids.
//! - [`TurningPoints`], [`TurningPoint`]: the same path in short, for sending to clients.
//!
//! [`smoothing`](crate::smoothing) pulls paths tight.

mod path_step;
mod turning_points;
mod waypoints;

pub use turning_points::{TurningPoint, TurningPoints, TurningPointsError};
pub use waypoints::{BrokenPathError, Path};

pub(crate) use path_step::{PathStep, WalkCost};
