//! Chase scenarios on grid maps, headless: the parts of the `chase` program.
//!
//! - [`cli`] is the command line; `chase --help` lists its commands. Other programs of the
//!   workspace share its exit codes, options and one-line errors.
//! - [`Scenario`] describes a run. It is read from a RON file, and every field has a default.
//! - [`maps`] reads and writes map files, and contains the bundled map.
//! - [`Roads`] tells where the main roads of a map run.
//! - [`sim`] runs a scenario, and reports to a [`Progress`].
//! - [`report`]: a [`Recorder`] collects the events of a run into a [`Report`], which prints as
//!   JSON or as a summary.
//! - [`replay`] replays traces of runs and of games.
//! - [`compare`] compares the search methods on a path, and [`methods`] prepares maps for them.
//! - [`check`] examines a map: size, regions, links that cannot be walked.
//! - `serve`, behind the feature of this name, serves a running scenario to clients.
//! - [`picture`] draws maps, paths and scenes as text, PNG or GIF.
//! - [`percentile`] computes means and percentiles of measurements.
//! - [`Error`] is the error of the program, with a message of one line.
//!
//! Only [`clock`] reads a wall clock. Everything else depends on the scenario alone.

pub mod check;
pub mod cli;
pub mod clock;
pub mod compare;
mod error;
mod file_error;
pub mod maps;
pub mod memory;
pub mod methods;
pub mod percentile;
pub mod picture;
pub mod progress;
pub mod replay;
pub mod report;
mod roads;
pub mod scenario;
#[cfg(feature = "serve")]
pub mod serve;
pub mod sim;

pub use error::Error;
pub use file_error::FileError;
pub use progress::{Progress, Silent};
pub use report::{Recorder, Report};
pub use roads::Roads;
pub use scenario::Scenario;
