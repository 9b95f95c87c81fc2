//! Errors of writing a map file.

use super::{features::Features, format::Format};
use nav_grid::{Cell, Size};

/// Error of writing a map. Prints as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The map has something that files of this format cannot hold.
    #[error(
        "the {format} format cannot hold {lost} of this map; \
         choose a format that can, or write only what fits"
    )]
    Loses {
        /// Format.
        format: Format,
        /// Features that would be lost.
        lost: Features,
    },
    /// The format has no writer.
    #[error("the {format} format can only be read; choose another one, such as Tiled")]
    ReadOnly {
        /// Format.
        format: Format,
    },
    /// The format holds frames, but not with the axes of this one.
    #[error(
        "the {format} format cannot hold the axes of this map's frame; \
         expected y up, columns toward +x and rows toward -z"
    )]
    Axes {
        /// Format.
        format: Format,
    },
    /// A main road leads off the map.
    #[error("the road cell {cell} is outside the map of {size} cells")]
    Road {
        /// First such cell.
        cell: Cell,
        /// Size of the map.
        size: Size,
    },
    /// The format holds objects, but not this one.
    #[error("{object} cannot be written as {format}: {fault}")]
    Object {
        /// Format.
        format: Format,
        /// Object, with its place.
        object: String,
        /// The fault, and a correct value.
        fault: &'static str,
    },
    /// The encoder of the format failed.
    #[error("the map cannot be encoded: {reason}")]
    Encoder {
        /// Message of the encoder.
        reason: String,
    },
    /// A line of a scenario file would not read back equal.
    #[error("query {number} of the scenario cannot be written: its {fault}")]
    Query {
        /// Number of the query, starting at 1.
        number: usize,
        /// The fault, and a correct value.
        fault: &'static str,
    },
}

impl WriteError {
    /// Returns the error of an encoder that failed.
    pub(crate) fn encoder(error: impl std::fmt::Display) -> Self {
        let reason = error.to_string();
        Self::Encoder { reason }
    }
}
