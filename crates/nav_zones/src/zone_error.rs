//! Errors that end a zone's part in its world.

use crate::{BusError, ZoneId, keeper::KeeperError};
use std::time::Duration;

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
    /// A zone did not send its part of a round in time.
    #[error("zone {} did not answer within {wait:?}, in round {round}", zone.0)]
    Late {
        /// Zone that is late.
        zone: ZoneId,
        /// Number of rounds before.
        round: u64,
        /// How long it was waited for.
        wait: Duration,
    },
    /// A zone is at another point of its tick.
    #[error("zone {} is out of step, in round {round}: all zones run the same systems", zone.0)]
    OutOfStep {
        /// Zone that is out of step.
        zone: ZoneId,
        /// Number of rounds before.
        round: u64,
    },
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
