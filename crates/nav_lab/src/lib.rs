//! What maintainers measure: the pieces of the `nav_lab` program.
//!
//! - [`cli`] is the command line; `nav_lab --help` lists what it can do.
//! - [`pursuit`] measures how well chasers stay beside targets that move.
//! - [`scaling`] runs a scenario in many sizes and plots the time of a tick.
//! - [`scen`] answers scenario files of the `MovingAI` benchmarks and judges the answers.
//! - [`LabError`] is every way in which the program can fail, one line each.
//!
//! Benches of whole ticks are here as well: `cargo bench -p nav_lab`.

pub mod cli;
mod error;
pub mod pursuit;
pub mod scaling;
pub mod scen;

pub use error::LabError;
