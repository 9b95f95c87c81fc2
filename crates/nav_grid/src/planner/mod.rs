//! The planner: the choice of a method for each query.
//!
//! - [`Planner`]: all methods with their scratch memory, and the choice among them.
//! - [`nearest_reachable()`]: the cell to go to instead of a goal out of reach.

mod auto;
mod foreseen;
mod ground;
mod nearest_reachable;
mod plan;

pub use auto::Planner;
pub use nearest_reachable::nearest_reachable;
