//! Restoring a zone from its last snapshot and the ledger since.

use super::{
    audit::agents_elsewhere,
    received::Received,
    snapshot::Snapshot,
    writing::{Ledger, LedgerEntry},
};
use crate::{
    Agents, Epoch, ZoneError, ZoneId,
    carried_agents::{AgentEpoch, CarriedAgents},
    departure::leave_mirrors,
    keeper::{EntriesOf, Entry, Keeper, KeeperError, Lease, Places, Sequence, StoredEvent},
    seal::{Unread, Versioned},
};
use bevy_ecs::prelude::*;
use nav::AgentId;
use std::collections::BTreeSet;

/// State of a zone at its keeper: the last snapshot, the ledger since, and the events of the world.
pub struct KeptState {
    zone: ZoneId,
    snapshot: Option<Snapshot>,
    /// Entries for the zone and entries from it, in order.
    entries: Vec<Entry>,
    events: Vec<StoredEvent>,
    places: Places,
    /// How often the store was lost.
    losses: u64,
    /// Agents that other zones have, if this one had no process when the store was lost: what it
    /// has is older then.
    elsewhere: Vec<AgentEpoch>,
}

/// Progress of reading from a keeper, at which a [`KeeperTask`](crate::KeeperTask) continues.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Last entry for the zone.
    pub(super) read: Sequence,
    pub(super) events: Vec<StoredEvent>,
    pub(super) losses: u64,
}

/// Summary of a restored zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Tick of the snapshot; `None` if there was none.
    pub snapshot: Option<u64>,
    /// Number of agents in the snapshot.
    pub in_snapshot: u64,
    /// Number of entries since the snapshot.
    pub entries: u64,
    /// Number of agents that live in the zone now.
    pub agents: u64,
    /// Number of entries and events that were refused.
    pub refused: u64,
}

impl KeptState {
    /// Reads the state of a zone that was just taken.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`]: try again. [`KeeperError::SnapshotLost`];
    /// [`KeeperError::Version`].
    pub fn read(keeper: &mut dyn Keeper, lease: &Lease) -> Result<Self, KeeperError> {
        Self::of_zone(keeper, lease.zone())
    }

    fn of_zone(keeper: &mut dyn Keeper, zone: ZoneId) -> Result<Self, KeeperError> {
        let bytes = keeper.snapshot(zone)?;
        let snapshot = match bytes.map(|bytes| Snapshot::from_bytes(&bytes)) {
            Some(Ok(snapshot)) => Some(snapshot),
            Some(Err(Unread::Version(found))) => {
                let what = "snapshot";
                return Err(KeeperError::Version { what, zone, found });
            }
            // A damaged snapshot counts as none, if the ledger still has everything.
            Some(Err(Unread::Damaged)) | None => None,
        };
        let (mut places, known_losses) = snapshot
            .as_ref()
            .map_or_else(Default::default, |it| (it.extent.places, it.losses));
        if !keeper.forgotten(zone)?.are_within(places) {
            return Err(KeeperError::SnapshotLost { zone });
        }
        let mut entries = Vec::new();
        for entry in keeper.all_entries(EntriesOf::To(zone), places.read)? {
            places.read = entry.sequence;
            entries.push(entry);
        }
        for entry in keeper.all_entries(EntriesOf::From(zone), places.written)? {
            places.written = entry.sequence;
            entries.push(entry);
        }
        entries.sort_by_key(|entry| entry.sequence);
        for entry in &entries {
            if let Err(Unread::Version(found)) = LedgerEntry::from_bytes(&entry.contents) {
                let what = "ledger";
                return Err(KeeperError::Version { what, zone, found });
            }
        }
        let losses = keeper.losses()?;
        let elsewhere = if known_losses < losses {
            agents_elsewhere(keeper, zone)?
        } else {
            Vec::new()
        };
        Ok(Self {
            zone,
            snapshot,
            entries,
            events: keeper.all_events(Sequence::default())?,
            places,
            losses,
            elsewhere,
        })
    }

    /// Returns from where the task of the zone continues.
    pub fn progress(&self) -> Progress {
        Progress {
            read: self.places.read,
            events: self.events.clone(),
            losses: self.losses,
        }
    }

    /// Returns the agents that earlier holders of the zone wrote to the ledger; `None` if one of
    /// them stored a snapshot, which has all agents, or if that may be lost.
    ///
    /// The first agents of a zone are to be spawned without these. A holder may have died while it
    /// wrote them, and other zones may have handed agents over before the zone had any holder.
    pub fn first_written(&self) -> Option<BTreeSet<AgentId>> {
        if self.snapshot.is_some() || self.losses > 0 {
            return None;
        }
        let mut written = BTreeSet::new();
        for entry in self.entries.iter().filter(|entry| entry.from == self.zone) {
            if let Ok(read) = LedgerEntry::from_bytes(&entry.contents) {
                let agents = read.agents.iter().flat_map(CarriedAgents::ids);
                written.extend(agents.chain(&read.gone).map(|agent| agent.id));
            }
        }
        Some(written)
    }

    /// Spawns the agents of the zone in an app.
    ///
    /// The app needs the zone's [`ZonePlugin`](crate::ZonePlugin) and all maps. Call it before the
    /// first tick, and after the [first agents](Self::first_written) were spawned.
    ///
    /// # Errors
    ///
    /// [`ZoneError::Refused`] if the snapshot is damaged.
    pub fn restore(self, world: &mut World) -> Result<Restored, ZoneError> {
        let mut restored = Restored::default();
        let zone = self.zone;
        let (mut received, mut losses) = (Received::default(), 0);
        if let Some(snapshot) = self.snapshot {
            (received, losses) = (snapshot.extent.received, snapshot.losses);
            restored.snapshot = Some(snapshot.tick);
            let inserted = snapshot.agents.insert(world);
            restored.in_snapshot = inserted.map_err(|why| ZoneError::Refused { zone, why })?;
        }
        for entry in self.entries {
            restored.entries += 1;
            let is_applied = apply(world, zone, &entry, &mut received);
            restored.refused += u64::from(!is_applied);
        }
        for agent in self.elsewhere {
            despawn_silently(world, agent);
        }
        if losses < self.losses {
            tracing::error!(
                zone = zone.0,
                "the zone had no process when the broker lost its store: what happened there is not known"
            );
        }
        let mut ledger = world.resource_mut::<Ledger>();
        (ledger.extent.places, ledger.extent.received) = (self.places, received);
        ledger.losses = losses;
        for event in &self.events {
            restored.refused += u64::from(!ledger.events.note(event));
        }
        restored.agents = world.resource::<Agents>().living(world).len() as u64;
        Ok(restored)
    }
}

/// Returns the last tick of a world that has stopped: that of the last snapshot or entry of any
/// zone.
///
/// A world that continues begins with the tick after it.
///
/// # Errors
///
/// Those of [`KeptState::read`], for any of the zones.
pub fn last_tick(keeper: &mut dyn Keeper, zones: &[ZoneId]) -> Result<u64, KeeperError> {
    let mut last = 0;
    for &zone in zones {
        let state = KeptState::of_zone(keeper, zone)?;
        last = last.max(state.snapshot.map_or(0, |snapshot| snapshot.tick));
        for entry in state.entries {
            let read = LedgerEntry::from_bytes(&entry.contents);
            last = last.max(read.map_or(0, |read| read.tick));
        }
    }
    Ok(last)
}

/// Applies an entry of the ledger to a zone. Returns whether the entry was valid.
fn apply(world: &mut World, zone: ZoneId, entry: &Entry, received: &mut Received) -> bool {
    if entry.contents.is_empty() {
        return true;
    }
    let Ok(read) = LedgerEntry::from_bytes(&entry.contents) else {
        return false;
    };
    if entry.from != zone && !received.note(entry.from, read.number) {
        return true;
    }
    for agent in read.gone {
        despawn_silently(world, agent);
    }
    let Some(agents) = read.agents else {
        return true;
    };
    if entry.to == zone {
        return insert_news(world, agents);
    }
    let mut left: Vec<(AgentId, Entity)> = Vec::new();
    for &agent in agents.ids() {
        left.extend(lives_here(world, agent).map(|entity| (agent.id, entity)));
    }
    leave_mirrors(world, &left, entry.to);
    true
}

/// Makes agents live here, unless one of them already does as of this hand-over or a later one.
pub(crate) fn insert_news(world: &mut World, agents: CarriedAgents) -> bool {
    let are_newer = agents.ids().iter().all(|agent| {
        let entity = world.resource::<Agents>().get(agent.id);
        let here = entity.and_then(|entity| world.get::<Epoch>(entity));
        here.is_none_or(|&here| here < agent.epoch)
    });
    are_newer && agents.insert(world).is_ok()
}

/// Returns an agent that lives here, unless it came back after this epoch.
fn lives_here(world: &World, agent: AgentEpoch) -> Option<Entity> {
    let entity = world.resource::<Agents>().get(agent.id)?;
    let here = world.get::<Epoch>(entity)?;
    (*here <= agent.epoch).then_some(entity)
}

/// Despawns an agent that does not live here according to the ledger. That has its death already,
/// or another zone has the agent: without an epoch, the despawn writes no death.
fn despawn_silently(world: &mut World, agent: AgentEpoch) {
    if let Some(entity) = lives_here(world, agent) {
        world.entity_mut(entity).remove::<Epoch>();
        world.despawn(entity);
    }
}
