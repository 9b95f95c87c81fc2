//! What a zone writes to the ledger.

use crate::{carried_agents::CarriedAgents, epoch::Epoch, seal::Versioned};
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// An entry: agents that live in the zone for which it is from now on, and some that are gone for good.
#[derive(Serialize, Deserialize)]
pub(crate) struct LedgerEntry {
    /// The tick of the zone that wrote it.
    pub(crate) tick: u64,
    /// Those of an entry of a zone for itself were spawned there.
    pub(crate) agents: Option<CarriedAgents>,
    pub(crate) gone: Vec<(AgentId, Epoch)>,
}

impl Versioned for LedgerEntry {
    const VERSION: u16 = 1;
}
