//! Content of the ledger up to one position, with the snapshots for what it no longer has.

use super::{
    snapshot::Snapshot,
    statement::{Extent, Statement},
    writing::LedgerEntry,
};
use crate::{
    Epoch, ZoneId,
    carried_agents::{AgentEpoch, CarriedAgents},
    keeper::{EntriesOf, Entry, EntryNumber, Keeper, KeeperError, Places, Sequence, Term},
    seal::Versioned,
};
use nav::AgentId;
use std::collections::{BTreeMap, BTreeSet};

/// Content of the ledger up to one position, read after some statements of zones.
#[derive(Default)]
pub(super) struct Cut {
    pub(super) known: BTreeMap<AgentId, Known>,
    /// The term of each zone.
    terms: BTreeMap<ZoneId, Term>,
    /// The places up to which zones dropped entries.
    forgotten: BTreeMap<ZoneId, Places>,
    snapshots: BTreeMap<ZoneId, Contained>,
    /// Number of entries that cannot be read.
    pub(super) damaged: u64,
}

/// Zone of an agent according to the ledger, with the entry that says so.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) zone: ZoneId,
    pub(super) epoch: Epoch,
    /// Writer of the entry.
    from: ZoneId,
    place: Sequence,
    /// Whether the agent exists.
    pub(super) lives: bool,
}

/// Entries that a snapshot contains, and how often the store was lost before it.
struct Contained {
    extent: Extent,
    losses: u64,
}

/// Entries in memory at once: some 20 MB, since an entry has at most some 300 kB.
const AT_ONCE: usize = 64;

impl Known {
    /// Returns whether a zone had not written the entry when it made a statement.
    pub(super) fn is_written_after(&self, statement: &Statement) -> bool {
        self.place > statement.extent.places.written
    }

    /// Returns whether the agent had not come to its zone when that made a statement.
    pub(super) fn comes_after(&self, statement: &Statement) -> bool {
        if self.from == self.zone {
            self.is_written_after(statement)
        } else {
            self.place > statement.extent.places.read
        }
    }
}

impl Cut {
    /// Reads snapshots and the ledger, an entry after the other.
    pub(super) fn read(
        keeper: &mut dyn Keeper,
        zones: &[ZoneId],
        statements: &[Statement],
    ) -> Result<Self, KeeperError> {
        let mut cut = Self::default();
        let mut all: BTreeSet<ZoneId> = zones.iter().copied().collect();
        all.extend(statements.iter().map(|statement| statement.zone));
        cut.read_snapshots(keeper, all)?;
        let mut after = Sequence::default();
        loop {
            let entries = keeper.entries(EntriesOf::All, after, AT_ONCE)?;
            let Some(last) = entries.last() else {
                return Ok(cut);
            };
            after = last.sequence;
            for entry in &entries {
                cut.note_entry(keeper, entry, statements)?;
            }
        }
    }

    /// Returns the agents that exist.
    pub(super) fn living(&self) -> impl Iterator<Item = (AgentId, &Known)> {
        let known = self.known.iter().map(|(&id, known)| (id, known));
        known.filter(|(_, known)| known.lives)
    }

    /// Returns how often the store was lost before the last snapshot of a zone.
    pub(super) fn losses_before_snapshot(&self, zone: ZoneId) -> u64 {
        let snapshot = self.snapshots.get(&zone);
        snapshot.map_or(0, |snapshot| snapshot.losses)
    }

    /// Returns whether a statement tells of the present process of its zone, and the ledger has all
    /// entries since.
    pub(super) fn is_present(
        &mut self,
        keeper: &mut dyn Keeper,
        statement: &Statement,
    ) -> Result<bool, KeeperError> {
        let term = self.terms.get(&statement.zone);
        let is_of_last_term = term.is_none_or(|&term| statement.term >= term);
        // Without the entries since, there is no telling what it was right about.
        let forgotten = self.forgotten(keeper, statement.zone)?;
        Ok(is_of_last_term && forgotten.are_within(statement.extent.places))
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
        zones: BTreeSet<ZoneId>,
    ) -> Result<(), KeeperError> {
        for zone in zones {
            let snapshot = keeper.snapshot(zone)?;
            let Some(Ok(snapshot)) = snapshot.map(|bytes| Snapshot::from_bytes(&bytes)) else {
                continue;
            };
            for &agent in snapshot.agents.ids() {
                self.note(agent, zone, zone, Sequence::default());
            }
            let Snapshot { extent, losses, .. } = snapshot;
            self.snapshots.insert(zone, Contained { extent, losses });
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
        if entry.contents.is_empty() || self.is_forgotten(keeper, entry)? {
            return Ok(());
        }
        let Ok(read) = LedgerEntry::from_bytes(&entry.contents) else {
            self.damaged += 1;
            return Ok(());
        };
        if self.is_contained(entry, read.number, statements) {
            return Ok(());
        }
        for death in read.gone {
            self.note_death(death, entry, statements);
        }
        for &agent in read.agents.iter().flat_map(CarriedAgents::ids) {
            self.note(agent, from, to, entry.sequence);
        }
        Ok(())
    }

    /// Returns whether the zones of an entry dropped it.
    ///
    /// The last entry of a zone is left, while later ones about the same agents are gone. The
    /// snapshots contain all of these.
    fn is_forgotten(
        &mut self,
        keeper: &mut dyn Keeper,
        entry: &Entry,
    ) -> Result<bool, KeeperError> {
        let &Entry { from, to, .. } = entry;
        Ok(entry.sequence <= self.forgotten(keeper, from)?.written
            && (from == to || entry.sequence <= self.forgotten(keeper, to)?.read))
    }

    /// Returns whether an entry says nothing: its zones have it in their snapshots and statements.
    ///
    /// It may then be written again, while later ones about the same agents are lost.
    fn is_contained(&self, entry: &Entry, number: EntryNumber, statements: &[Statement]) -> bool {
        let are_in_snapshots = [entry.from, entry.to].iter().all(|&zone| {
            let snapshot = self.snapshots.get(&zone);
            snapshot.is_some_and(|snapshot| snapshot.extent.covers(zone, entry, number))
        });
        are_in_snapshots
            && statements
                .iter()
                .all(|statement| statement.extent.covers(statement.zone, entry, number))
    }

    /// Records where an agent lives, unless something later is known.
    fn note(&mut self, agent: AgentEpoch, from: ZoneId, zone: ZoneId, place: Sequence) {
        let AgentEpoch { id, epoch } = agent;
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

    /// Records that an agent ceased to exist, unless something later is known.
    fn note_death(&mut self, death: AgentEpoch, entry: &Entry, statements: &[Statement]) {
        let Some(known) = self.known.get_mut(&death.id) else {
            return;
        };
        if known.epoch > death.epoch {
            return;
        }
        let mut of_zone = statements.iter().filter(|it| it.zone == entry.from);
        if of_zone.all(|statement| entry.sequence <= statement.extent.places.written) {
            // Its zone stated after the death what it has.
            self.known.remove(&death.id);
        } else {
            *known = Known {
                lives: false,
                epoch: death.epoch,
                place: entry.sequence,
                ..*known
            };
        }
    }
}
