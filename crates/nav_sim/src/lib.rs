//! Chase scenarios on grid maps, headless: what the programs run, measure and draw.
//!
//! - [`Scenario`] describes a run. It is read from a RON file, and every field has a default.
//! - [`maps`] reads map files, and contains the bundled map. [`Roads`] tells where the main roads
//!   of a map run.
//! - [`sim`] runs a scenario, and reports to a [`Progress`].
//! - [`report`]: a [`Recorder`] collects the events of a run into a [`Report`], which prints as
//!   JSON or as a summary.
//! - [`methods`] prepares maps for the search methods.
//! - [`picture`] draws maps, paths and scenes as text, PNG or GIF.
//! - [`percentile`] computes means and percentiles of measurements, and [`memory`] that of the
//!   process.
//!
//! Only [`clock`] reads a wall clock. Everything else depends on the scenario alone.

pub mod clock;
pub mod maps;
pub mod memory;
pub mod methods;
pub mod percentile;
pub mod picture;
pub mod progress;
pub mod report;
mod roads;
pub mod scenario;
pub mod sim;

pub use maps::MapError;
pub use progress::{Progress, Silent};
pub use report::{Recorder, Report};
pub use roads::Roads;
pub use scenario::Scenario;
