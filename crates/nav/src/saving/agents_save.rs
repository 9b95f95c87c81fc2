//! Agents of a save: their components as columns of values, and agents that continue in another
//! world.

use crate::{
    Chaser, Chasing, MoveTimer, NavTimer, PathAnswer, PathCursor, PathRequest, Paused,
    components::{DiscardedTimers, LastMap, LastWorldPosition, Retargeted, SearchesAlone},
    shared::Mirror,
    state::{Column, ComponentValues, Named, StateComponents, StateRole, core_components},
    systems::search::SearchQueue,
};
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet, EntityMapper},
    entity_disabling::Disabled,
    prelude::*,
};
use fixedbitset::FixedBitSet;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The version of the format that this build writes and reads.
pub(super) const VERSION: u32 = AgentsSave::VERSION;

/// Reads the version of a save. It comes first, so that other versions are refused before the rest
/// is read.
pub(super) fn read_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(D::Error::custom(format_args!(
            "the save has version {other}, and this build reads version {VERSION}"
        ))),
    }
}

/// The navigation state of some agents, with all components of this crate, for another world.
///
/// Chasers keep their paths, timers and targets, and take their next step at the same time as they
/// would here. Maps are not included: those of both worlds must be equal.
///
/// Its entities are those of the world where it was taken. [`Self::named`] lists them, so that a
/// game can send what identifies each. [`Self::insert`] takes the entities of the other world.
///
/// # Size
///
/// In postcard some 140 bytes a chaser, with a path of some cells, and the names of its components
/// once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentsSave {
    #[serde(deserialize_with = "read_version")]
    version: u32,
    agents: SavedAgents,
    #[serde(skip)]
    named: Vec<Entity>,
}

impl AgentsSave {
    /// Version of the format that this build writes and reads.
    pub const VERSION: u32 = 9;

    /// Copies some agents, in this order. The agents stay unchanged; despawned ones are left out.
    ///
    /// Take it after [`NavSystems::Report`](crate::NavSystems::Report), before the game changes
    /// anything. The other world cannot detect later changes.
    pub fn of(world: &World, agents: impl IntoIterator<Item = Entity>) -> Self {
        let (agents, named) = SavedAgents::of(world, agents.into_iter());
        Self {
            version: VERSION,
            agents,
            named,
        }
    }

    /// The agents, as entities of the world where it was taken.
    pub fn agents(&self) -> impl Iterator<Item = Entity> + '_ {
        self.agents.entities()
    }

    /// The maps, targets and others that the components name, each once and in order.
    ///
    /// They are entities of the world where it was taken. Empty for a save that was read.
    pub fn named(&self) -> &[Entity] {
        &self.named
    }

    /// Inserts the components into agents of a world.
    ///
    /// `known` maps the entities that the save names to those of this world. Agents in `known` keep
    /// components that are not part of a save; other agents are spawned. For all other entities
    /// that are not in `known`, empty ones are spawned. Returns `known` with all spawned entities.
    ///
    /// # Errors
    ///
    /// [`RestoreError::Inconsistent`] and [`RestoreError::Unknown`]; the world is then unchanged.
    pub fn insert(
        self,
        world: &mut World,
        known: EntityHashMap<Entity>,
    ) -> Result<EntityHashMap<Entity>, RestoreError> {
        let columns = self.agents.read(world, std::iter::empty())?;
        let mut entities = RestoredEntities { known, world };
        let agents: Vec<Entity> = self
            .agents()
            .map(|agent| entities.get_mapped(agent))
            .collect();
        // Their timers are those of the other world.
        if let Some(mut discarded) = entities.world.get_resource_mut::<DiscardedTimers>() {
            for &agent in &agents {
                discarded.0.remove(&agent);
            }
        }
        self.agents.insert(columns, &mut entities, &agents);
        // In the other world, all agents were on these maps at the last tick.
        restore_last_maps(Vec::new(), &mut entities, &agents);
        restore_read_places(Vec::new(), &mut entities, &agents);
        // They decided at their last tick, in the other world.
        if let Some(mut retargeted) = entities.world.get_resource_mut::<Retargeted>() {
            retargeted.0.retain(|agent, _| !agents.contains(agent));
        }
        Ok(entities.known)
    }
}

/// Why a world was not [saved](crate::saving::save). The world is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// An agent has a component that decides what it does, and saves do not hold it.
    #[error(
        "agents have the component {component}, which saves do not hold: turn on the feature `serialize` of the \
         crate that registers it, such as `nav_behaviour`, or register it with `register_saved_state`"
    )]
    NotSaved {
        /// The name of the component.
        component: &'static str,
    },
}

/// Why a [save](crate::saving) was not restored, or agents not inserted. The world is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The world already has maps or agents: restore into a fresh app.
    #[error("the world has {maps} maps and {agents} agents already: restore into a fresh app")]
    NotEmpty {
        /// The number of maps.
        maps: usize,
        /// The number of agents.
        agents: usize,
    },
    /// The save names agents or maps twice, or agents that are missing.
    #[error("the save is damaged: it names agents or maps twice, or some that it does not have")]
    Inconsistent,
    /// The save has a component that is not [registered](crate::state) in this app.
    #[error(
        "the save has the component {component}, which this app does not register: add the plugin that does"
    )]
    Unknown {
        /// The name of the component.
        component: String,
    },
    /// The contents differ from what was saved.
    #[error(
        "the save is damaged: {} (digest of the saved world {saved:016x}, of the contents {found:016x})",
        differing(.parts)
    )]
    Damaged {
        /// The parts of the state that differ, in order: names of components, and of what the
        /// plugin keeps beside them. Empty if only the digest itself does.
        parts: Vec<String>,
        /// The digest of the saved world.
        saved: u64,
        /// The digest of the contents.
        found: u64,
    },
}

/// Half a sentence about the parts that differ.
fn differing(parts: &[String]) -> String {
    match parts {
        [] => "its digest is another one than that of its contents".to_owned(),
        [part] => format!("{part} differs from what was saved"),
        [first @ .., last] => format!("{} and {last} differ from what was saved", first.join(", ")),
    }
}

/// Turns an agent that continues in another world into a [`Mirror`]: removes all components that
/// decide what it does.
pub fn leave_mirror(agent: &mut EntityWorldMut) {
    // In one call, since hooks of these components write to others of them.
    agent.remove::<(
        Chaser,
        Chasing,
        PathCursor,
        PathRequest,
        PathAnswer,
        NavTimer,
        MoveTimer,
        Paused,
        SearchesAlone,
    )>();
    let registered = agent.world().get_resource::<StateComponents>().cloned();
    registered.unwrap_or_default().remove_decisions(agent);
    agent.insert(Mirror);
}

/// Declares the columns of the components of this crate, in their two groups.
macro_rules! columns {
    ($({ $($_name:ident: $Component:ident => $_hash:ident,)* })*) => {
        const COLUMNS: [&[Column]; 2] = [$(&[
            $(Column::of::<crate::$Component>(stringify!($Component), StateRole::Decides),)*
        ],)*];
    };
}

core_components!(columns);

/// The component of this crate that reports and decides nothing.
const ANSWERS: Column = Column::of::<PathAnswer>("PathAnswer", StateRole::Shown);

/// The columns of all components of agents that saves of a world hold, in the order of restoring.
///
/// [Registered](crate::state) components are between the two groups of those of this crate.
pub fn saved_columns(world: &World) -> Vec<Column> {
    let registered = world.get_resource::<StateComponents>().into_iter();
    let [before, after] = COLUMNS.map(|group| group.iter().copied());
    let others = registered
        .flat_map(StateComponents::columns)
        .chain([ANSWERS]);
    before.chain(others).chain(after).collect()
}

/// Some agents with their components.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedAgents {
    /// The agents, and whether each is disabled.
    agents: Vec<(Entity, bool)>,
    columns: Vec<SavedColumn>,
}

/// The values of a component that some of the agents have.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedColumn {
    name: String,
    /// The values as [`Column::write`] serializes them, by the places of their agents.
    values: Vec<u8>,
}

/// The columns of a world, each with its values from a save, if it has any.
pub(super) type ReadColumns = Vec<(Column, Option<Box<dyn ComponentValues>>)>;

impl SavedAgents {
    /// Copies agents in their order, and lists the entities that their components name, sorted.
    /// Despawned agents are left out.
    pub(super) fn of(world: &World, agents: impl Iterator<Item = Entity>) -> (Self, Vec<Entity>) {
        let agents: Vec<EntityRef> = agents
            .filter_map(|agent| world.get_entity(agent).ok())
            .collect();
        let mut named = Named::default();
        let mut columns = Vec::new();
        for column in saved_columns(world) {
            let having: Vec<(u32, Entity)> = (0..)
                .zip(&agents)
                .filter(|(_, agent)| (column.is_of)(**agent))
                .map(|(n, agent)| (n, agent.id()))
                .collect();
            // A type that cannot be serialized is left out. The digest reports it on restoring.
            if !having.is_empty()
                && let Ok(values) = (column.write)(world, &having, &mut named)
            {
                let name = column.name.into();
                columns.push(SavedColumn { name, values });
            }
        }
        named.entities.sort_unstable();
        named.entities.dedup();
        let save = Self {
            agents: agents
                .into_iter()
                .map(|agent| (agent.id(), agent.contains::<Disabled>()))
                .collect(),
            columns,
        };
        (save, named.entities)
    }

    /// The agents, as entities of the world that was saved.
    pub(super) fn entities(&self) -> impl Iterator<Item = Entity> + Clone + '_ {
        self.agents.iter().map(|&(agent, _)| agent)
    }

    /// Reads the values of all columns of a world, and checks that agents and maps are different
    /// entities.
    pub(super) fn read(
        &self,
        world: &World,
        maps: impl Iterator<Item = Entity>,
    ) -> Result<ReadColumns, RestoreError> {
        let mut seen = EntityHashSet::default();
        let mut all = self.entities().chain(maps);
        if all.any(|entity| !seen.insert(entity)) {
            return Err(RestoreError::Inconsistent);
        }
        let columns = saved_columns(world);
        for SavedColumn { name, .. } in &self.columns {
            if columns.iter().all(|column| column.name != name) {
                let component = name.clone();
                return Err(RestoreError::Unknown { component });
            }
        }
        let mut read = Vec::new();
        for column in columns {
            let saved = (self.columns.iter()).find(|saved| saved.name == column.name);
            let values = saved.map(|saved| self.read_values(&column, saved));
            read.push((column, values.transpose()?));
        }
        Ok(read)
    }

    /// Reads the saved values of a column, each of an agent that is listed.
    fn read_values(
        &self,
        column: &Column,
        saved: &SavedColumn,
    ) -> Result<Box<dyn ComponentValues>, RestoreError> {
        let values = (column.read)(&saved.values).map_err(|_| RestoreError::Inconsistent)?;
        let listed = self.agents.len();
        if values
            .numbers()
            .into_iter()
            .any(|number| number as usize >= listed)
        {
            return Err(RestoreError::Inconsistent);
        }
        Ok(values)
    }

    /// Gives the components to agents of a world, in place of those they have of these columns.
    pub(super) fn insert(
        &self,
        columns: ReadColumns,
        entities: &mut RestoredEntities,
        agents: &[Entity],
    ) {
        let mut having = Vec::new();
        for (column, values) in columns {
            let numbers = values.iter().flat_map(|values| values.numbers());
            let having_it: FixedBitSet = numbers.map(|number| number as usize).collect();
            having.push((column, having_it));
            if let Some(mut values) = values {
                values.map_entities(entities);
                let agent = |number| agents.get(number as usize).copied();
                values.insert(entities.world, &agent);
            }
        }
        // Inserting one component adds those it requires, so the others are removed at the end.
        for (column, numbers) in having {
            for (number, &agent) in agents.iter().enumerate() {
                if !numbers.contains(number)
                    && let Ok(mut agent) = entities.world.get_entity_mut(agent)
                    && (column.is_of)(agent.as_readonly())
                {
                    (column.remove)(&mut agent);
                }
            }
        }
        for (&agent, &(_, is_disabled)) in agents.iter().zip(&self.agents) {
            SearchQueue::restore(entities.world, agent);
            if is_disabled {
                entities.world.entity_mut(agent).insert(Disabled);
            }
        }
    }
}

/// The entities of a save and those of the world that it is restored into.
///
/// An empty entity is spawned for each that is in neither, such as a target that is no agent.
pub(super) struct RestoredEntities<'a> {
    pub(super) known: EntityHashMap<Entity>,
    pub(super) world: &'a mut World,
}

impl EntityMapper for RestoredEntities<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let mapped = self.known.entry(source);
        *mapped.or_insert_with(|| self.world.spawn_empty().id())
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.known.insert(source, target);
    }
}

/// Agents that are not chasers on their [`LastMap`], with that map; `None` before their first tick.
pub(super) type LastMaps = Vec<(Entity, Option<Entity>)>;

pub(super) fn last_maps(world: &World, agents: impl Iterator<Item = Entity>) -> LastMaps {
    let agents = agents.filter_map(|agent| world.get_entity(agent).ok());
    let others = agents.filter_map(|agent| {
        let &last = agent.get::<LastMap>()?;
        let is_settled = agent.contains::<Chaser>() && last == LastMap::settled(agent.get());
        (!is_settled).then_some((agent.id(), last.0))
    });
    others.collect()
}

/// Sets the last map of restored agents. All that are not listed get their current map.
pub(super) fn restore_last_maps(
    last_maps: LastMaps,
    entities: &mut RestoredEntities,
    agents: &[Entity],
) {
    for &agent in agents {
        let mut agent = entities.world.entity_mut(agent);
        let settled = LastMap::settled(agent.get());
        if let Some(mut last) = agent.get_mut::<LastMap>() {
            *last = settled;
        }
    }
    for (agent, map) in last_maps {
        let map = map.map(|map| entities.get_mapped(map));
        if let Some(&agent) = entities.known.get(&agent)
            && let Ok(mut agent) = entities.world.get_entity_mut(agent)
        {
            agent.insert(LastMap(map));
        }
    }
}

/// Agents with a world position that the plugin has not read yet, in order, each with the last
/// position that was read, and its map.
pub(super) type UnreadPlaces = Vec<(Entity, Option<([u64; 3], Entity)>)>;

pub(super) fn unread_places(world: &World, agents: impl Iterator<Item = Entity>) -> UnreadPlaces {
    let agents = agents.filter_map(|agent| world.get_entity(agent).ok());
    let unread = agents.filter_map(|agent| Some((agent.id(), LastWorldPosition::behind(agent)?.0)));
    unread.collect()
}

/// Marks the world positions of restored agents that do not chase as read, except for the listed
/// ones.
pub(super) fn restore_read_places(
    unread: UnreadPlaces,
    entities: &mut RestoredEntities,
    agents: &[Entity],
) {
    for &agent in agents {
        let mut agent = entities.world.entity_mut(agent);
        let present = LastWorldPosition::present(agent.as_readonly());
        let read = present.filter(|_| !agent.contains::<Chaser>());
        if let Some(mut last) = agent.get_mut::<LastWorldPosition>() {
            *last = read.unwrap_or_default();
        }
    }
    for (agent, last) in unread {
        let last = last.map(|(place, map)| (place, entities.get_mapped(map)));
        if let Some(&agent) = entities.known.get(&agent)
            && let Some(mut read) = entities.world.get_mut::<LastWorldPosition>(agent)
        {
            *read = LastWorldPosition(last);
        }
    }
}
