//! Measurements for maintainers: the parts of the `nav_lab` program.
//!
//! - [`cli`] is the command line; `nav_lab --help` lists its commands.
//! - [`cliffs`] measures whether actions of a game make ticks much longer.
//! - [`films`] makes the moving pictures of behaviours.
//! - [`pursuit`] measures how well chasers stay beside targets that move.
//! - [`scaling`] runs a scenario in many sizes and plots the time of a tick.
//! - [`scen`] answers scenario files of the `MovingAI` benchmarks and judges the answers.
//!
//! It also contains the benches of whole ticks: `cargo bench -p nav_lab`.

pub mod cli;
pub mod cliffs;
pub mod films;
pub mod pursuit;
pub mod scaling;
pub mod scen;
