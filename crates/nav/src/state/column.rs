//! A component of the state, independent of its type: its values as bytes.

use super::components::{Agents, StateRole};
use bevy_ecs::{
    change_detection::ComponentTicks,
    component::{ComponentId, Immutable, Mutable},
    entity::EntityMapper,
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// A component that [saves](crate::saving) hold.
pub trait SavedComponent:
    Component<Mutability: Overwrite<Self>> + Clone + Debug + Serialize + DeserializeOwned
{
}

impl<C> SavedComponent for C where
    C: Component<Mutability: Overwrite<C>> + Clone + Debug + Serialize + DeserializeOwned
{
}

/// Sets the value of a component as a game does it: in place where possible, so that no hooks run,
/// otherwise by inserting.
pub trait Overwrite<C> {
    /// Sets the value.
    fn overwrite(agent: &mut EntityWorldMut, component: C);
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Mutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        if let Some(mut current) = agent.get_mut::<C>() {
            *current = component;
        } else {
            agent.insert(component);
        }
    }
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Immutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        agent.insert(component);
    }
}

type Write = fn(&World, &[(u32, Entity)], &mut dyn EntityMapper) -> postcard::Result<Vec<u8>>;

/// A component of the [state](crate::state) that saves hold, of any type: what saves and traces do
/// with it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Column {
    /// The name of the component.
    pub name: &'static str,
    /// The role of the component.
    pub role: StateRole,
    /// Registers the component in a world, if it is not yet.
    pub register: fn(&mut World) -> ComponentId,
    /// Visits the agents that have the component, disabled ones too, in the order of storage.
    pub for_each: fn(&World, &mut dyn FnMut(Entity, ComponentTicks)),
    /// Serializes the values of the given agents that have the component, by their numbers. The
    /// mapper replaces the entities that the values name. Fails for a value that cannot be
    /// serialized.
    pub write: Write,
    /// Reads all bytes that [`write`](Self::write) made. Fails for others.
    pub read: fn(&[u8]) -> postcard::Result<Box<dyn ComponentValues>>,
    /// Removes the component of an agent.
    pub remove: fn(&mut EntityWorldMut),
    /// Returns whether an agent has the component.
    pub is_of: fn(EntityRef) -> bool,
    /// Formats the value of an agent, if it has one.
    pub describe: fn(EntityRef) -> Option<String>,
}

impl Column {
    pub(crate) const fn of<C: SavedComponent>(name: &'static str, role: StateRole) -> Self {
        Self {
            name,
            role,
            register: |world| world.register_component::<C>(),
            for_each: for_each::<C>,
            write: write::<C>,
            read: read::<C>,
            remove: |agent| _ = agent.remove::<C>(),
            is_of: |agent| agent.contains::<C>(),
            describe: |agent| agent.get::<C>().map(|value| format!("{value:?}")),
        }
    }
}

fn for_each<C: Component>(world: &World, visit: &mut dyn FnMut(Entity, ComponentTicks)) {
    if let Some(mut agents) = world.try_query_filtered::<(Entity, Ref<C>), Agents>() {
        for (agent, value) in agents.iter(world) {
            let (added, changed) = (value.added(), value.last_changed());
            visit(agent, ComponentTicks { added, changed });
        }
    }
}

fn write<C: SavedComponent>(
    world: &World,
    agents: &[(u32, Entity)],
    mut entities: &mut dyn EntityMapper,
) -> postcard::Result<Vec<u8>> {
    let values = agents.iter().filter_map(|&(number, agent)| {
        let mut value = world.get::<C>(agent)?.clone();
        C::map_entities(&mut value, &mut entities);
        Some((number, value))
    });
    let values: Vec<(u32, C)> = values.collect();
    postcard::to_allocvec(&values)
}

fn read<C: SavedComponent>(values: &[u8]) -> postcard::Result<Box<dyn ComponentValues>> {
    let (values, rest): (Vec<(u32, C)>, _) = postcard::take_from_bytes(values)?;
    if !rest.is_empty() {
        return Err(postcard::Error::DeserializeBadEncoding);
    }
    Ok(Box::new(values))
}

/// Values of one [component](Column), by the numbers of their agents.
pub trait ComponentValues {
    /// The numbers of the agents that have a value.
    fn numbers(&self) -> Vec<u32>;

    /// Replaces the entities that the values name.
    fn map_entities(&mut self, entities: &mut dyn EntityMapper);

    /// Writes each value to its agent.
    ///
    /// An existing value is overwritten in place, so that no hooks run, unless the component is
    /// immutable. Otherwise the component is inserted. Despawned agents are skipped.
    fn insert(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>);
}

impl<C: SavedComponent> ComponentValues for Vec<(u32, C)> {
    fn numbers(&self) -> Vec<u32> {
        self.iter().map(|&(number, _)| number).collect()
    }

    fn map_entities(&mut self, mut entities: &mut dyn EntityMapper) {
        for (_, value) in self {
            C::map_entities(value, &mut entities);
        }
    }

    fn insert(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>) {
        for (number, value) in *self {
            let agent = agents(number);
            if let Some(mut agent) = agent.and_then(|agent| world.get_entity_mut(agent).ok()) {
                <C::Mutability as Overwrite<C>>::overwrite(&mut agent, value);
            }
        }
    }
}
