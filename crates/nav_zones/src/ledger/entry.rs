//! What a zone writes to the ledger.

use crate::{
    carried_agents::CarriedAgents,
    epoch::Epoch,
    seal::{DAMAGED, open, seal},
};
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// An entry: agents that live in the zone for which it is from now on, and some that are gone for good.
#[derive(Serialize, Deserialize)]
pub(crate) struct LedgerEntry {
    /// Of the format. The first thing, so that another one is refused before anything else is read.
    version: u16,
    /// The tick of the zone that wrote it.
    pub(crate) tick: u64,
    /// Those of an entry of a zone for itself were spawned there.
    pub(crate) agents: Option<CarriedAgents>,
    pub(crate) gone: Vec<(AgentId, Epoch)>,
}

/// The version of entries that this build writes and reads.
const VERSION: u16 = 1;

impl LedgerEntry {
    pub(crate) const fn new(
        tick: u64,
        agents: Option<CarriedAgents>,
        gone: Vec<(AgentId, Epoch)>,
    ) -> Self {
        Self {
            version: VERSION,
            tick,
            agents,
            gone,
        }
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let bytes = postcard::to_allocvec(self);
        bytes.map(seal).map_err(|error| error.to_string())
    }

    /// Reads an entry.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let bytes = open(bytes).ok_or(DAMAGED)?;
        let version = postcard::take_from_bytes::<u16>(bytes);
        let version = version.map_err(|error| error.to_string())?.0;
        if version != VERSION {
            return Err(format!("it has version {version}, not {VERSION}"));
        }
        postcard::from_bytes(bytes).map_err(|error| error.to_string())
    }
}
