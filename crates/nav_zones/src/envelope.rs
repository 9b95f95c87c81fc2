//! What is around the contents of every message between zones.

use crate::{ZoneId, keeper::Term, seal::Versioned};
use serde::{Deserialize, Serialize};

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Topic {
    HandOver,
    Chases,
    Places,
    Borders,
    Count(nav::shared::CountKind),
}

/// What is around the contents of every message.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Envelope {
    pub(crate) from: ZoneId,
    /// That of the sender's lease; 0 without one.
    pub(crate) term: Term,
    /// How many rounds there were before; of zones that are not in step, the tick.
    pub(crate) number: u64,
    /// The tick.
    pub(crate) tick: u64,
    pub(crate) topic: Topic,
}

impl Versioned for Envelope {
    const VERSION: u16 = 2;
}

/// A message of more bytes is not read.
pub(crate) const BYTES_MAX: usize = 256 << 20;

impl Envelope {
    /// The envelope of a message, and its contents; none if it is damaged or of another version.
    pub(crate) fn open(message: &[u8]) -> Option<(Self, &[u8])> {
        if message.len() > BYTES_MAX {
            return None;
        }
        Self::unseal(message)
    }
}
