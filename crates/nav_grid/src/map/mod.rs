//! The static world: which cells can be walked on, and how cells relate to world coordinates.

mod bitboard;
mod frame;
mod fresh;
mod grid;
mod moves;

pub use frame::{Axes, Frame, FrameError, Toward, Up};
pub use grid::{CellOutsideGridError, Grid, GridError};

pub(crate) use fresh::NO_STEP;
