//! Audit: checks that every agent of a world lives in exactly one zone.

use super::{
    cut::{Cut, Known},
    statement::Statement,
};
use crate::{
    ZoneId,
    carried_agents::AgentEpoch,
    keeper::{Keeper, KeeperError},
};
use nav::AgentId;
use std::collections::{BTreeMap, BTreeSet};

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
/// Statement of the present process of a zone.
struct Present<'a> {
    statement: &'a Statement,
    unwritten: BTreeSet<AgentId>,
}

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
    let mut present = BTreeMap::new();
    for statement in statements {
        if cut.is_present(keeper, statement)? {
            let unwritten = statement.unwritten.iter().copied().collect();
            let it = Present {
                statement,
                unwritten,
            };
            present.insert(statement.zone, it);
        }
    }
    let losses = keeper.losses()?;
    let mut unknown = zones.to_vec();
    unknown.retain(|&zone| cut.losses_before_snapshot(zone) < losses);
    let mut silent: BTreeSet<ZoneId> = cut.living().map(|(_, known)| known.zone).collect();
    silent.extend(zones);
    silent.retain(|zone| !present.contains_key(zone));
    let mut audit = Audit {
        zones: zones.len(),
        agents: cut.living().count(),
        silent: silent.into_iter().collect(),
        unknown,
        damaged: cut.damaged,
        ..Audit::default()
    };
    let owned = audit.find_doubled(&cut, &present);
    audit.find_lost(&cut, &present, &owned);
    Ok(audit)
}

impl Audit {
    /// Finds the agents that zones have against the ledger, or several zones. Returns all agents of
    /// zones.
    fn find_doubled(
        &mut self,
        cut: &Cut,
        present: &BTreeMap<ZoneId, Present>,
    ) -> BTreeSet<AgentId> {
        let mut owned = BTreeSet::new();
        for there in present.values() {
            for &agent in &there.statement.agents {
                if !there.may_have(agent, cut) || !owned.insert(agent.id) {
                    self.doubled.push(agent.id);
                }
            }
        }
        owned
    }

    /// Finds the agents of the ledger that are in no zone: on their way, or lost.
    fn find_lost(
        &mut self,
        cut: &Cut,
        present: &BTreeMap<ZoneId, Present>,
        owned: &BTreeSet<AgentId>,
    ) {
        for (id, known) in cut.living().filter(|(id, _)| !owned.contains(id)) {
            let has_not_come = present.get(&known.zone).is_none_or(|there| {
                known.comes_after(there.statement) || there.unwritten.contains(&id)
            });
            if has_not_come {
                self.under_way += 1;
            } else {
                self.lost.push(id);
            }
        }
    }
}

impl Present<'_> {
    /// Returns whether the zone may have an agent that it states to have.
    fn may_have(&self, agent: AgentEpoch, cut: &Cut) -> bool {
        match cut.known.get(&agent.id) {
            Some(known) if known.lives && known.epoch == agent.epoch => {
                known.zone == self.statement.zone
            }
            // The agent was handed over, or ceased to exist, after the statement.
            Some(known) if known.epoch >= agent.epoch => known.is_written_after(self.statement),
            _ => self.unwritten.contains(&agent.id),
        }
    }
}

/// Returns the agents that other zones than one have, each with its number of hand-overs.
pub(super) fn agents_elsewhere(
    keeper: &mut dyn Keeper,
    zone: ZoneId,
) -> Result<Vec<AgentEpoch>, KeeperError> {
    let holders = keeper.holders()?;
    let zones: Vec<ZoneId> = holders.iter().map(|holder| holder.zone).collect();
    let cut = Cut::read(keeper, &zones, &[])?;
    let elsewhere = cut.known.iter().filter(|(_, known)| known.zone != zone);
    Ok(elsewhere
        .map(|(&id, &Known { epoch, .. })| AgentEpoch { id, epoch })
        .collect())
}
