//! Fields: what it costs to get to one target from everywhere around it.
//!
//! Where many walkers chase one target, a search from the target backwards serves all of them:
//! each looks up its next step. A field owns its memory and keeps it for the next target.
//!
//! | | [`WeightedField`] | [`WindowField`] | [`FlowField`] |
//! |---|---|---|---|
//! | serves | everything a map can have | ground that costs 1, without links | the same, without bodies, where all steps cost the same |
//! | reaches | as far as its limits say | at most 28 columns and rows | at most 28 columns and rows |
//! | is made by | buckets of costs, a cell at a time | waves, a row at a time | waves, a row at a time |
//! | answers with | the cost, the next step | the cost, the next step | all good steps |
//! | takes | 5 bytes a cell | 12 KiB | 1 KiB, made by a [`FlowMaker`] for many |

mod flow;
mod pages;
mod passes;
mod query;
mod site;
mod weighted;
mod window;

pub use flow::{Flow, FlowField, FlowMaker};
pub use query::{FieldLimits, FieldOutcome, FieldQuery, FieldStatus};
pub use weighted::WeightedField;
pub use window::WindowField;
