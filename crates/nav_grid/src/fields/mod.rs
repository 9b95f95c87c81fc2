//! Fields: what it costs to get to one target from everywhere around it.
//!
//! Where many walkers chase one target, one search backwards from the target serves all of them:
//! each looks up its next step. A field owns its memory and keeps it for the next target.
//!
//! - A [`CostField`] serves everything that a map can have, as far as its limits say. Dijkstra's
//!   search with buckets computes it cell by cell; it takes 8 bytes a cell. Its [`CostFlow`]
//!   answers with the cost, the next cell and all good steps.
//! - A [`FlowField`] serves ground that costs 1, without links and bodies, under metrics with equal
//!   steps, up to 28 columns and rows. Breadth-first waves compute it row by row, in one
//!   [`FlowMaker`] for many; it takes 1 KiB. Its [`Flow`] answers with all good steps.
//! - A [`PortalField`] serves the whole of a map with a [`PortalGraph`](crate::index::PortalGraph).
//!   Dijkstra's search over portals computes it, and waves in clusters on demand; it takes 4 KiB
//!   for each cluster in use. Its [`PortalFlow`] answers with the distance and all good moves.
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
