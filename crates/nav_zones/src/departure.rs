//! Agents that live in another zone from now on: what stays of them, and who they were.

use crate::{LivesIn, ZoneId, carried::Carried, epoch::Epoch};
use bevy_ecs::prelude::*;
use nav::{AgentId, saving::leave_mirror};
use std::collections::BTreeMap;

/// In which tick agents were handed over by the ledger.
#[derive(Resource, Default)]
pub(crate) struct Departed(BTreeMap<AgentId, u64>);

/// For how many ticks a zone remembers whom it handed over: far longer than it takes until they live there.
const KEPT: u64 = 1200;

impl Departed {
    pub(crate) fn note(&mut self, id: AgentId, tick: u64) {
        self.0.insert(id, tick);
    }

    /// Forgets one that came back.
    pub(crate) fn forget(&mut self, id: AgentId) {
        self.0.remove(&id);
    }

    /// Forgets those that left long ago.
    pub(crate) fn forget_before(&mut self, tick: u64) {
        self.0.retain(|_, &mut left| tick < left + KEPT);
    }

    /// Whether an agent was handed over lately.
    pub(crate) fn contains(&self, id: AgentId) -> bool {
        self.0.contains_key(&id)
    }
}

/// Turns agents into mirrors that live in another zone from now on.
pub(crate) fn leave_mirrors(
    world: &mut World,
    agents: &[(AgentId, Entity)],
    to: ZoneId,
    carried: &Carried,
) {
    for &(_, agent) in agents {
        let mut agent = world.entity_mut(agent);
        carried.remove(&mut agent);
        agent.remove::<Epoch>();
        leave_mirror(&mut agent);
        agent.insert(LivesIn(to));
    }
}
