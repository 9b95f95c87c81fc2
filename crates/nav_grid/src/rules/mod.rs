//! How agents move and what their steps cost.
//!
//! - [`Rules`] of one walker: [`Metric`] (cost of a straight and of a diagonal step),
//!   [`CornerRule`] (which diagonals walls forbid), [`Footprint`] (its size in cells) and
//!   [`BodyPolicy`] (which bodies count as walls), [`ClassCosts`] (which terrain [`Class`]es it may
//!   enter), [`LinkKinds`] (which [kinds](LinkKind) of links it may take).
//! - [`Heuristic`]: the estimate of the remaining cost in best-first searches.
//! - [`Cost`], the unit of all path costs, and [`COST_MAX`].

mod classes;
mod heuristic;
mod link_kinds;
mod metric;
mod moves;
mod walker;

pub use classes::{Class, ClassCosts, ClassCostsError, ClassError};
pub use heuristic::Heuristic;
pub use link_kinds::{LinkKind, LinkKindError, LinkKinds};
pub use metric::{COST_MAX, Cost, Metric, StepCosts, StepCostsError};
pub use walker::{BodyPolicy, CornerRule, Footprint, FootprintError, Rules};

pub(crate) use heuristic::Estimate;
pub(crate) use metric::IntegerCosts;
pub(crate) use moves::{FreshTable, MoveTable, NO_STEP, around_bit};
pub(crate) use walker::Passable;
