//! Problems of pictures of maps.

use nav_grid::{Cell, Size, map::LayerError};

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
    /// The picture is stored in a way that is not read.
    #[error("{found}; expected {expected}")]
    Unsupported {
        /// The feature of the picture, such as `run-length encoding`.
        found: String,
        /// The supported features.
        expected: &'static str,
    },
    /// The file ends before its last pixel.
    #[error("the file ends after {found} bytes; expected {expected} for this picture")]
    Ends {
        /// Length of the file in bytes.
        found: usize,
        /// Length that the header requires, in bytes.
        expected: u64,
    },
    /// A pixel has a colour that its palette does not.
    #[error("pixel {cell} has colour {found}; expected 0 to {max} as in the palette")]
    Palette {
        /// Column and row.
        cell: Cell,
        /// Number of the colour.
        found: u8,
        /// Last number of the palette.
        max: usize,
    },
    /// A picture of a layer has another size than its map.
    #[error("a picture of {layer} of {found} pixels; expected {expected} as the map has cells")]
    LayerSize {
        /// Name of the layer, such as `exits`.
        layer: &'static str,
        /// Size of the picture.
        found: Size,
        /// Size of the map.
        expected: Size,
    },
    /// A pixel of a picture of a layer has a colour without a meaning there.
    #[error("pixel {cell} of the {layer} is {found}; expected {expected}")]
    LayerColour {
        /// Name of the layer.
        layer: &'static str,
        /// Column and row.
        cell: Cell,
        /// Colour, such as `#ff8000`, or `half transparent`.
        found: String,
        /// Colours with a meaning.
        expected: &'static str,
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
