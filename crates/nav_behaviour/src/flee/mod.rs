//! Flight: agents run from a danger, down a field of how safe cells are that all of them share.
//!
//! The field is that of roguelikes: distances from the danger, turned over by a factor and flooded
//! again. So a way past a dead end counts for more than the end itself.
//!
//! # References
//!
//! "The Incredible Power of Dijkstra Maps", Rogue Basin, 2009: the factor, and the second flood.

mod components;
mod fields;
mod pages;
mod run;
mod safety;

pub use components::{Cornered, Flee, FleeEnd, FleeEnded, FleeFrom, FleeUntil};
pub use run::FleePlugin;
