//! The sweep: bit-parallel breadth-first search over a window.

mod bucket_astar;
mod closest;
mod reverse_bfs;
mod sweep_search;

pub use sweep_search::Sweep;
