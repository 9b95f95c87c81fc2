//! Searches over blocks of uniform ground.

mod block;
mod border;
mod chart;
mod cross;
mod cut;
mod scratch;
mod search;
mod task;
mod trace;

pub use chart::Mosaic;
pub use search::MosaicSearch;
