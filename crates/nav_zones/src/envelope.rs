//! What is around the contents of every message between zones.

use crate::{
    ZoneId,
    keeper::Term,
    seal::{open, seal},
};
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
    /// Of the format. The first thing, so that another one is refused before anything else is read.
    version: u16,
    pub(crate) from: ZoneId,
    /// That of the sender's lease; 0 without one.
    pub(crate) term: Term,
    /// How many rounds there were before; of zones that are not in step, the tick.
    pub(crate) number: u64,
    /// The tick.
    pub(crate) tick: u64,
    pub(crate) topic: Topic,
}

/// The version of messages that this build writes and reads.
const VERSION: u16 = 2;

/// A message of more bytes is not read.
pub(crate) const BYTES_MAX: usize = 256 << 20;

impl Envelope {
    pub(crate) const fn new(
        (from, term): (ZoneId, Term),
        (number, tick): (u64, u64),
        topic: Topic,
    ) -> Self {
        Self {
            version: VERSION,
            from,
            term,
            number,
            tick,
            topic,
        }
    }

    /// Puts contents in.
    pub(crate) fn around(self, contents: &[u8]) -> Result<Vec<u8>, postcard::Error> {
        let mut message = postcard::to_allocvec(&self)?;
        message.extend_from_slice(contents);
        Ok(seal(message))
    }

    /// The envelope of a message, and its contents; none if it is damaged or of another version.
    pub(crate) fn open(message: &[u8]) -> Option<(Self, &[u8])> {
        if message.len() > BYTES_MAX {
            return None;
        }
        let (envelope, contents) = postcard::take_from_bytes::<Self>(open(message)?).ok()?;
        (envelope.version == VERSION).then_some((envelope, contents))
    }
}
