//! Chase scenarios on grid maps, headless: the pieces of the `chase` program.
//!
//! - [`cli`] is the command line; `chase --help` lists what it can do. Other programs of the workspace share its
//!   exit codes, its options and its errors of one line.
//! - [`Scenario`] says what a run consists of; it is read from a RON file, and every field has
//!   a default.
//! - [`maps`] reads and writes map files and holds the bundled map.
//! - [`Roads`] says where the main roads of a map run.
//! - [`sim`] runs a scenario and reports how far it is to a [`Progress`].
//! - [`report`]: a [`Recorder`] collects what happens during a run into a [`Report`], which is
//!   printed as JSON or as a summary for people.
//! - [`replay`] replays traces of runs, and of games.
//! - [`check`] examines a map: size, regions, links that cannot be walked.
//! - `serve`, behind the feature of this name, serves a running scenario to clients.
//! - [`picture`] draws maps, paths and scenes, as text, PNG or GIF.
//! - [`percentile`] has means and percentiles of what was measured.
//! - [`Error`] is every way in which the program can fail, one line each.
//!
//! Only [`clock`] reads a wall clock; everything else depends on the scenario alone.

pub mod check;
pub mod cli;
pub mod clock;
mod error;
mod file_error;
pub mod maps;
pub mod memory;
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
