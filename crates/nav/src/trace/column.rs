//! The components of agents, each behind the same face.

use super::numbers::Numbers;
use crate::{
    CellPosition,
    behaviour::Activity,
    fingerprint::Fingerprint,
    saving::{ColumnVisitor, Overwrite, visit_columns},
};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::{
    change_detection::Tick,
    component::ComponentId,
    entity::EntityMapper,
    prelude::*,
    query::{Allow, QueryState},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{any::TypeId, fmt::Debug};

/// What is newer than a look at the world.
#[derive(Clone, Copy)]
pub(super) struct Since {
    /// When that was.
    pub(super) then: Tick,
    /// When it is now.
    pub(super) now: Tick,
}

impl Since {
    /// Whether something happened after that look.
    pub(super) fn is_news(self, tick: Tick) -> bool {
        tick.is_newer_than(self.then, self.now)
    }
}

/// What a game wrote to the components of one kind.
#[derive(Default)]
pub(super) struct Written {
    /// Numbers and values, as a trace keeps them; nothing if nothing was written.
    pub(super) values: Vec<u8>,
    /// Of whom it was inserted, rather than overwritten, by number.
    pub(super) added: Vec<u32>,
}

/// A component that agents can have.
pub(super) trait Column: Send + Sync {
    fn name(&self) -> &'static str;
    fn id(&self) -> ComponentId;
    /// What was written since a look, and whatever some agents have.
    ///
    /// # Errors
    ///
    /// A value that cannot be serialised.
    fn written(
        &mut self,
        world: &World,
        since: Since,
        numbers: &mut Numbers,
        all_of: &[Entity],
    ) -> postcard::Result<Written>;
    /// Reads values, to be written.
    fn read(&self, values: &[u8]) -> postcard::Result<Box<dyn Values>>;
    fn remove(&self, agent: &mut EntityWorldMut);
    /// What the value of an agent looks like, if it has one.
    fn describe(&self, agent: EntityRef) -> Option<String>;
}

/// Values of one component, as they were read.
pub(super) trait Values {
    /// Has them name entities of a world in place of numbers.
    fn map_entities(&mut self, entities: &mut dyn FnMut(u32) -> Entity);
    /// Writes them, each to its agent.
    fn write(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>);
}

/// All components that agents can have, in the order in which they are written.
pub(super) struct TracedColumns(Vec<Box<dyn Column>>);

impl TracedColumns {
    pub(super) fn new(world: &mut World) -> Self {
        let mut list = List {
            world,
            columns: Vec::new(),
        };
        visit_columns(&mut list);
        Self(list.columns)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &dyn Column> {
        self.0.iter().map(|column| &**column)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Column>> {
        self.0.iter_mut()
    }

    /// That with a number.
    pub(super) fn get(&self, number: u8) -> Option<&dyn Column> {
        self.0.get(usize::from(number)).map(|column| &**column)
    }

    /// The fingerprint of their names: a trace of other columns cannot be read.
    pub(super) fn fingerprint(&self) -> u64 {
        let names: Vec<_> = self.iter().map(Column::name).collect();
        Fingerprint::of(&names)
    }
}

struct List<'a> {
    world: &'a mut World,
    columns: Vec<Box<dyn Column>>,
}

impl ColumnVisitor for List<'_> {
    fn visit<C>(&mut self, name: &'static str)
    where
        C: Component + Clone + Debug + Serialize + DeserializeOwned,
        C::Mutability: Overwrite<C>,
    {
        self.columns.push(Box::new(Typed::<C> {
            name,
            id: self.world.register_component::<C>(),
            query: self.world.query_filtered(),
        }));
    }
}

/// The agents that have a component.
type Those<C> = QueryState<(Entity, Ref<'static, C>), (With<CellPosition>, Allow<Disabled>)>;

struct Typed<C: Component> {
    name: &'static str,
    id: ComponentId,
    query: Those<C>,
}

impl<C> Column for Typed<C>
where
    C: Component + Clone + Debug + Serialize + DeserializeOwned,
    C::Mutability: Overwrite<C>,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn id(&self) -> ComponentId {
        self.id
    }

    fn written(
        &mut self,
        world: &World,
        since: Since,
        numbers: &mut Numbers,
        all_of: &[Entity],
    ) -> postcard::Result<Written> {
        // Agents say what they are doing after the tick, and nothing follows from it.
        let only_new = TypeId::of::<C>() == TypeId::of::<Activity>();
        let mut values = Vec::new();
        let mut added = Vec::new();
        for (agent, value) in self.query.iter(world) {
            let is_added = since.is_news(value.added());
            let is_written = is_added || !only_new && since.is_news(value.last_changed());
            if !is_written && !all_of.contains(&agent) {
                continue;
            }
            let number = numbers.give(agent);
            if is_added {
                added.push(number);
            }
            values.push((number, value.into_inner()));
        }
        if values.is_empty() {
            return Ok(Written::default());
        }
        values.sort_unstable_by_key(|&(number, _)| number);
        added.sort_unstable();
        let values = values.into_iter().map(|(number, value)| {
            let mut value: C = value.clone();
            C::map_entities(&mut value, numbers);
            (number, value)
        });
        let values: Vec<_> = values.collect();
        let values = postcard::to_allocvec(&values)?;
        Ok(Written { values, added })
    }

    fn read(&self, values: &[u8]) -> postcard::Result<Box<dyn Values>> {
        let values: Vec<(u32, C)> = postcard::from_bytes(values)?;
        Ok(Box::new(values))
    }

    fn remove(&self, agent: &mut EntityWorldMut) {
        agent.remove::<C>();
    }

    fn describe(&self, agent: EntityRef) -> Option<String> {
        agent.get::<C>().map(|value| format!("{value:?}"))
    }
}

impl<C> Values for Vec<(u32, C)>
where
    C: Component,
    C::Mutability: Overwrite<C>,
{
    fn map_entities(&mut self, entities: &mut dyn FnMut(u32) -> Entity) {
        for (_, value) in self {
            C::map_entities(value, &mut ByNumber(entities));
        }
    }

    fn write(self: Box<Self>, world: &mut World, agents: &dyn Fn(u32) -> Option<Entity>) {
        for (number, value) in *self {
            let Some(agent) = agents(number) else {
                continue;
            };
            // An observer of the app may have despawned it.
            let Ok(mut agent) = world.get_entity_mut(agent) else {
                continue;
            };
            if agent.contains::<C>() {
                C::Mutability::overwrite(&mut agent, value);
            } else {
                agent.insert(value);
            }
        }
    }
}

/// Finds entities by the numbers that stand for them.
struct ByNumber<'a>(&'a mut dyn FnMut(u32) -> Entity);

impl EntityMapper for ByNumber<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0(source.index_u32())
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
