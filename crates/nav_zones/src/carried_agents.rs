//! Agents with all that they keep, to go on in another process.

use crate::{
    Late, LivesIn,
    agents::agent_or_mirror,
    carried::{Carried, CarriedColumn},
    chases::Chased,
    epoch::Epoch,
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav::{AgentId, FieldAnchor, saving::AgentsSave, shared::Mirror};
use serde::{Deserialize, Serialize};

/// What stands for an entity in all zones.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Agent(AgentId),
    /// The place of a map among all.
    Map(u16),
}

/// Agents with all that they keep: their navigation state, and what the game carries along.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedAgents {
    agents: AgentsSave,
    /// Who they are, and how often each was handed over, in the same order.
    ids: Vec<(AgentId, Epoch)>,
    /// What stands for the agents and for whatever they name.
    names: Vec<(Entity, Name)>,
    /// What the game has them keep.
    carried: Vec<CarriedColumn>,
}

impl CarriedAgents {
    /// Some agents, as they are.
    ///
    /// # Errors
    ///
    /// If something of the game cannot be written: its name, and why.
    pub(crate) fn of(
        world: &World,
        agents: &[(AgentId, Entity)],
        maps: &[Entity],
        carried: &Carried,
    ) -> Result<Self, String> {
        let epoch = |agent| world.get::<Epoch>(agent).copied().unwrap_or_default();
        let ids = agents.iter().map(|&(id, agent)| (id, epoch(agent)));
        let ids = ids.collect();
        let agents: Vec<Entity> = agents.iter().map(|&(_, agent)| agent).collect();
        let save = AgentsSave::of(world, agents.iter().copied());
        let named = save.named();
        let name = |&entity: &Entity| {
            let map = maps.binary_search(&entity).ok();
            let map = map.map(|map| Name::Map(map as u16));
            let id = || world.get::<AgentId>(entity).copied().map(Name::Agent);
            Some((entity, map.or_else(id)?))
        };
        let names = agents.iter().chain(named).filter_map(name).collect();
        Ok(Self {
            carried: carried.write(world, &agents)?,
            agents: save,
            ids,
            names,
        })
    }

    /// Who they are, and how often each was handed over.
    pub(crate) fn ids(&self) -> &[(AgentId, Epoch)] {
        &self.ids
    }

    /// Has each be one hand-over further.
    pub(crate) fn advance_epochs(&mut self) {
        for (_, epoch) in &mut self.ids {
            *epoch = epoch.next();
        }
    }

    /// Has them live here from now on: how many.
    ///
    /// # Errors
    ///
    /// Why they are refused. The world is then as it was, unless something of the game is damaged.
    pub(crate) fn insert(
        self,
        world: &mut World,
        maps: &[Entity],
        carried: &Carried,
    ) -> Result<u64, String> {
        let Self {
            agents: save,
            ids,
            names,
            carried: columns,
        } = self;
        let came: Vec<Entity> = save.agents().collect();
        if came.len() != ids.len() {
            return Err("it does not say who its agents are".into());
        }
        let mut known = EntityHashMap::default();
        for (entity, name) in names {
            let here = match name {
                Name::Agent(id) => Some(agent_or_mirror(world, id)),
                Name::Map(place) => maps.get(usize::from(place)).copied(),
            };
            known.extend(here.map(|here| (entity, here)));
        }
        // Of those that are chased here this zone knows where their fields are aimed; the other one sends it if it
        // knows, too.
        let mirrors = came.iter().filter_map(|agent| known.get(agent).copied());
        let observed = &world.resource::<Chased>().observed;
        let mirrors = mirrors.filter(|mirror| observed.contains(mirror));
        let anchors =
            mirrors.filter_map(|mirror| Some((mirror, *world.get::<FieldAnchor>(mirror)?)));
        let anchors: Vec<(Entity, FieldAnchor)> = anchors.collect();
        let known = save.insert(world, known);
        let known = known.map_err(|error| error.to_string())?;
        let agents: Vec<Entity> = came
            .iter()
            .filter_map(|agent| known.get(agent).copied())
            .collect();
        for (&agent, &(id, epoch)) in agents.iter().zip(&ids) {
            let mut agent = world.entity_mut(agent);
            agent.remove::<(Mirror, LivesIn, Late)>();
            agent.insert((id, epoch));
        }
        for (agent, anchor) in anchors {
            world.entity_mut(agent).insert(anchor);
        }
        carried.insert(world, &agents, columns)?;
        Ok(agents.len() as u64)
    }
}
