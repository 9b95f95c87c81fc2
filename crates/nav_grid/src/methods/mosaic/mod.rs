//! A* over blocks of uniform ground, the leaves of a quadtree.

mod block_expansion;
mod border;
mod cross;
mod mosaic_search;
mod ring_costs;
mod trace;

pub use mosaic_search::MosaicSearch;
