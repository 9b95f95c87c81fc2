//! The upcoming path of a chaser, for systems of a game.

mod path;
mod walk;

pub use path::{PathPoint, UpcomingPath};
