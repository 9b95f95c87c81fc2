//! What is wrong with a picture.

use nav_grid::{Size, map::LayerError};

/// What is wrong with a picture of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureProblem {
    /// The decoder cannot read it.
    #[error("the picture cannot be read: {reason}")]
    Decoder {
        /// What the decoder says.
        reason: String,
    },
    /// It is not as large as a map may be.
    #[error(
        "a picture of {width}x{height} pixels; each side of a map is 1 to {}",
        Size::SIDE_MAX
    )]
    Sides {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
    },
    /// It would take more memory than so small a file may claim.
    #[error(
        "a picture of {width}x{height} pixels in {length} bytes would take {needed} bytes of \
         memory, more than so small a file may; save it with less compression, or as a binary map"
    )]
    Bomb {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Length of the file.
        length: usize,
        /// Bytes it would take.
        needed: usize,
    },
    /// The decoder gave too few or too many pixels.
    #[error(transparent)]
    Layer(#[from] LayerError),
}
