//! Errors that end a zone's part in its world.

use crate::{BusError, ZoneId, keeper::KeeperError};

/// Reason why a zone stopped taking part in its world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZoneError {
    /// The bus failed.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The keeper refused a call.
    #[error(transparent)]
    Keeper(#[from] KeeperError),
    /// A message could not be written.
    #[error("a message could not be written: {0}")]
    Unwritten(String),
    /// Agents that were handed over are damaged.
    #[error("agents from zone {} are refused: {why}", zone.0)]
    Refused {
        /// Zone that sent them.
        zone: ZoneId,
        /// The fault.
        why: String,
    },
}
