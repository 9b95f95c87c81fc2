//! Envelope of every message between zones.

use crate::{
    ZoneId,
    keeper::Term,
    seal::{Format, Versioned},
};
use serde::{Deserialize, Serialize};

/// Topic of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Topic {
    Chases,
    Places,
    Borders,
}

/// Header in front of the contents of every message.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Envelope {
    pub(crate) from: ZoneId,
    /// Term of the sender's lease; 0 without a lease.
    pub(crate) term: Term,
    /// Tick of the sender.
    pub(crate) tick: u64,
    pub(crate) topic: Topic,
}

impl Versioned for Envelope {
    const FORMAT: Format = Format::MESSAGES;
}

/// Largest message that is read, in bytes.
///
/// It bounds the memory that a message can claim. A zone of a crowd of 100,000 sends 82
/// kB a tick.
pub(crate) const BYTES_MAX: usize = 256 << 20;

impl Envelope {
    /// Splits a message into its envelope and its contents. `None` if the message is too large,
    /// damaged or of another version.
    pub(crate) fn open(message: &[u8]) -> Option<(Self, &[u8])> {
        if message.len() > BYTES_MAX {
            return None;
        }
        Self::unseal(message).ok()
    }
}
