//! A* over blocks of uniform ground, the leaves of a quadtree.

mod block_expansion;
mod mosaic_search;
mod trace;

pub use mosaic_search::MosaicSearch;
