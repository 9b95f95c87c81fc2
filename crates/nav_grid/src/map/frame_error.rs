//! Why a frame could not be made.

/// A frame could not be made from the numbers given.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The cell size is not a positive finite number.
    #[error("cell size {0} must be a positive number")]
    CellSize(f64),
    /// The origin has a coordinate that is not finite.
    #[error("origin {0:?} must have three finite coordinates")]
    Origin([f64; 3]),
    /// Cells this small cannot be told apart this far from zero.
    #[error(
        "cells of {cell_size} cannot be told apart with the origin at {origin:?}; move the origin nearer to zero"
    )]
    Precision {
        /// The origin given.
        origin: [f64; 3],
        /// The cell size given.
        cell_size: f64,
    },
    /// The height of a storey is not a positive finite number, or too small to tell floors apart at
    /// the height of the origin.
    #[error("storey height {0} must be a positive number that tells 256 floors apart")]
    StoreyHeight(f64),
    /// Heights are given for no floor, or for more than a map can have.
    #[error("heights of {0} floors; there must be 1 to 256")]
    HeightCount(usize),
    /// The height of a floor is not a finite number above that of the floor below.
    #[error(
        "height {height} of floor {floor} must be a finite number above that of the floor below"
    )]
    Height {
        /// The first floor for which this is so.
        floor: u8,
        /// The height given.
        height: f64,
    },
}
