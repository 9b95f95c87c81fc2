//! The parts that all peers of this benchmark share: the map, the walks of the targets, the starts
//! of the chasers, and the meter.
//!
//! No Bevy here: the peers could use different versions of it. Everything is made from seeds with
//! whole numbers, so that all peers see the same course.

mod clock;
mod grid;
mod memory;
mod meter;
mod pace;
mod random;
mod run;
mod scene;
mod throttle;
mod walks;

pub use clock::Deadline;
pub use grid::{Cell, Map};
pub use pace::Pace;
pub use run::{Peer, run};
pub use scene::{Chaser, Course, MOVE_TICKS, Scene, TICK, TICKS};
pub use throttle::Throttle;

/// An error that ends a run, as a sentence.
pub type Failure = Box<dyn std::error::Error>;
