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

mod pages;
mod query;
mod weighted;
mod window;

pub use query::{FieldLimits, FieldOutcome, FieldQuery, FieldStatus};
pub use weighted::WeightedField;
pub use window::WindowField;
