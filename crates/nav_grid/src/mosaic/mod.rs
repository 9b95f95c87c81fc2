//! Searches over blocks of uniform ground.

mod block;
mod cross;
mod mosaic;
mod scratch;
mod search;
mod task;
mod trace;

pub use mosaic::Mosaic;
pub use search::MosaicSearch;
