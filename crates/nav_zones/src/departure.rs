//! Departure of agents: a record of where they went, and their mirrors.

use crate::{Epoch, LivesIn, ZoneId, carried::Carried};
use bevy_ecs::prelude::*;
use nav::{AgentId, saving::leave_mirror};
use std::collections::BTreeMap;

/// Agents handed over by the ledger, with their new zone and the tick of the hand-over.
#[derive(Resource, Default)]
pub(crate) struct Departed(BTreeMap<AgentId, (ZoneId, u64)>);

/// Ticks for which a hand-over is remembered.
///
/// A guess: a minute at 20 ticks a second, far longer than a hand-over takes.
const KEPT: u64 = 1200;

impl Departed {
    pub(crate) fn note(&mut self, id: AgentId, to: ZoneId, tick: u64) {
        self.0.insert(id, (to, tick));
    }

    /// Removes an agent that came back.
    pub(crate) fn forget(&mut self, id: AgentId) {
        self.0.remove(&id);
    }

    /// Removes agents handed over more than [`KEPT`] ticks before `tick`.
    pub(crate) fn forget_before(&mut self, tick: u64) {
        self.0.retain(|_, &mut (_, left)| tick < left + KEPT);
    }

    /// Returns the zone to which an agent was recently handed over.
    pub(crate) fn to(&self, id: AgentId) -> Option<ZoneId> {
        self.0.get(&id).map(|&(to, _)| to)
    }
}

/// Turns agents into mirrors of agents that live in another zone.
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
