//! Pursuits of moving targets: how long chasers are beside them, compared with imagined chasers
//! that know at every step where the target is.
//!
//! - [`Course`] is how the target moves, a [`FlightKind`], and the map.
//! - [`Pursuers`] is the number of chasers, and whether they have bodies.
//! - [`Setting`] is the tuning of the chasers, and the costs or links on the map.
//! - [`pursue`] measures one kind of pursuers on one course, and returns [`Shares`].
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
