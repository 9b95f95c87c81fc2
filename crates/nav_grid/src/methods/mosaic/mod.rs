//! A* over blocks of uniform ground, the leaves of a quadtree.

mod border;
mod cross;
mod scratch;
mod search;
mod task;
mod trace;

pub use search::MosaicSearch;
