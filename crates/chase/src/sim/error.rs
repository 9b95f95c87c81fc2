//! Why a scenario cannot be run on its map.

use nav_grid::{Cell, map::FrameError};

/// A scenario does not fit its map.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// There is nowhere to stand.
    #[error("the map has no walkable cell: agents need at least one")]
    NoFloor,
    /// The heights of the scenario do not go with where the map lies in the world.
    #[error("heights do not go with the frame of the map: {0}")]
    Heights(FrameError),
    /// A target or an idle body is to start in a wall, or outside the map.
    #[error("cell {cell} is no ground of the map: a target or an idle body is to start there")]
    NoGround {
        /// The cell.
        cell: Cell,
    },
    /// A chaser has nowhere to start in the rectangle it is to start in.
    #[error(
        "no cell from {first} to {last} is left that can be walked to: use a wider `spawn` or fewer \
         chasers"
    )]
    NoRoomWithin {
        /// A corner of it.
        first: Cell,
        /// The opposite corner.
        last: Cell,
    },
    /// A chaser has nowhere to start.
    #[error(
        "no cell {min} to {max} away from the target at {target} can be walked to: use a wider \
         `spawn` or a larger map"
    )]
    NoRoomNear {
        /// Where the target starts.
        target: Cell,
        /// Smallest distance asked for.
        min: u16,
        /// Greatest distance asked for.
        max: u16,
    },
    /// There are more chasers with bodies than cells for them.
    #[error(
        "{chasers} chasers with bodies find no room on the {cells} cells that can be walked to: \
         use fewer or a larger map"
    )]
    Full {
        /// Chasers asked for.
        chasers: u32,
        /// Cells of the largest region.
        cells: u64,
    },
}
