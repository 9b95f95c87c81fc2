//! Agents with their whole state, to continue in another process.

use crate::{
    Epoch, Late, LivesIn,
    agents::{agent_or_mirror, map_number, maps},
    carried::{Carried, CarriedColumn},
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use nav::{AgentId, extend::Mirror, saving::AgentsSave};
use serde::{Deserialize, Serialize};

/// Agent as of one of its hand-overs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentEpoch {
    /// Id of the agent.
    pub id: AgentId,
    /// Number of its hand-overs.
    pub epoch: Epoch,
}

/// Agents with their whole state: navigation, and the carried components of the game.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedAgents {
    agents: AgentsSave,
    /// Ids, in the order of the agents.
    ids: Vec<AgentEpoch>,
    /// The agents and every entity that they refer to.
    names: Vec<NamedEntity>,
    /// Carried components of the game.
    carried: Vec<CarriedColumn>,
}

/// Entity of the sender, with a name that all zones understand.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct NamedEntity {
    entity: Entity,
    name: Name,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Agent(AgentId),
    /// Index of a map in the list of all maps.
    Map(u16),
}

impl CarriedAgents {
    /// Captures some agents as they are.
    ///
    /// # Errors
    ///
    /// Name of the component and the reason, if a carried component cannot be written.
    pub(crate) fn of(world: &World, agents: &[(AgentId, Entity)]) -> Result<Self, String> {
        let mut ids = Vec::new();
        let mut entities = Vec::new();
        for &(id, agent) in agents {
            let epoch = world.get(agent).copied().unwrap_or_default();
            ids.push(AgentEpoch { id, epoch });
            entities.push(agent);
        }
        let save = AgentsSave::of(world, entities.iter().copied());
        let maps = maps(world);
        let named = entities.iter().chain(save.named());
        let names = named.filter_map(|&entity| NamedEntity::of(world, entity, &maps));
        Ok(Self {
            names: names.collect(),
            carried: world.resource::<Carried>().write(world, &entities)?,
            agents: save,
            ids,
        })
    }

    /// Returns the agents.
    pub(crate) fn ids(&self) -> &[AgentEpoch] {
        &self.ids
    }

    /// Counts one more hand-over for each agent.
    pub(crate) fn advance_epochs(&mut self) {
        for agent in &mut self.ids {
            agent.epoch = agent.epoch.next();
        }
    }

    /// Makes the agents live in this zone. Returns their number.
    ///
    /// # Errors
    ///
    /// The reason for a refusal. The world is then unchanged, unless a carried component is
    /// damaged.
    pub(crate) fn insert(self, world: &mut World) -> Result<u64, String> {
        let came: Vec<Entity> = self.agents.agents().collect();
        if came.len() != self.ids.len() {
            return Err("agents and ids differ in number".into());
        }
        let maps = maps(world);
        let mut known = EntityHashMap::default();
        for named in self.names {
            let here = named.name.entity(world, &maps);
            known.extend(here.map(|here| (named.entity, here)));
        }
        let inserted = self.agents.insert(world, known);
        let here = inserted.map_err(|error| error.to_string())?;
        let agents: Vec<Entity> = came.iter().filter_map(|it| here.get(it).copied()).collect();
        for (&agent, &AgentEpoch { id, epoch }) in agents.iter().zip(&self.ids) {
            let mut agent = world.entity_mut(agent);
            agent.remove::<(Mirror, LivesIn, Late)>();
            agent.insert((id, epoch));
        }
        world.resource_scope(|world, carried: Mut<Carried>| {
            carried.insert(world, &agents, self.carried)
        })?;
        Ok(agents.len() as u64)
    }
}

impl NamedEntity {
    /// Names an entity; `None` if it is neither a map nor an agent with an id.
    fn of(world: &World, entity: Entity, maps: &[Entity]) -> Option<Self> {
        let name = match map_number(maps, entity) {
            Some(map) => Name::Map(map),
            None => Name::Agent(*world.get(entity)?),
        };
        Some(Self { entity, name })
    }
}

impl Name {
    /// Returns the entity of this zone. Spawns a mirror for an unknown agent.
    fn entity(self, world: &mut World, maps: &[Entity]) -> Option<Entity> {
        match self {
            Self::Agent(id) => Some(agent_or_mirror(world, id)),
            Self::Map(place) => maps.get(usize::from(place)).copied(),
        }
    }
}
