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

/// A component that saves hold.
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

type Bytes = postcard::Result<Vec<u8>>;
type Values = postcard::Result<ComponentValues>;
type Write = fn(&World, &[(u32, Entity)], &mut dyn EntityMapper) -> Bytes;

/// A component of the state that saves hold, of any type.
#[derive(Clone, Copy)]
pub struct Column {
    name: &'static str,
    role: StateRole,
    register: fn(&mut World) -> ComponentId,
    for_each: fn(&World, &mut dyn FnMut(Entity, ComponentTicks)),
    write: Write,
    read: fn(&[u8]) -> Values,
    remove: fn(&mut EntityWorldMut),
    is_of: fn(EntityRef) -> bool,
    describe: fn(EntityRef) -> Option<String>,
}

impl Column {
    pub(crate) const fn of<C: SavedComponent>(name: &'static str, role: StateRole) -> Self {
        Self {
            name,
            role,
            register: World::register_component::<C>,
            for_each: for_each::<C>,
            write: write::<C>,
            read: read::<C>,
            remove: |agent| _ = agent.remove::<C>(),
            is_of: |agent| agent.contains::<C>(),
            describe: |agent| agent.get::<C>().map(|value| format!("{value:?}")),
        }
    }

    /// The name of the component.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The role of the component.
    pub const fn role(&self) -> StateRole {
        self.role
    }

    /// Registers the component in a world, if it is not yet.
    pub fn register(&self, world: &mut World) -> ComponentId {
        (self.register)(world)
    }

    /// Visits the agents that have the component, disabled ones too, in the order of storage.
    pub fn for_each(&self, world: &World, mut visit: impl FnMut(Entity, ComponentTicks)) {
        (self.for_each)(world, &mut visit);
    }

    /// Serializes the values of the given agents that have the component, by their numbers.
    ///
    /// `entities` replaces the entities that the values name.
    ///
    /// # Errors
    ///
    /// A value that cannot be serialized.
    pub fn write(
        &self,
        world: &World,
        agents: &[(u32, Entity)],
        entities: &mut dyn EntityMapper,
    ) -> Bytes {
        (self.write)(world, agents, entities)
    }

    /// Reads all bytes that [`Self::write`] made.
    ///
    /// # Errors
    ///
    /// Bytes that are not such values.
    pub fn read(&self, values: &[u8]) -> Values {
        (self.read)(values)
    }

    /// Removes the component of an agent.
    pub fn remove(&self, agent: &mut EntityWorldMut) {
        (self.remove)(agent);
    }

    /// Returns whether an agent has the component.
    pub fn is_of(&self, agent: EntityRef) -> bool {
        (self.is_of)(agent)
    }

    /// Formats the value of an agent, if it has one.
    pub fn describe(&self, agent: EntityRef) -> Option<String> {
        (self.describe)(agent)
    }
}

/// Values of one component, by the numbers of their agents.
pub struct ComponentValues(Box<dyn AnyValues>);

impl ComponentValues {
    /// The numbers of the agents that have a value.
    pub fn numbers(&self) -> Vec<u32> {
        self.0.numbers()
    }

    /// Replaces the entities that the values name.
    pub fn map_entities(&mut self, entities: &mut dyn EntityMapper) {
        self.0.map_entities(entities);
    }

    /// Writes each value to its agent.
    ///
    /// An existing value is overwritten in place, so that no hooks run, unless the component is
    /// immutable. Otherwise the component is inserted. Despawned agents are skipped.
    pub fn insert(self, world: &mut World, agents: impl Fn(u32) -> Option<Entity>) {
        self.0.insert(world, &agents);
    }
}

trait AnyValues {
    fn numbers(&self) -> Vec<u32>;
    fn map_entities(&mut self, entities: &mut dyn EntityMapper);
    fn insert(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>);
}

impl<C: SavedComponent> AnyValues for Vec<(u32, C)> {
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
) -> Bytes {
    let values = agents.iter().filter_map(|&(number, agent)| {
        let mut value = world.get::<C>(agent)?.clone();
        C::map_entities(&mut value, &mut entities);
        Some((number, value))
    });
    let values: Vec<(u32, C)> = values.collect();
    postcard::to_allocvec(&values)
}

fn read<C: SavedComponent>(values: &[u8]) -> Values {
    let (values, rest): (Vec<(u32, C)>, _) = postcard::take_from_bytes(values)?;
    if !rest.is_empty() {
        return Err(postcard::Error::DeserializeBadEncoding);
    }
    Ok(ComponentValues(Box::new(values)))
}
