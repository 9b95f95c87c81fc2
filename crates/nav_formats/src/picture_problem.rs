//! Problems of pictures of maps.

use nav_grid::{Size, map::LayerError};

/// Problem of a picture of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureProblem {
    /// The decoder cannot read the picture.
    #[error("the picture cannot be read: {reason}")]
    Decoder {
        /// Message of the decoder.
        reason: String,
    },
    /// The picture is larger than a map may be, or empty.
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
    /// The picture would take more memory than a file of its length may claim.
    #[error(
        "a picture of {width}x{height} pixels in {length} bytes would take {needed} bytes of \
         memory, more than so small a file may; save it with less compression, or as a binary map"
    )]
    Bomb {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Length of the file in bytes.
        length: usize,
        /// Memory that the picture would take, in bytes.
        needed: usize,
    },
    /// The decoder returned too few or too many pixels.
    #[error(transparent)]
    Layer(#[from] LayerError),
}
