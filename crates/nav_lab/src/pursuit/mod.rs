//! Pursuit of targets that move: how long chasers are beside them, measured against imagined ones
//! that know at every step where the target is.
//!
//! - [`Course`] says how the target moves, by a [`FlightKind`], and on which ground.
//! - [`Pursuers`] says how many chase it, and whether they have bodies.
//! - [`Setting`] says how they find their way, and what lies on the ground.
//! - [`pursue`] measures one kind of pursuers on one course, in [`Shares`].
//! - [`PursuitTable`] has a row for each pair of them.

mod flight;
mod ground;
mod imagined;
mod measure;
mod setting;
mod shares;
mod table;

pub use flight::FlightKind;
pub use ground::Course;
pub use measure::{Pursuers, pursue};
pub use setting::{Layer, Setting};
pub use shares::Shares;
pub use table::{PursuitRow, PursuitTable};
