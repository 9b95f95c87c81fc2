//! Fields: what it costs to get to one target from everywhere around it.
//!
//! Where many walkers chase one target, a search from the target backwards serves all of them:
//! each looks up its next step. A field owns its memory and keeps it for the next target.
//!
//! | | [`WeightedField`] | [`FlowField`] | [`PortalField`] |
//! |---|---|---|---|
//! | serves | everything a map can have | ground that costs 1, without links and bodies, where all steps cost the same | maps without step costs that have a [`PortalGraph`](crate::index::PortalGraph) |
//! | reaches | as far as its limits say | at most 28 columns and rows | the whole map |
//! | computed by | Dijkstra's search with buckets, cell by cell | breadth-first waves, row by row | Dijkstra's search over portals, then waves in clusters on demand |
//! | answers with | the cost, the next step, all good steps: [`WeightedFlow`] | all good steps: [`Flow`] | the distance, all good moves: [`PortalFlow`] |
//! | takes | 5 bytes a cell | 1 KiB, computed by a [`FlowMaker`] for many | 4 KiB a cluster looked at |
//!
//! A [`FieldQuery`] with [`FieldLimits`] says which field is wanted, a [`FieldOutcome`] what came
//! of it.

mod detour;
mod field_window;
mod flow;
mod onward_steps;
mod pages;
mod portal;
mod query;
mod reverse_ground;
mod weighted;
mod weighted_flow;

pub use detour::{DetourField, Passage};
pub use flow::{Flow, FlowField, FlowMaker};
pub use portal::{FieldError, FieldMove, PortalField, PortalFlow};
pub use query::{FieldLimits, FieldOutcome, FieldQuery, FieldStatus};
pub use weighted::WeightedField;
pub use weighted_flow::WeightedFlow;
