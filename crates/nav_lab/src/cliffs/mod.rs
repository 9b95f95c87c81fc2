//! Cliffs: actions of a game, and whether they make ticks much longer.
//!
//! - [`Cliff`] is one such thing, and [`CLIFFS`] lists all of them.
//! - [`Crowd`] is the undisturbed run that a cliff is compared with.
//! - [`Setting`] is what all runs share: chasers, seconds, seed and threads.
//! - [`measure`] runs a crowd, disturbed or not, and returns a [`Run`].
//! - [`CliffTable`] has a row for each run.
//!
//! Only ticks are timed. What the game itself writes between ticks is not. Except for times, the
//! table of a seed is the same on every machine, for any number of threads.

mod disturb;
mod list;
mod measure;
mod stage;
mod table;

pub use list::{CLIFFS, Cliff, UnknownCliff};
pub use measure::{Crowd, LongestTick, Run, Setting, measure};
pub use table::{CliffRow, CliffTable, OVER};
