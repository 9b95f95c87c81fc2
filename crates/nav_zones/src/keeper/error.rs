//! Why a keeper did not do something.

use crate::ZoneId;

/// Why a [`Keeper`](super::Keeper) did not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeeperError {
    /// Somebody else holds the zone.
    #[error("zone {} is held by {holder}", zone.0)]
    Held {
        /// The zone.
        zone: ZoneId,
        /// Who holds it.
        holder: String,
    },
    /// Another process took the zone: this one no longer has it.
    #[error("another process took zone {} over", zone.0)]
    Lost {
        /// The zone.
        zone: ZoneId,
    },
    /// An entry is too large.
    #[error("{bytes} bytes are too many: at most {max} go in one message")]
    TooLarge {
        /// How many bytes it has.
        bytes: usize,
        /// How many it may have.
        max: usize,
    },
    /// No answer came: it may have been done.
    #[error("the broker does not answer: {0}")]
    Unreachable(String),
}
