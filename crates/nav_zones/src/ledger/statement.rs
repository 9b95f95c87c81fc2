//! Statements: what zones report of themselves, for an audit.

use super::{received::Received, writing::Ledger};
use crate::{
    Agents, Zone, ZoneId,
    carried_agents::AgentEpoch,
    keeper::{Entry, EntryNumber, Places, Term},
};
use bevy_ecs::prelude::*;
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// Report of a zone about itself, between two ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Zone.
    pub zone: ZoneId,
    /// Tick of the zone.
    pub tick: u64,
    /// Term of its process.
    pub term: Term,
    /// Part of the ledger that the zone has.
    pub extent: Extent,
    /// Agents that live in the zone.
    pub agents: Vec<AgentEpoch>,
    /// Agents spawned in the zone or handed over by it that may not be in the ledger yet.
    pub unwritten: Vec<AgentId>,
}

/// Part of the ledger that a zone, or a snapshot of it, has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Last entry of others that was applied, and last entry of the zone known to be written.
    pub places: Places,
    /// Entries of other zones that were applied, by their numbers.
    pub received: Received,
}

impl Extent {
    /// Returns whether the part, which is that of `zone`, lacks nothing of an entry.
    pub(super) fn covers(&self, zone: ZoneId, entry: &Entry, number: EntryNumber) -> bool {
        let &Entry { from, to, .. } = entry;
        let is_written = zone != from || entry.sequence <= self.places.written;
        let is_received = zone != to || from == to || self.received.has(from, number);
        is_written && is_received
    }
}

impl Statement {
    /// Creates the statement of the zone of an app. `None` if the zone writes no ledger.
    pub fn of(world: &World) -> Option<Self> {
        let zone = world.get_resource::<Zone>()?;
        let ledger = world.get_resource::<Ledger>()?;
        let mut unwritten: Vec<AgentId> = ledger.link.unwritten().collect();
        let mut agents = Vec::new();
        for (id, agent) in world.resource::<Agents>().living(world) {
            let epoch = world.get(agent).copied();
            if epoch.is_none() {
                unwritten.push(id);
            }
            let epoch = epoch.unwrap_or_default();
            agents.push(AgentEpoch { id, epoch });
        }
        Some(Self {
            zone: zone.id(),
            tick: zone.tick(),
            term: ledger.link.term,
            extent: ledger.extent.clone(),
            agents,
            unwritten,
        })
    }
}
