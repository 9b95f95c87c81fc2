//! The static world: which cells can be walked on, and how cells relate to world coordinates.

mod bitboard;
mod bodies;
mod bulk;
mod byte_layer;
mod edit;
mod footprint;
mod frame;
mod fresh;
mod grid;
mod link;
mod moves;
mod regions;
#[cfg(feature = "serde")]
mod saved;
mod shade;
mod size;
mod steps;
mod tiles;

pub use bodies::{Bodies, BodiesBand};
pub use bulk::LayerError;
pub use edit::{Edit, EditError};
pub use footprint::{Footprint, FootprintError};
pub use frame::{Axes, Frame, FrameError, Toward, Up};
pub use grid::Grid;
pub use link::Link;
pub use regions::Regions;
pub use size::{Area, GridError, Size};
pub use tiles::Tile;

pub(crate) use bitboard::{Bitboard, Jumps, Lanes, LookLanes};
pub(crate) use footprint::{around, around_in};
pub(crate) use fresh::{FreshTable, NO_STEP};
pub(crate) use moves::MoveTable;
