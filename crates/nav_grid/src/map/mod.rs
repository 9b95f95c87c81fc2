//! The static world: which cells can be walked on, and how cells relate to world coordinates.
//!
//! - [`Grid`]: walkable cells with optional step costs, exits and links on any number of floors.
//! - [`Size`] and [`Area`] of maps, [`Tile`]s, the grain at which edits are noticed.
//! - [`Edit`]: a change of a map as a value. [`Link`]: a one-way edge between two cells.
//! - [`Bodies`]: which cells are occupied right now; [`BodiesBand`] for several threads.
//! - [`Frame`], [`Axes`], [`FloorHeights`]: world coordinates to cells and back.
//! - [`text`]: maps drawn in plain text.
//! - Errors: [`GridError`], [`LayerError`], [`EditError`], [`FrameError`].

mod bitboard;
mod bodies;
mod body_rows;
mod bulk;
mod byte_layer;
mod clearance;
mod edit;
mod equality;
mod floor_heights;
mod frame;
mod frame_error;
mod grid;
mod link;
#[cfg(feature = "serde")]
mod saved;
mod shade;
mod size;
mod steps;
pub mod text;
mod tiles;

pub use bodies::{Bodies, BodiesBand};
pub use bulk::LayerError;
pub use edit::{Edit, EditError};
pub use floor_heights::FloorHeights;
pub use frame::{Axes, AxisSign, Frame, UpAxis};
pub use frame_error::FrameError;
pub use grid::Grid;
pub use link::Link;
pub use size::{Area, GridError, Size};
pub use tiles::Tile;

pub(crate) use bitboard::{Bitboard, Jumps, JumpsBuild, Lanes, ScanLanes};
pub(crate) use body_rows::around;
