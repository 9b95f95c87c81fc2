//! The map as a quadtree of blocks of uniform ground.

mod block;
mod map_blocks;
mod tile_blocks;

pub use map_blocks::Mosaic;

pub(crate) use block::{Block, RING_MAX};
