//! Some agents of a running world, to go on in another one.

use super::{
    columns::AgentColumns, last_maps::LastMapsSave, stand_ins::StandIns, version::Version,
};
use crate::systems::Restored;
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet, EntityMapper},
    entity_disabling::Disabled,
    prelude::*,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The navigation state of some agents, to go on in another running world: all components of this crate.
///
/// Chasers keep their paths, timers and targets, and take their next step when they would have taken it here. The
/// maps are not part of it: those of both worlds are to be equal.
///
/// Entities in it are those of the world where it was taken. [`Self::named`] lists them, so that a game can send
/// what stands for each, and [`Self::insert`] is given those of the other world.
///
/// # Size
///
/// In postcard some 140 bytes a chaser, with a path of some cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentsSave {
    version: Version,
    /// The agents, and which of them are disabled.
    agents: Vec<(Entity, bool)>,
    columns: AgentColumns,
}

/// Why agents were not inserted: the save names one twice, or one that it does not have. The world is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InconsistentAgents;

impl fmt::Display for InconsistentAgents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the save is damaged: it names agents twice, or some that it does not have")
    }
}

impl std::error::Error for InconsistentAgents {}

impl AgentsSave {
    /// That of some agents, in this order, which stay as they are. Entities that there are not are left out.
    ///
    /// Take it after [`NavSystems::Report`](crate::NavSystems::Report) and before the game changes anything: what a
    /// game changed since is no news to the world that they come to.
    pub fn of(world: &World, agents: impl IntoIterator<Item = Entity>) -> Self {
        let mut save = Self {
            version: Version::default(),
            agents: Vec::new(),
            columns: AgentColumns::default(),
        };
        let agents = agents.into_iter();
        for agent in agents.filter_map(|agent| world.get_entity(agent).ok()) {
            let number = save.agents.len() as u32;
            save.agents.push((agent.id(), agent.contains::<Disabled>()));
            save.columns.0.add(number, agent);
        }
        save
    }

    /// The agents, as entities of the world where it was taken.
    pub fn agents(&self) -> impl Iterator<Item = Entity> + '_ {
        self.agents.iter().map(|&(agent, _)| agent)
    }

    /// The maps, targets and leaders that the agents name, as entities of the world where it was taken, each
    /// once and in order.
    pub fn named(&self) -> Vec<Entity> {
        let mut named = Named(Vec::new());
        self.columns.clone().0.map_entities(&mut named);
        named.0.sort_unstable();
        named.0.dedup();
        named.0
    }

    /// Gives the components to agents of a world. `known` has the entity of this world for each that the save
    /// names. An agent that it does not have is spawned; one that it has keeps what is not part of a save. Who
    /// is named and not known is stood in for by an empty entity. Returns `known` with those that were spawned.
    ///
    /// # Errors
    ///
    /// [`InconsistentAgents`]; the world is then as it was.
    pub fn insert(
        self,
        world: &mut World,
        known: EntityHashMap<Entity>,
    ) -> Result<EntityHashMap<Entity>, InconsistentAgents> {
        let Self {
            version: _,
            agents,
            mut columns,
        } = self;
        let mut twice = EntityHashSet::default();
        let is_twice = agents.iter().any(|&(agent, _)| !twice.insert(agent));
        if is_twice || columns.0.name_beyond(agents.len()) {
            return Err(InconsistentAgents);
        }
        let mut entities = StandIns { known, world };
        let spawned: Vec<Entity> = agents
            .iter()
            .map(|&(agent, _)| entities.get_mapped(agent))
            .collect();
        columns.0.map_entities(&mut entities);
        columns.0.insert(entities.world, &spawned);
        // All were where they are at the last tick, in the other world.
        LastMapsSave::default().restore(&mut entities, &spawned);
        for (&agent, &(_, is_disabled)) in spawned.iter().zip(&agents) {
            if is_disabled {
                entities.world.entity_mut(agent).insert(Disabled);
            }
        }
        let restored = Restored::now(entities.world);
        entities.world.insert_resource(restored);
        Ok(entities.known)
    }
}

/// Lists the entities that components name.
struct Named(Vec<Entity>);

impl EntityMapper for Named {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.push(source);
        source
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
