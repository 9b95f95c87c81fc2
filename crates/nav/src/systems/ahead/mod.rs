//! The points ahead of a chaser, whatever it follows, for any system that asks.

mod params;
mod point;
mod walk;

pub use params::PointsAhead;
pub use point::{Ahead, PointAhead};
