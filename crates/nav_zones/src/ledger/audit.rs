//! Audit: checks that every agent of a world lives in exactly one zone.

use super::{entry::LedgerEntry, snapshot::Snapshot, writing::Ledger};
use crate::{
    Agents, Zone, ZoneId,
    carried_agents::CarriedAgents,
    epoch::Epoch,
    keeper::{Entry, Keeper, KeeperError, Sequence},
    seal::Versioned,
};
use bevy_ecs::prelude::*;
use nav::AgentId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Report of a zone about itself, between two ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Zone.
    pub zone: ZoneId,
    /// Tick of the zone.
    pub tick: u64,
    /// Last entry of others that the zone applied, and last entry of its own known to be written.
    pub places: (Sequence, Sequence),
    /// Agents that live in the zone.
    pub agents: Vec<(AgentId, Epoch)>,
    /// Agents spawned in the zone or handed over by it that may not be in the ledger yet.
    pub unwritten: Vec<AgentId>,
}

impl Statement {
    /// Creates the statement of the zone of an app. `None` if the zone writes no ledger.
    pub fn of(world: &World) -> Option<Self> {
        let (zone, ledger) = (
            world.get_resource::<Zone>()?,
            world.get_resource::<Ledger>()?,
        );
        let mut unwritten: Vec<AgentId> = ledger.link.unwritten().collect();
        let living = world.resource::<Agents>().living(world);
        let agents = living.map(|(id, agent)| {
            let epoch = world.get::<Epoch>(agent);
            if epoch.is_none() {
                unwritten.push(id);
            }
            (id, epoch.copied().unwrap_or_default())
        });
        let agents = agents.collect();
        Some(Self {
            zone: zone.id(),
            tick: zone.tick(),
            places: (ledger.read, ledger.written),
            agents,
            unwritten,
        })
    }
}

/// Result of comparing the ledger with the statements of zones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Number of agents in the ledger.
    pub agents: usize,
    /// Number of agents on their way between zones.
    pub under_way: usize,
    /// Agents that no zone has.
    pub lost: Vec<AgentId>,
    /// Agents that several zones have, or a zone that should not.
    pub doubled: Vec<AgentId>,
    /// Zones without a statement.
    pub silent: Vec<ZoneId>,
    /// Number of entries that cannot be read.
    pub damaged: u64,
}

impl Audit {
    /// Returns whether every agent lives in exactly one zone.
    pub fn is_clean(&self) -> bool {
        self.lost.is_empty() && self.doubled.is_empty() && self.silent.is_empty()
    }
}

/// Zone of an agent according to the ledger, with the entry that says so.
#[derive(Clone, Copy)]
struct Known {
    zone: ZoneId,
    epoch: Epoch,
    from: ZoneId,
    place: Sequence,
}

/// Compares the ledger with the statements of zones. Zones may go on meanwhile.
///
/// # Errors
///
/// [`KeeperError::Unreachable`].
pub fn audit(
    keeper: &mut dyn Keeper,
    zones: &[ZoneId],
    statements: &[Statement],
) -> Result<Audit, KeeperError> {
    let mut found = Audit::default();
    let known = read_ledger(keeper, zones, &mut found)?;
    let by_zone: BTreeMap<ZoneId, &Statement> = statements
        .iter()
        .map(|statement| (statement.zone, statement))
        .collect();
    let silent = zones.iter().filter(|zone| !by_zone.contains_key(zone));
    found.silent = silent.copied().collect();
    found.agents = known.len();
    let mut owned: BTreeSet<AgentId> = BTreeSet::new();
    for statement in statements {
        let unwritten: BTreeSet<AgentId> = statement.unwritten.iter().copied().collect();
        for &(id, epoch) in &statement.agents {
            let is_right = match known.get(&id) {
                Some(known) if known.epoch == epoch => known.zone == statement.zone,
                // The agent was handed over after the statement.
                Some(known) if known.epoch > epoch => known.place > statement.places.1,
                _ => unwritten.contains(&id),
            };
            if !is_right || !owned.insert(id) {
                found.doubled.push(id);
            }
        }
    }
    for (&id, known) in &known {
        if owned.contains(&id) {
            continue;
        }
        let says = |zone| by_zone.get(&zone);
        let has_not_come = says(known.zone).is_none_or(|to: &&Statement| {
            let read = if known.from == known.zone {
                to.places.1
            } else {
                to.places.0
            };
            known.place > read || to.unwritten.contains(&id)
        });
        if has_not_come {
            found.under_way += 1;
        } else {
            found.lost.push(id);
        }
    }
    Ok(found)
}

/// Returns the zone of every agent, from the last snapshots and the ledger since.
fn read_ledger(
    keeper: &mut dyn Keeper,
    zones: &[ZoneId],
    found: &mut Audit,
) -> Result<BTreeMap<AgentId, Known>, KeeperError> {
    let mut known: BTreeMap<AgentId, Known> = BTreeMap::new();
    let mut entries: Vec<Entry> = Vec::new();
    for &zone in zones {
        let snapshot = keeper.snapshot(zone)?;
        let snapshot = snapshot.and_then(|bytes| Snapshot::from_bytes(&bytes));
        for &(id, epoch) in snapshot.iter().flat_map(|snapshot| snapshot.agents.ids()) {
            let here = Known {
                zone,
                epoch,
                from: zone,
                place: Sequence::default(),
            };
            let known = known.entry(id).or_insert(here);
            if known.epoch < epoch {
                *known = here;
            }
        }
        entries.extend(keeper.all_entries_from(zone, Sequence::default())?);
    }
    entries.sort_by_key(|entry| entry.sequence);
    for entry in entries.iter().filter(|entry| !entry.contents.is_empty()) {
        let Some(LedgerEntry { agents, gone, .. }) = LedgerEntry::from_bytes(&entry.contents)
        else {
            found.damaged += 1;
            continue;
        };
        for (id, epoch) in gone {
            if known.get(&id).is_some_and(|known| known.epoch <= epoch) {
                known.remove(&id);
            }
        }
        for &(id, epoch) in agents.iter().flat_map(CarriedAgents::ids) {
            let now = Known {
                zone: entry.to,
                epoch,
                from: entry.from,
                place: entry.sequence,
            };
            let known = known.entry(id).or_insert(now);
            if known.epoch <= epoch {
                *known = now;
            }
        }
    }
    Ok(known)
}
