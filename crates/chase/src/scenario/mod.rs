//! Scenarios: what a run consists of, read from RON files and checked.

mod bundled;
mod check;
mod definition;
mod error;
mod field;
pub mod limits;
mod load;
mod map;

pub use bundled::BUNDLED;
pub use definition::{Bodies, ChaserTuning, Scenario, Spawn, TargetTuning};
pub use error::ScenarioError;
pub use field::FieldError;
pub(crate) use field::within;
pub use map::MapSource;
