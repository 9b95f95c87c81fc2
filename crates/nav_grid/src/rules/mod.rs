//! How agents move and what their steps cost.
//!
//! - [`Rules`] of one walker: [`Metric`] (cost of a straight and of a diagonal step),
//!   [`CornerRule`] (which diagonals walls forbid), [`Footprint`] (its size in cells) and
//!   [`BodyPolicy`] (which bodies in the way count as walls).
//! - [`Heuristic`]: how best-first searches estimate the cost that remains.
//! - [`Cost`], the unit of all path costs, and [`COST_MAX`].

mod footprint;
mod fresh;
mod heuristic;
mod integer_costs;
mod metric;
mod moves;
mod walker;

pub use footprint::{Footprint, FootprintError};
pub use heuristic::Heuristic;
pub use metric::{COST_MAX, Cost, Metric};
pub use walker::{BodyPolicy, CornerRule, Rules};

pub(crate) use fresh::{FreshTable, NO_STEP};
pub(crate) use heuristic::Estimate;
pub(crate) use integer_costs::IntegerCosts;
pub(crate) use moves::MoveTable;
