//! Paths: the waypoints still to visit, and the few points where they turn.
//!
//! - [`Path`]: the cells still to visit. [`BrokenPathError`]: a step that the map forbids.
//! - [`TurningPoints`], [`TurningPoint`]: the same path in compact form, to send to clients;
//!   [`turns`]: the same points one by one.
//!
//! [`smoothing`](crate::smoothing) pulls paths tight.

mod path_step;
mod turning_points;
mod waypoints;

pub use turning_points::{
    TurningPoint, TurningPoints, TurningPointsError, Turns, takes_link, turns,
};
pub use waypoints::{BrokenPathError, Path};

pub(crate) use path_step::{PathStep, WalkCost};
