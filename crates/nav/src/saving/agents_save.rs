//! Some agents of a running world, to go on in another one.

use super::{
    columns::{AgentColumns, ColumnError},
    last_maps::LastMapsSave,
    stand_ins::StandIns,
    version::Version,
};
use crate::{state::StateComponents, systems::Restored};
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
    #[serde(skip)]
    named: Vec<Entity>,
}

/// Why agents were not inserted. The world is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InsertAgentsError {
    /// The save names an agent twice, or one that it does not have.
    Inconsistent,
    /// The save has a component that is not [registered](crate::state) in this app.
    Unknown {
        /// The name of the component.
        component: String,
    },
}

impl From<ColumnError> for InsertAgentsError {
    fn from(error: ColumnError) -> Self {
        match error {
            ColumnError::Inconsistent => Self::Inconsistent,
            ColumnError::Unknown(component) => Self::Unknown { component },
        }
    }
}

impl fmt::Display for InsertAgentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent => {
                write!(
                    f,
                    "the save is damaged: it names agents twice, or some that it does not have"
                )
            }
            Self::Unknown { component } => write_unknown(f, component),
        }
    }
}

impl std::error::Error for InsertAgentsError {}

/// Says that a save has a component that this app does not know.
pub(super) fn write_unknown(f: &mut fmt::Formatter<'_>, component: &str) -> fmt::Result {
    write!(
        f,
        "the save has the component {component}, which this app does not register: add the plugin that does"
    )
}

impl AgentsSave {
    /// That of some agents, in this order, which stay as they are. Entities that there are not are left out.
    ///
    /// Take it after [`NavSystems::Report`](crate::NavSystems::Report) and before the game changes anything: what a
    /// game changed since is no news to the world that they come to.
    pub fn of(world: &World, agents: impl IntoIterator<Item = Entity>) -> Self {
        let agents = agents.into_iter();
        let agents = agents.filter_map(|agent| world.get_entity(agent).ok());
        let agents: Vec<_> = agents
            .map(|agent| (agent.id(), agent.contains::<Disabled>()))
            .collect();
        let (columns, named) = AgentColumns::of(world, agents.iter().map(|&(agent, _)| agent));
        Self {
            version: Version::default(),
            agents,
            columns,
            named,
        }
    }

    /// The agents, as entities of the world where it was taken.
    pub fn agents(&self) -> impl Iterator<Item = Entity> + '_ {
        self.agents.iter().map(|&(agent, _)| agent)
    }

    /// The maps, targets and others that the components name, as entities of the world where it was taken, each once
    /// and in order. Not known of a save that was read.
    pub fn named(&self) -> &[Entity] {
        &self.named
    }

    /// Gives the components to agents of a world. `known` has the entity of this world for each that the save
    /// names. An agent that it does not have is spawned; one that it has keeps what is not part of a save. Who
    /// is named and not known is stood in for by an empty entity. Returns `known` with those that were spawned.
    ///
    /// # Errors
    ///
    /// [`InsertAgentsError`]; the world is then as it was.
    pub fn insert(
        self,
        world: &mut World,
        known: EntityHashMap<Entity>,
    ) -> Result<EntityHashMap<Entity>, InsertAgentsError> {
        let Self {
            version: _,
            agents,
            mut columns,
            named: _,
        } = self;
        let mut twice = EntityHashSet::default();
        if agents.iter().any(|&(agent, _)| !twice.insert(agent)) {
            return Err(InsertAgentsError::Inconsistent);
        }
        let registered = world.get_resource::<StateComponents>().cloned();
        let registered = registered.unwrap_or_default();
        let mut values = columns.read(&registered, agents.len())?;
        let mut entities = StandIns { known, world };
        let spawned: Vec<Entity> = agents
            .iter()
            .map(|&(agent, _)| entities.get_mapped(agent))
            .collect();
        columns.map_entities(&mut values, &mut entities);
        columns.insert(values, &registered, entities.world, &spawned);
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
