//! Fields: what it costs to get to one target from everywhere around it.
//!
//! Where many walkers chase one target, a search from the target backwards serves all of them:
//! each looks up its next step. A field owns its memory and keeps it for the next target.
//!
//! | | [`WeightedField`] | [`WindowField`] |
//! |---|---|---|
//! | serves | everything a map can have | ground that costs 1, without links |
//! | reaches | as far as its limits say | at most 28 columns and rows |
//! | is made by | buckets of costs, a cell at a time | waves, a row at a time |
//!
//! # Bodies
//!
//! A field does not know who will look it up, so bodies count wherever they stand, but for those
//! on the target's own cells. A walker of one cell may be among them: its own place has a cost,
//! from which the way leads on. Larger walkers overlap themselves on their first steps, so those
//! that share a field must be left out of its bodies. [`BodyPolicy::AvoidNear`] is about one
//! walker's surroundings; no field serves it.
//!
//! # Ties
//!
//! Of several next steps that are equally good the first of north, east, south, west is taken,
//! then the first of north-east, south-east, south-west, north-west, then the link that leads to
//! the first cell in reading order.
//!
//! [`BodyPolicy::AvoidNear`]: crate::BodyPolicy::AvoidNear

mod buckets;
mod pages;
mod query;
mod weighted;
mod window;

pub use query::{FieldLimits, FieldOutcome, FieldQuery, FieldStatus};
pub use weighted::WeightedField;
pub use window::WindowField;
