//! The points ahead of a chaser, whatever it follows, for any system that asks.

mod params;
mod point;
mod settings;
mod straightened;
mod walk;

pub use params::PointsAhead;
pub use point::{Ahead, PointAhead};
pub use settings::{AheadForm, AheadSettings};
pub use straightened::StraightenedAhead;
