//! Errors of a keeper.

use crate::ZoneId;

/// Failure of a call to a [`Keeper`](super::Keeper).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeeperError {
    /// Another process holds the zone.
    #[error("zone {} is held by {holder}", zone.0)]
    Held {
        /// Zone asked for.
        zone: ZoneId,
        /// Name of its holder.
        holder: String,
    },
    /// Another process took the zone from this one.
    #[error("another process took zone {} over", zone.0)]
    Lost {
        /// Zone that was lost.
        zone: ZoneId,
    },
    /// An entry is too large.
    #[error("{bytes} bytes are too many: at most {max} go in one message")]
    TooLarge {
        /// Size of the entry in bytes.
        bytes: usize,
        /// Largest size in bytes.
        max: usize,
    },
    /// No answer arrived. The call may have taken effect.
    #[error("the broker does not answer: {0}")]
    Unreachable(String),
}
