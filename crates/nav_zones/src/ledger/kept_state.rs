//! Restoring a zone from its last snapshot and the ledger since.

use super::{
    audit::agents_elsewhere,
    received::Received,
    snapshot::Snapshot,
    writing::{Ledger, LedgerEntry},
};
use crate::{
    Agents, Epoch, ZoneError, ZoneId,
    agents::maps,
    carried::Carried,
    carried_agents::CarriedAgents,
    departure::leave_mirrors,
    keeper::{Entry, Keeper, KeeperError, Lease, Places, Sequence},
    seal::{Unread, Versioned},
};
use bevy_ecs::prelude::*;
use nav::AgentId;
use std::collections::{BTreeMap, BTreeSet};

/// State of a zone at its keeper: the last snapshot, the ledger since, and the events of the world.
pub struct KeptState {
    zone: ZoneId,
    snapshot: Option<Snapshot>,
    /// Entries for the zone and entries from it, in order.
    entries: Vec<Entry>,
    events: Vec<(Sequence, Vec<u8>)>,
    places: Places,
    /// How often the store was lost.
    losses: u64,
    /// Agents that other zones have, if this one had no process when the store was lost: what it
    /// has is older then.
    elsewhere: BTreeMap<AgentId, Epoch>,
}

/// Progress of reading from a keeper, at which a [`KeeperTask`](crate::KeeperTask) continues.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Last entry for the zone.
    pub(super) read: Sequence,
    pub(super) events: Vec<(Sequence, Vec<u8>)>,
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
        let of_version =
            |what: &'static str, found: u16| KeeperError::Version { what, zone, found };
        let snapshot = keeper.snapshot(zone)?;
        let snapshot = match snapshot.map(|bytes| Snapshot::from_bytes(&bytes)) {
            Some(Ok(snapshot)) => Some(snapshot),
            Some(Err(Unread::Version(found))) => return Err(of_version("snapshot", found)),
            // A damaged snapshot counts as none, if the ledger still has everything.
            Some(Err(Unread::Damaged)) | None => None,
        };
        let places = snapshot.as_ref().map(|snapshot| snapshot.places);
        let places = places.unwrap_or_default();
        if !keeper.forgotten(zone)?.are_within(places) {
            return Err(KeeperError::SnapshotLost { zone });
        }
        let last = |of: &[Entry], before| of.last().map_or(before, |entry: &Entry| entry.sequence);
        let mut entries = keeper.all_entries_to(zone, places.read)?;
        let own = keeper.all_entries_from(zone, places.written)?;
        let places = Places {
            read: last(&entries, places.read),
            written: last(&own, places.written),
        };
        entries.extend(own);
        entries.sort_by_key(|entry| entry.sequence);
        for entry in &entries {
            if let Err(Unread::Version(found)) = LedgerEntry::from_bytes(&entry.contents) {
                return Err(of_version("ledger", found));
            }
        }
        let losses = keeper.losses()?;
        let known = snapshot.as_ref().map_or(0, |snapshot| snapshot.losses);
        let elsewhere = if known < losses {
            agents_elsewhere(keeper, zone)?
        } else {
            BTreeMap::new()
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
        let own = self.entries.iter().filter(|entry| entry.from == self.zone);
        let own = own.filter_map(|entry| LedgerEntry::from_bytes(&entry.contents).ok());
        let ids = own.flat_map(|LedgerEntry { agents, gone, .. }| {
            let agents = agents.iter().flat_map(CarriedAgents::ids);
            let ids = agents.chain(&gone).map(|&(id, _)| id);
            ids.collect::<Vec<AgentId>>()
        });
        Some(ids.collect())
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
        let maps = maps(world);
        let zone = self.zone;
        let (mut received, mut losses) = (Received::default(), 0);
        world.resource_scope(|world, carried: Mut<Carried>| {
            if let Some(snapshot) = self.snapshot {
                (received, losses) = (snapshot.received, snapshot.losses);
                restored.snapshot = Some(snapshot.tick);
                let inserted = snapshot.agents.insert(world, &maps, &carried);
                let refused = |why| ZoneError::Refused { zone, why };
                restored.in_snapshot = inserted.map_err(refused)?;
            }
            for entry in self.entries {
                restored.entries += 1;
                let is_applied = apply(world, zone, &entry, &mut received, (&maps, &carried));
                restored.refused += u64::from(!is_applied);
            }
            Ok::<(), ZoneError>(())
        })?;
        for (id, epoch) in self.elsewhere {
            if let Some(agent) = lives_here(world, id, epoch) {
                // Its zone says so: nobody dies.
                world.entity_mut(agent).remove::<Epoch>();
                world.despawn(agent);
            }
        }
        if losses < self.losses {
            tracing::error!(
                zone = zone.0,
                "the zone had no process when the broker lost its store: what happened there is not known"
            );
        }
        let mut ledger = world.resource_mut::<Ledger>();
        (ledger.places, ledger.received, ledger.losses) = (self.places, received, losses);
        for (place, event) in &self.events {
            restored.refused += u64::from(!ledger.events.note(*place, event));
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
        let KeptState {
            snapshot, entries, ..
        } = KeptState::of_zone(keeper, zone)?;
        last = last.max(snapshot.map_or(0, |snapshot| snapshot.tick));
        for entry in entries {
            let entry = LedgerEntry::from_bytes(&entry.contents);
            last = last.max(entry.map_or(0, |entry| entry.tick));
        }
    }
    Ok(last)
}

/// Applies an entry of the ledger to a zone. Returns whether the entry was valid.
fn apply(
    world: &mut World,
    zone: ZoneId,
    entry: &Entry,
    received: &mut Received,
    (maps, carried): (&[Entity], &Carried),
) -> bool {
    if entry.contents.is_empty() {
        return true;
    }
    let read = LedgerEntry::from_bytes(&entry.contents);
    let Ok(LedgerEntry {
        number,
        agents,
        gone,
        ..
    }) = read
    else {
        return false;
    };
    if entry.from != zone && !received.note(entry.from, number) {
        return true;
    }
    for (id, epoch) in gone {
        if let Some(agent) = lives_here(world, id, epoch) {
            // The ledger already has this death: without an epoch, the despawn writes no second
            // one.
            world.entity_mut(agent).remove::<Epoch>();
            world.despawn(agent);
        }
    }
    let Some(agents) = agents else {
        return true;
    };
    if entry.to == zone {
        return insert_news(world, agents, (maps, carried));
    }
    let lives = |&(id, epoch): &(AgentId, Epoch)| Some((id, lives_here(world, id, epoch)?));
    let left: Vec<(AgentId, Entity)> = agents.ids().iter().filter_map(lives).collect();
    leave_mirrors(world, &left, entry.to, carried);
    true
}

/// Makes agents live here, unless one of them already does as of this hand-over or a later one.
pub(crate) fn insert_news(
    world: &mut World,
    agents: CarriedAgents,
    (maps, carried): (&[Entity], &Carried),
) -> bool {
    let lives = |&(id, epoch): &(AgentId, Epoch)| {
        let agent = world.resource::<Agents>().get(id);
        let here = agent.and_then(|agent| world.get::<Epoch>(agent));
        here.is_some_and(|&here| here >= epoch)
    };
    !agents.ids().iter().any(lives) && agents.insert(world, maps, carried).is_ok()
}

/// Returns an agent that lives here, unless it came back after `epoch`.
fn lives_here(world: &World, id: AgentId, epoch: Epoch) -> Option<Entity> {
    let agent = world.resource::<Agents>().get(id)?;
    let here = world.get::<Epoch>(agent)?;
    (*here <= epoch).then_some(agent)
}
