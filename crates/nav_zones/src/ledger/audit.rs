//! Audit: checks that every agent of a world lives in exactly one zone.

use super::{
    received::Received,
    snapshot::Snapshot,
    writing::{Ledger, LedgerEntry},
};
use crate::{
    Agents, Epoch, Zone, ZoneId,
    carried_agents::CarriedAgents,
    keeper::{Entry, EntryNumber, Keeper, KeeperError, Places, Sequence, Term},
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
    /// Term of its process.
    pub term: Term,
    /// Last entry of others that the zone applied, and last entry of its own known to be written.
    pub places: Places,
    /// Entries of other zones that the zone applied, by their numbers.
    pub received: Received,
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
        let mut agents = Vec::new();
        for (id, agent) in world.resource::<Agents>().living(world) {
            let epoch = world.get::<Epoch>(agent);
            if epoch.is_none() {
                unwritten.push(id);
            }
            agents.push((id, epoch.copied().unwrap_or_default()));
        }
        Some(Self {
            zone: zone.id(),
            tick: zone.tick(),
            term: ledger.link.term,
            places: ledger.places,
            received: ledger.received.clone(),
            agents,
            unwritten,
        })
    }
}

/// Result of comparing the ledger with the statements of zones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Number of zones that were asked.
    pub zones: usize,
    /// Number of agents in the ledger.
    pub agents: usize,
    /// Number of agents on their way between zones.
    pub under_way: usize,
    /// Agents that no zone has.
    pub lost: Vec<AgentId>,
    /// Agents that several zones have, or a zone that should not.
    pub doubled: Vec<AgentId>,
    /// Zones of the world, or with agents, without a statement of their present process.
    pub silent: Vec<ZoneId>,
    /// Zones of the world that had no process when the broker lost its store. What happened there
    /// since its last snapshot is not known.
    pub unknown: Vec<ZoneId>,
    /// Number of entries that cannot be read.
    pub damaged: u64,
}

/// The verdict of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every agent lives in exactly one zone.
    Clean,
    /// Zones are silent, or had no process when the store was lost. There is no fault in the
    /// others.
    Unknown,
    /// Agents are lost or doubled.
    Faults,
}

impl Audit {
    /// Returns what the audit says.
    pub const fn verdict(&self) -> Verdict {
        if !self.lost.is_empty() || !self.doubled.is_empty() {
            Verdict::Faults
        } else if !self.silent.is_empty() || !self.unknown.is_empty() {
            Verdict::Unknown
        } else {
            Verdict::Clean
        }
    }

    /// Returns whether every agent lives in exactly one zone.
    pub fn is_clean(&self) -> bool {
        self.verdict() == Verdict::Clean
    }

    /// Keeps the faults that an earlier audit found, too. A fault stays.
    pub fn confirm(&mut self, before: &Self) {
        self.lost.retain(|id| before.lost.contains(id));
        self.doubled.retain(|id| before.doubled.contains(id));
    }
}

/// Zone of an agent according to the ledger, with the entry that says so.
#[derive(Clone, Copy)]
struct Known {
    zone: ZoneId,
    epoch: Epoch,
    from: ZoneId,
    place: Sequence,
    /// Whether the agent exists.
    lives: bool,
}

/// The content of the ledger up to one position.
#[derive(Default)]
struct Cut {
    known: BTreeMap<AgentId, Known>,
    /// The term of each zone.
    terms: BTreeMap<ZoneId, Term>,
    /// The places up to which zones dropped entries.
    forgotten: BTreeMap<ZoneId, Places>,
    snapshots: BTreeMap<ZoneId, Contained>,
    damaged: u64,
}

/// Entries that a snapshot contains, and how often the store was lost before it.
struct Contained {
    places: Places,
    received: Received,
    losses: u64,
}

/// Entries in memory at once. A guess: an entry has at most some 300 kB.
const AT_ONCE: usize = 64;

/// Compares the ledger with the statements of zones. Zones may go on meanwhile.
///
/// `zones` are those of the world. A statement of an earlier process of a zone than the ledger
/// knows counts as none.
///
/// The ledger is read after the statements and up to one position. It has all that zones did before
/// their statements, and the positions in these show which entries are later.
///
/// # Errors
///
/// [`KeeperError::Unreachable`].
pub fn audit(
    keeper: &mut dyn Keeper,
    zones: &[ZoneId],
    statements: &[Statement],
) -> Result<Audit, KeeperError> {
    let mut cut = Cut::read(keeper, zones, statements)?;
    let mut by_zone: BTreeMap<ZoneId, &Statement> = BTreeMap::new();
    for statement in statements {
        let zone = statement.zone;
        let is_present = cut
            .terms
            .get(&zone)
            .is_none_or(|&term| statement.term >= term);
        // Without the entries since, there is no telling what it was right about.
        let forgotten = cut.forgotten(keeper, zone)?;
        if is_present && forgotten.are_within(statement.places) {
            by_zone.insert(zone, statement);
        }
    }
    let losses = keeper.losses()?;
    let is_unknown = |zone: &&ZoneId| {
        let before = cut
            .snapshots
            .get(zone)
            .map_or(0, |snapshot| snapshot.losses);
        before < losses
    };
    let unknown = zones.iter().filter(is_unknown).copied().collect();
    let Cut { known, damaged, .. } = cut;
    let living = || known.iter().filter(|(_, known)| known.lives);
    let mut silent: BTreeSet<ZoneId> = living().map(|(_, known)| known.zone).collect();
    silent.extend(zones);
    silent.retain(|zone| !by_zone.contains_key(zone));
    let mut found = Audit {
        zones: zones.len(),
        agents: living().count(),
        silent: silent.into_iter().collect(),
        unknown,
        damaged,
        ..Audit::default()
    };
    let mut owned: BTreeSet<AgentId> = BTreeSet::new();
    for statement in by_zone.values() {
        let unwritten: BTreeSet<AgentId> = statement.unwritten.iter().copied().collect();
        for &(id, epoch) in &statement.agents {
            let is_right = match known.get(&id) {
                Some(known) if known.lives && known.epoch == epoch => known.zone == statement.zone,
                // The agent was handed over, or ceased to exist, after the statement.
                Some(known) if known.epoch >= epoch => known.place > statement.places.written,
                _ => unwritten.contains(&id),
            };
            if !is_right || !owned.insert(id) {
                found.doubled.push(id);
            }
        }
    }
    for (&id, known) in living() {
        if owned.contains(&id) {
            continue;
        }
        let has_not_come = by_zone.get(&known.zone).is_none_or(|to| {
            let read = if known.from == known.zone {
                to.places.written
            } else {
                to.places.read
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

/// Returns the agents that other zones than one have, each with its number of hand-overs.
pub(super) fn agents_elsewhere(
    keeper: &mut dyn Keeper,
    zone: ZoneId,
) -> Result<BTreeMap<AgentId, Epoch>, KeeperError> {
    let holders = keeper.holders()?;
    let zones: Vec<ZoneId> = holders.iter().map(|holder| holder.zone).collect();
    let cut = Cut::read(keeper, &zones, &[])?;
    let elsewhere = cut.known.into_iter().filter(|(_, it)| it.zone != zone);
    Ok(elsewhere.map(|(id, it)| (id, it.epoch)).collect())
}

impl Cut {
    /// Reads snapshots and the ledger, an entry after the other.
    fn read(
        keeper: &mut dyn Keeper,
        zones: &[ZoneId],
        statements: &[Statement],
    ) -> Result<Self, KeeperError> {
        let mut cut = Self::default();
        cut.read_snapshots(keeper, zones, statements)?;
        let mut after = Sequence::default();
        loop {
            let entries = keeper.entries(after, AT_ONCE)?;
            let Some(last) = entries.last() else {
                return Ok(cut);
            };
            after = last.sequence;
            for entry in &entries {
                cut.note_entry(keeper, entry, statements)?;
            }
        }
    }

    /// Returns the places up to which a zone dropped entries, when this first asked for them.
    fn forgotten(&mut self, keeper: &mut dyn Keeper, zone: ZoneId) -> Result<Places, KeeperError> {
        if let Some(&places) = self.forgotten.get(&zone) {
            return Ok(places);
        }
        let places = keeper.forgotten(zone)?;
        self.forgotten.insert(zone, places);
        Ok(places)
    }

    /// Reads the last snapshots, for what the ledger no longer has.
    ///
    /// First: the ledger then has all entries since. In the other order an agent could leave a zone
    /// after that was read, and be in the snapshot of another one without the entry that says why.
    fn read_snapshots(
        &mut self,
        keeper: &mut dyn Keeper,
        zones: &[ZoneId],
        statements: &[Statement],
    ) -> Result<(), KeeperError> {
        let mut all: BTreeSet<ZoneId> = zones.iter().copied().collect();
        all.extend(statements.iter().map(|statement| statement.zone));
        for zone in all {
            let snapshot = keeper.snapshot(zone)?;
            let Some(Ok(snapshot)) = snapshot.map(|bytes| Snapshot::from_bytes(&bytes)) else {
                continue;
            };
            for &(id, epoch) in snapshot.agents.ids() {
                self.note(id, (zone, zone), epoch, Sequence::default());
            }
            let Snapshot {
                places,
                received,
                losses,
                ..
            } = snapshot;
            let contained = Contained {
                places,
                received,
                losses,
            };
            self.snapshots.insert(zone, contained);
        }
        Ok(())
    }

    /// Records an entry of the ledger, unless it is one of those that zones dropped.
    fn note_entry(
        &mut self,
        keeper: &mut dyn Keeper,
        entry: &Entry,
        statements: &[Statement],
    ) -> Result<(), KeeperError> {
        let &Entry { from, to, term, .. } = entry;
        let last = self.terms.entry(from).or_default();
        *last = term.max(*last);
        let place = entry.sequence;
        if entry.contents.is_empty() {
            return Ok(());
        }
        // The last entry of a zone is left, while later ones about the same agents are gone. The
        // snapshots contain all of these.
        let is_written = place <= self.forgotten(keeper, from)?.written;
        if is_written && (from == to || place <= self.forgotten(keeper, to)?.read) {
            return Ok(());
        }
        let read = LedgerEntry::from_bytes(&entry.contents);
        let Ok(LedgerEntry {
            number,
            agents,
            gone,
            ..
        }) = read
        else {
            self.damaged += 1;
            return Ok(());
        };
        if self.is_contained(entry, number, statements) {
            return Ok(());
        }
        let mut of_zone = statements.iter().filter(|statement| statement.zone == from);
        let is_stated = of_zone.all(|statement| place <= statement.places.written);
        for (id, epoch) in gone {
            let Some(known) = self.known.get_mut(&id).filter(|known| known.epoch <= epoch) else {
                continue;
            };
            // Its zone stated after the death what it has.
            if is_stated {
                self.known.remove(&id);
            } else {
                (known.lives, known.epoch, known.place) = (false, epoch, place);
            }
        }
        for &(id, epoch) in agents.iter().flat_map(CarriedAgents::ids) {
            self.note(id, (from, to), epoch, place);
        }
        Ok(())
    }

    /// Returns whether an entry says nothing: its zones have it in their snapshots and statements.
    ///
    /// It may then be written again, while later ones about the same agents are lost.
    fn is_contained(&self, entry: &Entry, number: EntryNumber, statements: &[Statement]) -> bool {
        let (place, from, to) = (entry.sequence, entry.from, entry.to);
        let contains = |zone: ZoneId, places: Places, received: &Received| {
            (zone != from || place <= places.written)
                && (zone != to || from == to || received.has(from, number))
        };
        let is_in_snapshot = |zone: ZoneId| {
            let snapshot = self.snapshots.get(&zone);
            snapshot.is_some_and(|it| contains(zone, it.places, &it.received))
        };
        let are_after = (statements.iter())
            .all(|statement| contains(statement.zone, statement.places, &statement.received));
        is_in_snapshot(from) && is_in_snapshot(to) && are_after
    }

    /// Records where an agent lives, unless something later is known.
    fn note(&mut self, id: AgentId, (from, zone): (ZoneId, ZoneId), epoch: Epoch, place: Sequence) {
        let now = Known {
            zone,
            epoch,
            from,
            place,
            lives: true,
        };
        let known = self.known.entry(id).or_insert(now);
        // An id of an agent that ceased to exist may be given again.
        if known.epoch <= epoch || !known.lives {
            *known = now;
        }
    }
}
