//! Departure of agents: who leaves, a record of where they went, and their mirrors.

use crate::{Epoch, LivesIn, Zone, ZoneId, carried::Carried};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, extend::Mirror, saving::leave_mirror};
use std::collections::BTreeMap;

/// Agents by the zone where they stand, ordered by id.
pub(crate) type Leaving = BTreeMap<ZoneId, Vec<(AgentId, Entity)>>;

/// Returns the agents that stand in other zones.
pub(crate) fn leaving(world: &mut World, zone: &Zone) -> Leaving {
    let own = zone.layout.area(zone.id);
    let mut agents = world.query_filtered::<(Entity, &AgentId, &CellPosition), Without<Mirror>>();
    let mut leaving = Leaving::new();
    for (agent, &id, position) in agents.iter(world) {
        // An agent off the map stays.
        let is_here = own.is_some_and(|own| own.contains(position.cell.on_floor(0)));
        if !is_here && *position != CellPosition::OUTSIDE {
            let to = zone.layout.zone_of(position.cell);
            leaving.entry(to).or_default().push((id, agent));
        }
    }
    for agents in leaving.values_mut() {
        agents.sort_unstable();
    }
    leaving
}

/// Agents handed over lately.
#[derive(Resource, Default)]
pub(crate) struct Departed(BTreeMap<AgentId, Departure>);

/// Hand-over of an agent.
struct Departure {
    to: ZoneId,
    tick: u64,
}

/// Ticks for which a hand-over is remembered.
///
/// A minute at 20 ticks a second: 99 of 100 hand-overs take at most three ticks, faults included.
const KEPT: u64 = 1200;

impl Departed {
    pub(crate) fn note(&mut self, id: AgentId, to: ZoneId, tick: u64) {
        self.0.insert(id, Departure { to, tick });
    }

    /// Removes an agent that came back.
    pub(crate) fn forget(&mut self, id: AgentId) {
        self.0.remove(&id);
    }

    /// Removes agents handed over more than [`KEPT`] ticks before `tick`.
    pub(crate) fn forget_before(&mut self, tick: u64) {
        self.0.retain(|_, departure| tick < departure.tick + KEPT);
    }

    /// Returns the zone to which an agent was recently handed over.
    pub(crate) fn to(&self, id: AgentId) -> Option<ZoneId> {
        self.0.get(&id).map(|departure| departure.to)
    }
}

/// Turns agents into mirrors of agents that live in another zone.
pub(crate) fn leave_mirrors(world: &mut World, agents: &[(AgentId, Entity)], to: ZoneId) {
    world.resource_scope(|world, carried: Mut<Carried>| {
        for &(_, agent) in agents {
            let mut agent = world.entity_mut(agent);
            carried.remove(&mut agent);
            agent.remove::<Epoch>();
            leave_mirror(&mut agent);
            agent.insert(LivesIn(to));
        }
    });
}
