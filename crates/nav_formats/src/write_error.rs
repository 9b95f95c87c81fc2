//! Why a map cannot be written in a format.

use super::{features::Features, format::Format};

/// A map cannot be written as asked. Prints as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The map has something that files of this format cannot hold.
    #[error(
        "the {format} format cannot hold {lost} of this map; \
         choose a format that can, or write only what fits"
    )]
    Loses {
        /// The format.
        format: Format,
        /// What would be lost.
        lost: Features,
    },
    /// Files of this format hold frames, but not with the axes of this one.
    #[error(
        "the {format} format cannot hold the axes of this map's frame; \
         expected y up, columns toward +x and rows toward -z"
    )]
    Axes {
        /// The format.
        format: Format,
    },
    /// The encoder of the format failed.
    #[error("the map cannot be encoded: {reason}")]
    Encoder {
        /// What the encoder says.
        reason: String,
    },
    /// A line of a scenario file would not read back as it is.
    #[error("query {number} of the scenario cannot be written: its {fault}")]
    Query {
        /// Which query, 1 for the first.
        number: usize,
        /// What is wrong with it, and what would be right.
        fault: &'static str,
    },
}
