//! Jump point search: far goals over ground where every step costs the same.

mod boards;
mod jump_nodes;
mod jump_point_search;
mod jump_task;
mod scan;

pub use jump_point_search::JumpPointSearch;
