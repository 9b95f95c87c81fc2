//! Ledger of a zone: what it wrote, and what it still has to write.

use super::{
    events::Events,
    link::{KeeperLink, Restart},
    statement::Extent,
};
use crate::{
    Epoch, Zone, ZoneError, ZoneId,
    carried_agents::{AgentEpoch, CarriedAgents},
    keeper::EntryNumber,
    seal::{Format, Versioned},
};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, extend::Mirror};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Part of the ledger that belongs to this zone.
#[derive(Resource)]
pub(crate) struct Ledger {
    pub(crate) link: KeeperLink,
    /// Whether all work of earlier ticks was done when this tick began to write.
    pub(crate) is_idle: bool,
    /// Part of the ledger that was applied, and was written and confirmed.
    pub(crate) extent: Extent,
    pub(crate) events: Events,
    pub(crate) snapshots: SnapshotPolicy,
    /// How often the store was lost while a process had this zone in memory.
    pub(crate) losses: u64,
    /// Whether agents may wait for their births to be written: more than a tick has time for, or
    /// the first ones.
    pub(crate) has_unborn: bool,
    /// Number of the last entry.
    last: EntryNumber,
    /// Agents that ceased to exist since the last tick.
    died: Vec<AgentEpoch>,
}

/// Spawned agents that are written in one tick, lowest ids first: four entries.
///
/// A game may begin with a hundred thousand agents, which 25 ticks then write.
const BIRTHS_PER_TICK: usize = 4000;

/// Agents in one entry. With some 300 bytes each they take a third of 1 MiB, the default limit of a
/// broker. Larger entries are split.
const AGENTS_PER_ENTRY: usize = 1000;

impl Ledger {
    pub(crate) fn new(link: KeeperLink, snapshots: SnapshotPolicy) -> Self {
        Self {
            link,
            is_idle: true,
            extent: Extent::default(),
            events: Events::default(),
            snapshots,
            losses: 0,
            has_unborn: true,
            last: EntryNumber::default(),
            died: Vec::new(),
        }
    }

    /// Returns the number of the next entry.
    fn next_number(&mut self) -> EntryNumber {
        if self.last.term != self.link.term {
            let (term, number) = (self.link.term, 0);
            self.last = EntryNumber { term, number };
        }
        self.last.number += 1;
        self.last
    }

    /// Continues in a store that lost what it had: a snapshot of all agents is due.
    pub(crate) fn restart(&mut self, tick: u64, restart: Restart) {
        self.link.term = restart.term;
        self.losses = restart.losses;
        self.extent.places = restart.places;
        self.snapshots.last = tick.saturating_sub(self.snapshots.every);
    }

    /// Writes agents for a zone, in as many entries as needed. Counts a hand-over for agents that
    /// leave.
    ///
    /// # Errors
    ///
    /// [`ZoneError::Unwritten`].
    pub(crate) fn write_agents(
        &mut self,
        world: &World,
        agents: &[(AgentId, Entity)],
        to: ZoneId,
        tick: u64,
    ) -> Result<(), ZoneError> {
        for some in agents.chunks(AGENTS_PER_ENTRY) {
            let mut written = CarriedAgents::of(world, some).map_err(ZoneError::Unwritten)?;
            if to != self.link.zone {
                written.advance_epochs();
            }
            let bytes = self.entry(tick, Some(written), Vec::new())?;
            let (size, max) = (bytes.len(), self.link.entry_max);
            if size <= max {
                let ids = some.iter().map(|&(id, _)| id).collect();
                self.link.append(to, bytes, ids);
            } else if let &[(id, _)] = some {
                let why = format!("agent {}: {size} bytes, of {max} at most", id.0);
                return Err(ZoneError::Unwritten(why));
            } else {
                let (one, other) = some.split_at(some.len() / 2);
                self.write_agents(world, one, to, tick)?;
                self.write_agents(world, other, to, tick)?;
            }
        }
        Ok(())
    }

    /// Writes the agents that ceased to exist.
    fn write_deaths(&mut self, tick: u64) -> Result<(), ZoneError> {
        if !self.died.is_empty() {
            let gone = std::mem::take(&mut self.died);
            let bytes = self.entry(tick, None, gone)?;
            self.link.append(self.link.zone, bytes, Vec::new());
        }
        Ok(())
    }

    /// Makes the next entry.
    fn entry(
        &mut self,
        tick: u64,
        agents: Option<CarriedAgents>,
        gone: Vec<AgentEpoch>,
    ) -> Result<Vec<u8>, ZoneError> {
        let entry = LedgerEntry {
            number: self.next_number(),
            tick,
            agents,
            gone,
        };
        entry.to_bytes().map_err(ZoneError::Unwritten)
    }
}

/// Records the death of a local agent: it was despawned, or lost its id.
pub(crate) fn note_death(
    unnumbered: On<Discard<AgentId>>,
    agents: Query<(&AgentId, &Epoch), Without<Mirror>>,
    ledger: Option<ResMut<Ledger>>,
) {
    if let Ok((&id, &epoch)) = agents.get(unnumbered.entity)
        // Absent while arrivals are inserted, which get their id again: nobody dies then.
        && let Some(mut ledger) = ledger
    {
        ledger.died.push(AgentEpoch { id, epoch });
    }
}

type Unwritten = (With<CellPosition>, Without<Epoch>, Without<Mirror>);

/// Writes the births and deaths in this zone that are not in the ledger yet.
pub(crate) fn write_births_and_deaths(world: &mut World) {
    let mut unwritten = world.query_filtered::<(&AgentId, Entity), Unwritten>();
    let mut born: Vec<(AgentId, Entity)> = Vec::new();
    for (&id, agent) in unwritten.iter(world) {
        born.push((id, agent));
    }
    let mut ledger = world.resource_mut::<Ledger>();
    ledger.has_unborn = born.len() > BIRTHS_PER_TICK;
    if born.is_empty() && ledger.died.is_empty() {
        return;
    }
    born.sort_unstable();
    born.truncate(BIRTHS_PER_TICK);
    for &(_, agent) in &born {
        world.entity_mut(agent).insert(Epoch::default());
    }
    let zone = world.resource::<Zone>();
    let (id, tick) = (zone.id(), zone.tick());
    let written = world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        // Deaths first: an id may have been assigned again.
        ledger.write_deaths(tick)?;
        ledger.write_agents(world, &born, id, tick)
    });
    if let Err(error) = written {
        world.resource_mut::<Zone>().exchange.fail(error);
    }
}

/// Entry: agents that live in the receiving zone from now on, and agents that no longer exist.
#[derive(Serialize, Deserialize)]
pub(crate) struct LedgerEntry {
    /// Its number among the entries of its zone.
    pub(crate) number: EntryNumber,
    /// Tick of the zone that wrote it.
    pub(crate) tick: u64,
    /// In an entry of a zone for itself, agents that were spawned there.
    pub(crate) agents: Option<CarriedAgents>,
    pub(crate) gone: Vec<AgentEpoch>,
}

impl Versioned for LedgerEntry {
    const FORMAT: Format = Format::STATE;
}

/// Interval between snapshots, and the ticks of the last ones.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotPolicy {
    pub(super) every: u64,
    pub(crate) last: u64,
    /// Tick of the last confirmed snapshot.
    pub(crate) kept: u64,
}

impl SnapshotPolicy {
    /// Creates a policy with one snapshot every `ticks`.
    pub(crate) const fn every(ticks: u64) -> Self {
        Self {
            every: ticks,
            last: 0,
            kept: 0,
        }
    }
}

/// How the zone of an app is kept at present.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeeperStatus {
    /// Entries, snapshots and events that are not confirmed yet.
    pub waiting: u64,
    /// For how long the process still holds the zone, unless it renews its lease.
    pub lease_left: Duration,
    /// Tick of the last snapshot that was confirmed.
    pub snapshot: u64,
    /// How often the store was lost while a process had the zone.
    pub losses: u64,
    /// Why the last call of the keeper failed.
    pub trouble: Option<String>,
}

impl KeeperStatus {
    /// Returns the status of the zone of an app. `None` if the zone writes no ledger.
    pub fn of(world: &World) -> Option<Self> {
        let ledger = world.get_resource::<Ledger>()?;
        Some(Self {
            waiting: ledger.link.waiting(),
            lease_left: ledger.link.lease_left(),
            snapshot: ledger.snapshots.kept,
            losses: ledger.losses,
            trouble: ledger.link.trouble(),
        })
    }
}
