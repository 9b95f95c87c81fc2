//! Agents that live in another zone from now on: what stays of them, and who they were.

use crate::{LivesIn, ZoneId, carried::Carried, epoch::Epoch};
use bevy_ecs::prelude::*;
use nav::{AgentId, saving::leave_mirror};
use std::collections::BTreeMap;

/// Where agents went that were handed over by the ledger, and in which tick.
#[derive(Resource, Default)]
pub(crate) struct Departed(BTreeMap<AgentId, (ZoneId, u64)>);

/// For how many ticks a zone remembers whom it handed over: far longer than it takes until they live there.
const KEPT: u64 = 1200;

impl Departed {
    pub(crate) fn note(&mut self, id: AgentId, to: ZoneId, tick: u64) {
        self.0.insert(id, (to, tick));
    }

    /// Forgets one that came back.
    pub(crate) fn forget(&mut self, id: AgentId) {
        self.0.remove(&id);
    }

    /// Forgets those that left long ago.
    pub(crate) fn forget_before(&mut self, tick: u64) {
        self.0.retain(|_, &mut (_, left)| tick < left + KEPT);
    }

    /// To which zone an agent was handed over, if that was lately.
    pub(crate) fn to(&self, id: AgentId) -> Option<ZoneId> {
        self.0.get(&id).map(|&(to, _)| to)
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
