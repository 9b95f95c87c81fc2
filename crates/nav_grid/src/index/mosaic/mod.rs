//! The map as a quadtree of blocks of uniform ground.

mod block;
mod blocks;
mod cut;
mod tile;

pub use blocks::Mosaic;

pub(crate) use block::{Block, RING_MAX};
