//! Entries that a zone writes to the ledger.

use crate::{carried_agents::CarriedAgents, epoch::Epoch, seal::Versioned};
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// Entry: agents that live in the receiving zone from now on, and agents that no longer exist.
#[derive(Serialize, Deserialize)]
pub(crate) struct LedgerEntry {
    /// Tick of the zone that wrote it.
    pub(crate) tick: u64,
    /// In an entry of a zone for itself, agents that were spawned there.
    pub(crate) agents: Option<CarriedAgents>,
    pub(crate) gone: Vec<(AgentId, Epoch)>,
}

impl Versioned for LedgerEntry {
    const VERSION: u16 = 1;
}
