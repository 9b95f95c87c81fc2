//! Agents with their whole state, to continue in another process.

use crate::{
    Epoch, Late, LivesIn,
    agents::agent_or_mirror,
    carried::{Carried, CarriedColumn},
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav::{AgentId, extend::Mirror, saving::AgentsSave};
use serde::{Deserialize, Serialize};

/// Name of an entity that all zones understand.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Agent(AgentId),
    /// Index of a map in the list of all maps.
    Map(u16),
}

/// Agents with their whole state: navigation, and the carried components of the game.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedAgents {
    agents: AgentsSave,
    /// Id of each agent and its number of hand-overs, in the same order.
    ids: Vec<(AgentId, Epoch)>,
    /// Names of the agents and of every entity that they refer to.
    names: Vec<(Entity, Name)>,
    /// Carried components of the game.
    carried: Vec<CarriedColumn>,
}

impl CarriedAgents {
    /// Captures some agents as they are.
    ///
    /// # Errors
    ///
    /// Name of the component and the reason, if a carried component cannot be written.
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

    /// Returns the id of each agent and its number of hand-overs.
    pub(crate) fn ids(&self) -> &[(AgentId, Epoch)] {
        &self.ids
    }

    /// Counts one more hand-over for each agent.
    pub(crate) fn advance_epochs(&mut self) {
        for (_, epoch) in &mut self.ids {
            *epoch = epoch.next();
        }
    }

    /// Makes the agents live in this zone. Returns their number.
    ///
    /// # Errors
    ///
    /// The reason for a refusal. The world is then unchanged, unless a carried component is
    /// damaged.
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
            return Err("agents and ids differ in number".into());
        }
        let mut known = EntityHashMap::default();
        for (entity, name) in names {
            let here = match name {
                Name::Agent(id) => Some(agent_or_mirror(world, id)),
                Name::Map(place) => maps.get(usize::from(place)).copied(),
            };
            known.extend(here.map(|here| (entity, here)));
        }
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
        carried.insert(world, &agents, columns)?;
        Ok(agents.len() as u64)
    }
}
