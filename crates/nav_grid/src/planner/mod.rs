//! The planner: which method answers what.
//!
//! - [`Planner`]: all methods with their scratch memory, and the choice among them.
//! - [`nearest_reachable()`]: where to go instead of a goal that cannot be reached.

mod auto;
mod checkpoint;
mod nearest_reachable;

pub use auto::Planner;
pub use nearest_reachable::{RINGS_MAX, nearest_reachable};
