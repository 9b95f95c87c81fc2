//! Fields: what it costs to get to one target from everywhere around it.
//!
//! Where many walkers chase one target, one search backwards from the target serves all of them:
//! each looks up its next step. A field owns its memory and keeps it for the next target.
//!
//! | | [`CostField`] | [`FlowField`] | [`PortalField`] |
//! |---|---|---|---|
//! | serves | everything a map can have | ground that costs 1, without links and bodies, under metrics with equal steps | maps that have a [`PortalGraph`](crate::index::PortalGraph) |
//! | reaches | as far as its limits say | at most 28 columns and rows | the whole map |
//! | computed by | Dijkstra's search with buckets, cell by cell | breadth-first waves, row by row | Dijkstra's search over portals, then waves in clusters on demand |
//! | answers with | the cost, the next cell, all good steps: [`CostFlow`] | all good steps: [`Flow`] | the distance, all good moves: [`PortalFlow`] |
//! | takes | 8 bytes a cell | 1 KiB, computed by a [`FlowMaker`] for many | 4 KiB for each cluster in use |
//!
//! A [`FieldQuery`] with [`FieldLimits`] asks for a field, a [`FieldOutcome`] says how computing it
//! ended. A `CostField` also finds ways to several goals past bodies, each with a [`Passage`].
//!
//! The other way round, a [`ReachField`] has what it costs one walker to get from where it is to
//! each cell around it.

mod cost;
mod cost_flow;
mod cost_nodes;
mod field_query;
mod flow;
mod flow_maker;
mod portal_field;
mod portal_flow;
mod portal_owner;
mod portal_spread;
mod reach;
mod reached_cells;

pub use cost::CostField;
pub use cost_flow::CostFlow;
pub use cost_nodes::Passage;
pub use field_query::{FieldLimits, FieldOutcome, FieldQuery, FieldStatus};
pub use flow::{Flow, FlowField};
pub use flow_maker::FlowMaker;
pub use portal_field::{FieldError, PortalField};
pub use portal_flow::{FieldMove, PortalFlow};
pub use reach::ReachField;
pub use reached_cells::{ReachedCell, ReachedCells};
