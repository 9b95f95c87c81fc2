//! The static world: walkable cells, their costs and links, and their world coordinates.
//!
//! - [`Grid`]: walkable cells with optional step costs, exits, classes, [`Sight`] and links on any
//!   number of floors.
//! - [`Size`] and [`Area`] of maps, [`Tile`]s, the grain at which edits are noticed.
//! - [`Edit`]: a change of a map as a value. [`Link`]: a one-way edge between two cells.
//! - [`Shift`]: a move of the map as a window over a larger world.
//! - [`Bodies`]: the cells that are occupied right now; [`BodiesBand`] for several threads.
//! - [`Frame`], [`Axes`], [`FloorHeights`]: world coordinates to cells and back.
//! - [`text`]: maps drawn in plain text.
//! - Errors: [`GridError`], [`LayerError`], [`EditError`], [`FrameError`].

mod bitboard;
mod bodies;
mod clearance;
mod edit;
mod frame;
mod grid;
mod layers;
mod link;
mod nearest;
mod shade;
mod shift;
mod size;
mod steps;
pub mod text;
mod tiles;
mod value;
mod views;

pub use bodies::{Bodies, BodiesBand};
pub use edit::{Edit, EditError};
pub use frame::{Axes, AxisSign, FloorHeights, Frame, FrameError, UpAxis};
pub use grid::Grid;
pub use layers::LayerError;
pub use link::Link;
pub use shift::Shift;
pub use size::{Area, GridError, Size};
pub use tiles::Tile;
pub use views::Sight;

pub(crate) use bitboard::{Bitboard, Jumps, JumpsBuild, Lanes, ScanLanes, around};
pub(crate) use nearest::nearest_cell;
pub(crate) use steps::step_toward;
pub(crate) use tiles::TileLayout;
