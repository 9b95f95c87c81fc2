//! The points ahead of a chaser, for systems of a game.

mod points;
mod walk;

pub use points::{Ahead, AheadForm, AheadSettings, PointAhead, PointsAhead};
