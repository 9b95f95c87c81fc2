//! Errors of scenarios that do not fit their map.

use nav_grid::{Cell, map::FrameError};

/// The error of a scenario that does not fit its map.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// The map has no walkable cell.
    #[error("the map has no walkable cell: agents need at least one")]
    NoFloor,
    /// The heights of the scenario do not fit the frame of the map.
    #[error("heights do not go with the frame of the map: {0}")]
    Heights(FrameError),
    /// A target or an idle body would start in a wall, or outside the map.
    #[error("cell {cell} is no ground of the map: a target or an idle body is to start there")]
    NoGround {
        /// The cell.
        cell: Cell,
    },
    /// The rectangle has no room for another chaser.
    #[error(
        "no cell from {first} to {last} is left that can be walked to: use a wider `spawn` or fewer \
         chasers"
    )]
    NoRoomWithin {
        /// One corner.
        first: Cell,
        /// The opposite corner.
        last: Cell,
    },
    /// The surroundings of a target have no room for another chaser.
    #[error(
        "no cell {min} to {max} away from the target at {target} can be walked to: use a wider \
         `spawn` or a larger map"
    )]
    NoRoomNear {
        /// The start of the target.
        target: Cell,
        /// Least distance in the scenario.
        min: u16,
        /// Greatest distance in the scenario.
        max: u16,
    },
    /// There are more chasers with bodies than cells for them.
    #[error(
        "{chasers} chasers with bodies find no room on the {cells} cells that can be walked to: \
         use fewer or a larger map"
    )]
    Full {
        /// Chasers in the scenario.
        chasers: u32,
        /// Cells of the largest region.
        cells: u64,
    },
}
