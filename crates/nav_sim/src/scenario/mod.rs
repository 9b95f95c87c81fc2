//! Scenarios: the parameters of a run, read from RON files and checked.

mod bundled;
mod check;
mod definition;
mod drawn;
mod error;
mod fields;
pub mod limits;
mod load;
mod map;
mod mistake;
mod place;

pub use bundled::BUNDLED;
pub use definition::{Bodies, ChaserTuning, Scenario, Spawn, TargetTuning, all_threads};
pub use drawn::DrawnLink;
pub(crate) use drawn::draw;
pub use error::{FieldError, OptionsError, ScenarioError, within};
pub use map::MapSource;
pub use mistake::Mistake;
pub(crate) use mistake::any_of;
