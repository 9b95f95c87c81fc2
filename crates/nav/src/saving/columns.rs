//! The components of all agents, a column for each kind.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, FieldAnchor, MoveTimer, NavTimer,
    OnMap, PathCursor, Paused, WorldPosition,
    state::{Column, ComponentValues, StateComponents, core_column},
};
use bevy_ecs::{
    entity::{EntityHashMap, EntityMapper},
    prelude::*,
};
use serde::{Deserialize, Serialize};

/// The components of all agents, by their places in a list of agents. Restored from top to bottom: what hooks and
/// observers react to comes before what they change, which is put right by what comes later.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct AgentColumns {
    chases: ChaseColumns,
    registered: Vec<RegisteredColumn>,
    progress: ProgressColumns,
}

/// A component that the app registered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisteredColumn {
    name: String,
    /// The values, as [`Column::write`] makes them.
    values: Vec<u8>,
}

/// Columns of components that were registered in the app that was saved, as they were read.
#[derive(Default)]
pub(super) struct RegisteredValues(Vec<(Column, ComponentValues)>);

/// Why columns cannot be used in a world.
pub(super) enum ColumnError {
    /// They name places that the list of agents does not have, or their bytes make no sense.
    Inconsistent,
    /// No component of this name is registered.
    Unknown(String),
}

impl AgentColumns {
    /// Copies the components of agents, and lists the entities that they name. Despawned agents have none.
    pub(super) fn of(world: &World, agents: impl Iterator<Item = Entity>) -> (Self, Vec<Entity>) {
        let mut named = Named(Vec::new());
        let mut columns = Self::default();
        let agents: Vec<(u32, Entity)> = (0..).zip(agents).collect();
        for &(number, agent) in &agents {
            if let Ok(agent) = world.get_entity(agent) {
                columns.chases.add(number, agent);
                columns.progress.add(number, agent);
            }
        }
        let registered = world.get_resource::<StateComponents>();
        let numbers: EntityHashMap<u32> = agents.iter().map(|&(n, agent)| (agent, n)).collect();
        for column in registered.into_iter().flat_map(StateComponents::saved) {
            let mut having = Vec::new();
            column.for_each(world, |agent, _| {
                having.extend(numbers.get(&agent).map(|&number| (number, agent)));
            });
            having.sort_unstable();
            if having.is_empty() {
                continue;
            }
            // A value that serde refuses is of a type that can be saved in no way: it is left out, and the digest
            // of the save says so when it is restored.
            if let Ok(values) = column.write(world, &having, &mut named) {
                columns.registered.push(RegisteredColumn {
                    name: column.name().into(),
                    values,
                });
            }
        }
        columns.chases.name_entities(&mut named);
        columns.progress.name_entities(&mut named);
        named.0.sort_unstable();
        named.0.dedup();
        (columns, named.0)
    }

    /// Reads the columns of registered components, for a list of `agents` agents.
    pub(super) fn read(
        &self,
        registered: &StateComponents,
        agents: usize,
    ) -> Result<RegisteredValues, ColumnError> {
        if self.chases.name_beyond(agents) || self.progress.name_beyond(agents) {
            return Err(ColumnError::Inconsistent);
        }
        let columns = self
            .registered
            .iter()
            .map(|RegisteredColumn { name, values }| {
                let column = registered.saved().find(|column| column.name() == name);
                let column = column.ok_or_else(|| ColumnError::Unknown(name.clone()))?;
                let values = column.read(values).map_err(|_| ColumnError::Inconsistent)?;
                let is_beyond = |number: u32| number as usize >= agents;
                if values.numbers().into_iter().any(is_beyond) {
                    return Err(ColumnError::Inconsistent);
                }
                Ok((column, values))
            });
        columns.collect::<Result<_, _>>().map(RegisteredValues)
    }

    /// Replaces the entities that components name.
    pub(super) fn map_entities(
        &mut self,
        values: &mut RegisteredValues,
        entities: &mut impl EntityMapper,
    ) {
        self.chases.map_entities(entities);
        for (_, values) in &mut values.0 {
            values.map_entities(entities);
        }
        self.progress.map_entities(entities);
    }

    /// Inserts all components into agents of a world, and removes required components that an agent did not have.
    pub(super) fn insert(
        self,
        values: RegisteredValues,
        registered: &StateComponents,
        world: &mut World,
        agents: &[Entity],
    ) {
        let chases = self.chases.insert(world, agents);
        let mut having: Vec<(&'static str, Vec<u32>)> = Vec::new();
        for (column, values) in values.0 {
            having.push((column.name(), values.numbers()));
            values.insert(world, |number| agents.get(number as usize).copied());
        }
        let progress = self.progress.insert(world, agents);
        chases.strip(world, agents);
        for column in registered.saved() {
            let numbers = having.iter().find(|(name, _)| *name == column.name());
            for (number, &agent) in (0..).zip(agents) {
                let has = numbers.is_some_and(|(_, of)| of.binary_search(&number).is_ok());
                if !has && let Ok(mut agent) = world.get_entity_mut(agent) {
                    column.remove(&mut agent);
                }
            }
        }
        progress.strip(world, agents);
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

/// Declares a group of columns of this crate. They are restored from top to bottom.
macro_rules! columns {
    ($(#[$doc:meta])* $Columns:ident, $Having:ident { $($name:ident: $Component:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct $Columns {
            $($name: Vec<(u32, $Component)>,)*
        }

        /// The numbers of the agents that have each component, in order.
        struct $Having {
            $($name: Vec<u32>,)*
        }

        impl $Columns {
            /// Adds the components of an agent.
            fn add(&mut self, number: u32, agent: EntityRef) {
                $(if let Some(component) = agent.get::<$Component>() {
                    self.$name.push((number, component.clone()));
                })*
            }

            /// Whether a number is beyond a list of `agents` agents.
            fn name_beyond(&self, agents: usize) -> bool {
                let last = [$(self.$name.iter().map(|&(number, _)| number).max(),)*];
                last.into_iter().flatten().any(|last| last as usize >= agents)
            }

            fn map_entities(&mut self, entities: &mut impl EntityMapper) {
                $(for (_, component) in &mut self.$name {
                    <$Component as Component>::map_entities(component, entities);
                })*
            }

            fn name_entities(&self, named: &mut Named) {
                $(for (_, component) in &self.$name {
                    <$Component as Component>::map_entities(&mut component.clone(), named);
                })*
            }

            /// Inserts all components into agents of a world.
            fn insert(self, world: &mut World, agents: &[Entity]) -> $Having {
                $(
                    let mut $name: Vec<u32> = self.$name.iter().map(|&(number, _)| number).collect();
                    $name.sort_unstable();
                    for (number, component) in self.$name {
                        if let Some(&agent) = agents.get(number as usize) {
                            world.entity_mut(agent).insert(component);
                        }
                    }
                )*
                $Having { $($name,)* }
            }
        }

        impl $Having {
            /// Removes components from agents that had none in the save.
            fn strip(self, world: &mut World, agents: &[Entity]) {
                $(for (number, &agent) in (0..).zip(agents) {
                    if world.get::<$Component>(agent).is_some() && self.$name.binary_search(&number).is_err() {
                        world.entity_mut(agent).remove::<$Component>();
                    }
                })*
            }
        }

        impl $Columns {
            const COLUMNS: &[Column] = &[$(core_column::<$Component>(stringify!($Component)),)*];
        }
    };
}

columns! {
    /// What a game says of agents. Numbers first, since a target without one is given the next that is free.
    ChaseColumns, HavingChases {
        agent_id: AgentId,
        cell_position: CellPosition,
        world_position: WorldPosition,
        on_map: OnMap,
        body: Body,
        destination: Destination,
        chaser: Chaser,
        chasing: Chasing,
    }
}

columns! {
    /// What the plugin notes of agents.
    ProgressColumns, HavingProgress {
        paused: Paused,
        field_anchor: FieldAnchor,
        path_cursor: PathCursor,
        nav_timer: NavTimer,
        move_timer: MoveTimer,
    }
}

/// All components of agents that saves of a world hold, in the order in which they are restored: components of this
/// crate, with the [registered](crate::state) ones between them.
pub fn saved_columns(world: &World) -> Vec<Column> {
    let registered = world.get_resource::<StateComponents>();
    let registered = registered.into_iter().flat_map(StateComponents::saved);
    let before = ChaseColumns::COLUMNS.iter().copied();
    let after = ProgressColumns::COLUMNS.iter().copied();
    before.chain(registered).chain(after).collect()
}
