//! A component of the state behind one face for all: its values as bytes.

use super::role::StateRole;
use crate::CellPosition;
use bevy_ecs::{
    change_detection::ComponentTicks,
    component::{ComponentId, Immutable, Mutable},
    entity::EntityMapper,
    entity_disabling::Disabled,
    prelude::*,
    query::Allow,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt::Debug, marker::PhantomData};

/// A component that saves hold.
pub trait SavedComponent:
    Component<Mutability: Overwrite<Self>> + Clone + Debug + Serialize + DeserializeOwned
{
}

impl<C> SavedComponent for C where
    C: Component<Mutability: Overwrite<C>> + Clone + Debug + Serialize + DeserializeOwned
{
}

/// How a component that is there is given another value, as a game does it: in place, so that no hooks run, or
/// else by inserting it.
pub trait Overwrite<C> {
    /// Gives it that value.
    fn overwrite(agent: &mut EntityWorldMut, component: C);
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Mutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        if let Some(mut there) = agent.get_mut::<C>() {
            *there = component;
        }
    }
}

impl<C: Component<Mutability = Self>> Overwrite<C> for Immutable {
    fn overwrite(agent: &mut EntityWorldMut, component: C) {
        agent.insert(component);
    }
}

/// A component of the state that saves hold, of whatever type.
#[derive(Clone, Copy)]
pub struct Column {
    name: &'static str,
    role: StateRole,
    of_type: &'static dyn AnyComponent,
}

/// Values of one component, by the numbers of their agents.
pub struct ComponentValues(Box<dyn AnyValues>);

trait AnyComponent: Send + Sync {
    fn register(&self, world: &mut World) -> ComponentId;
    fn for_each(&self, world: &World, visit: &mut dyn FnMut(Entity, ComponentTicks));
    fn write(
        &self,
        world: &World,
        agents: &[(u32, Entity)],
        entities: &mut dyn EntityMapper,
    ) -> postcard::Result<Vec<u8>>;
    fn read(&self, values: &[u8]) -> postcard::Result<Box<dyn AnyValues>>;
    fn remove(&self, agent: &mut EntityWorldMut);
    fn contains(&self, agent: EntityRef) -> bool;
    fn describe(&self, agent: EntityRef) -> Option<String>;
}

trait AnyValues {
    fn numbers(&self) -> Vec<u32>;
    fn map_entities(&mut self, entities: &mut dyn EntityMapper);
    fn insert(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>);
}

impl Column {
    pub(super) const fn of<C: SavedComponent>(name: &'static str, role: StateRole) -> Self {
        Self {
            name,
            role,
            of_type: const { &Typed::<C>(PhantomData) },
        }
    }

    /// The name that stands for the component.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What the component is for.
    pub const fn role(&self) -> StateRole {
        self.role
    }

    /// Registers the component in a world, if it is not yet.
    pub fn register(&self, world: &mut World) -> ComponentId {
        self.of_type.register(world)
    }

    /// Visits the agents that have the component, disabled ones too, in the order of storage.
    pub fn for_each(&self, world: &World, mut visit: impl FnMut(Entity, ComponentTicks)) {
        self.of_type.for_each(world, &mut visit);
    }

    /// The values of those of some agents that have the component, by numbers, with other entities in place of those
    /// that they name.
    ///
    /// # Errors
    ///
    /// A value that refuses to be serialized.
    pub fn write(
        &self,
        world: &World,
        agents: &[(u32, Entity)],
        entities: &mut dyn EntityMapper,
    ) -> postcard::Result<Vec<u8>> {
        self.of_type.write(world, agents, entities)
    }

    /// Reads what [`Self::write`] made: all of the bytes.
    ///
    /// # Errors
    ///
    /// Bytes that make no sense.
    pub fn read(&self, values: &[u8]) -> postcard::Result<ComponentValues> {
        self.of_type.read(values).map(ComponentValues)
    }

    /// Removes the component of an agent.
    pub fn remove(&self, agent: &mut EntityWorldMut) {
        self.of_type.remove(agent);
    }

    /// Whether an agent has the component.
    pub fn is_of(&self, agent: EntityRef) -> bool {
        self.of_type.contains(agent)
    }

    /// What the value of an agent looks like, if it has one.
    pub fn describe(&self, agent: EntityRef) -> Option<String> {
        self.of_type.describe(agent)
    }
}

impl ComponentValues {
    /// The numbers of the agents that have a value.
    pub fn numbers(&self) -> Vec<u32> {
        self.0.numbers()
    }

    /// Replaces the entities that the values name.
    pub fn map_entities(&mut self, entities: &mut dyn EntityMapper) {
        self.0.map_entities(entities);
    }

    /// Writes each value to its agent. A value that is there is overwritten in place, so that no hooks run; otherwise
    /// the component is inserted. Despawned agents are skipped.
    pub fn insert(self, world: &mut World, agents: impl Fn(u32) -> Option<Entity>) {
        self.0.insert(world, &agents);
    }
}

/// A component of this crate.
pub(crate) const fn core_column<C: SavedComponent>(name: &'static str) -> Column {
    Column::of::<C>(name, StateRole::Decides)
}

struct Typed<C>(PhantomData<fn() -> C>);

/// The agents that have a component.
type Agents = (With<CellPosition>, Allow<Disabled>);

impl<C: SavedComponent> AnyComponent for Typed<C> {
    fn register(&self, world: &mut World) -> ComponentId {
        world.register_component::<C>()
    }

    fn for_each(&self, world: &World, visit: &mut dyn FnMut(Entity, ComponentTicks)) {
        if let Some(mut agents) = world.try_query_filtered::<(Entity, Ref<C>), Agents>() {
            for (agent, value) in agents.iter(world) {
                let ticks = ComponentTicks {
                    added: value.added(),
                    changed: value.last_changed(),
                };
                visit(agent, ticks);
            }
        }
    }

    fn write(
        &self,
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

    fn read(&self, values: &[u8]) -> postcard::Result<Box<dyn AnyValues>> {
        let (values, rest): (Vec<(u32, C)>, _) = postcard::take_from_bytes(values)?;
        if !rest.is_empty() {
            return Err(postcard::Error::DeserializeBadEncoding);
        }
        Ok(Box::new(values))
    }

    fn remove(&self, agent: &mut EntityWorldMut) {
        agent.remove::<C>();
    }

    fn contains(&self, agent: EntityRef) -> bool {
        agent.contains::<C>()
    }

    fn describe(&self, agent: EntityRef) -> Option<String> {
        agent.get::<C>().map(|value| format!("{value:?}"))
    }
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
            let Some(mut agent) = agent.and_then(|agent| world.get_entity_mut(agent).ok()) else {
                continue;
            };
            if agent.contains::<C>() {
                <C::Mutability as Overwrite<C>>::overwrite(&mut agent, value);
            } else {
                agent.insert(value);
            }
        }
    }
}
