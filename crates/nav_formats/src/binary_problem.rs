//! What is wrong with a binary map.

use nav_grid::{
    Grid,
    map::{EditError, LayerError},
};

/// The newest version of the format; all from 1 on are read.
pub(crate) const VERSION: u16 = 3;

/// What is wrong with a binary map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BinaryProblem {
    /// The file does not begin as these files do.
    #[error("this is no binary map; expected it to begin with NAVGRID")]
    Magic,
    /// The file is of another version of the format.
    #[error(
        "format version {found}; this program reads versions 1 to {VERSION}: convert the map anew"
    )]
    Version {
        /// The version of the file.
        found: u16,
    },
    /// The file is shorter or longer than its header says.
    #[error(
        "{found} bytes behind the header, which says {expected}: the file is cut off or damaged"
    )]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The body is not what was written.
    #[error("the checksum is {found:08x}, the header says {expected:08x}: the file is damaged")]
    Checksum {
        /// The checksum of the body.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// The body makes no sense, though its checksum is right.
    #[error("the body cannot be read: {reason}")]
    Body {
        /// What the decoder says.
        reason: String,
    },
    /// There is no map of this size, or a layer has too few or too many bytes for it.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// A step cost is out of range.
    #[error("step cost {cost} is out of range; expected 1 to {}", Grid::COST_WORST)]
    Cost {
        /// The cost.
        cost: u8,
    },
    /// A link does not belong on the map.
    #[error(transparent)]
    Link(#[from] EditError),
}
