//! Jump point search: far goals over ground where every step costs the same.

mod boards;
mod lists;
mod nodes;
mod scan;
mod scan_origin;
mod search;
mod task;
mod trace;
mod ways;

pub use search::JumpPointSearch;
