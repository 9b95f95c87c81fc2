//! A tile of the map as blocks of uniform ground.

use crate::map::Tile;

pub(crate) const SIDE: usize = Tile::SIDE as usize;

pub(crate) const CELLS: usize = SIDE * SIDE;

/// What a tile consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TileBlocks {
    /// Nobody may stand anywhere.
    Blocked,
    /// One block.
    Whole,
    /// The level of the block that each cell lies in, in reading order, or [`WALL`].
    Parts(Box<[u8]>),
}

/// Stands in for a level where nobody may stand.
pub(crate) const WALL: u8 = u8::MAX;
