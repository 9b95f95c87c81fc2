//! Slots behind, beside or around a leader, and who takes which.

mod shape;
mod slots;
mod take;

pub use shape::FormationShape;
pub use slots::Formation;
pub use take::{FormationMembers, FormationPlugin, InFormation};
