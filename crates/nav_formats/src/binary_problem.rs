//! Problems of binary maps.

use nav_grid::{
    Grid,
    map::{EditError, LayerError},
};

/// Newest version of the format. All versions from 1 on can be read.
pub(crate) const VERSION: u16 = 6;

/// Problem of a binary map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BinaryProblem {
    /// The file does not begin with the signature of the format.
    #[error("this is no binary map; expected it to begin with NAVGRID")]
    Magic,
    /// The file has an unknown version of the format.
    #[error(
        "format version {found}; this program reads versions 1 to {VERSION}: convert the map again"
    )]
    Version {
        /// Version of the file.
        found: u16,
    },
    /// The file is shorter or longer than its header says.
    #[error(
        "{found} bytes behind the header, which says {expected}: the file is cut off or damaged"
    )]
    Length {
        /// Actual number of bytes.
        found: u64,
        /// Expected number of bytes.
        expected: u64,
    },
    /// The body does not match its checksum.
    #[error("the checksum is {found:08x}, the header says {expected:08x}: the file is damaged")]
    Checksum {
        /// Checksum of the body.
        found: u32,
        /// Checksum in the header.
        expected: u32,
    },
    /// The body cannot be decoded, though its checksum is right.
    #[error("the body cannot be read: {reason}")]
    Body {
        /// Message of the decoder.
        reason: String,
    },
    /// The size is invalid, or a layer has too few or too many bytes for it.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// A layer has more planes of bits than its numbers have bits.
    #[error("{found} planes of {layer}; expected at most {max}")]
    Planes {
        /// Name of the layer.
        layer: &'static str,
        /// Planes in the file.
        found: usize,
        /// Bits of the greatest number.
        max: u32,
    },
    /// A step cost is out of range.
    #[error("step cost {cost} is out of range; expected 1 to {}", Grid::COST_WORST)]
    Cost {
        /// Cost.
        cost: u8,
    },
    /// A link does not fit the map.
    #[error(transparent)]
    Link(#[from] EditError),
}
