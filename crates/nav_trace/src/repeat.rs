//! Doing to a world again what a game did to another one.

use crate::{
    column::TracedColumns,
    likeness::spawn_like,
    maps,
    masks::{DISABLED, MAP, Masks},
    numbers::{News, Numbers},
    record::Inputs,
};
use bevy_ecs::{entity::EntityMapper, entity_disabling::Disabled, prelude::*};
use nav::NavMap;
use std::collections::BTreeMap;

/// A world in which what happened to another one is repeated, and who is who in both.
pub(super) struct Repeated {
    columns: TracedColumns,
    masks: Masks,
    numbers: Numbers,
    /// The entities of this world.
    here: BTreeMap<u32, Entity>,
    /// Those of the other one; of those whom the plugin spawned it is not known.
    there: BTreeMap<u32, Entity>,
}

/// Inputs that make no sense.
pub(super) struct Nonsense;

impl Repeated {
    /// Goes on from a world that was restored. `all` are those who were saved, in the order of their
    /// numbers: their entities there and here.
    pub(super) fn new(
        world: &mut World,
        columns: TracedColumns,
        all: impl Iterator<Item = (Entity, Entity)>,
    ) -> Self {
        let masks = Masks::new(world, columns.ids());
        let mut numbers = Numbers::default();
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        for (of_other, of_this) in all {
            let number = numbers.give(of_this);
            here.insert(number, of_this);
            there.insert(number, of_other);
        }
        numbers.look(world, &masks);
        Self {
            columns,
            masks,
            numbers,
            here,
            there,
        }
    }

    pub(super) const fn columns(&self) -> &TracedColumns {
        &self.columns
    }

    pub(super) const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The entity with a number, here.
    pub(super) fn here(&self, number: u32) -> Option<Entity> {
        self.here.get(&number).copied()
    }

    /// The entity with a number, where the trace was recorded.
    pub(super) fn there(&self, number: u32) -> Option<Entity> {
        self.there.get(&number).copied()
    }

    /// Does what a game did.
    ///
    /// # Errors
    ///
    /// [`Nonsense`]: values that cannot be read, edits that a map refuses, or numbers that nobody gave.
    pub(super) fn repeat(&mut self, world: &mut World, inputs: Inputs) -> Result<(), Nonsense> {
        let Inputs {
            born,
            gone,
            masks,
            renewed,
            columns,
            maps,
            clock,
            ids,
            budget,
            last,
        } = inputs;
        for number in gone {
            if let Some(entity) = self.here.remove(&number) {
                self.numbers.forget(entity);
                if let Ok(entity) = world.get_entity_mut(entity) {
                    // Who comes after it is to be spawned in its place.
                    entity.despawn_no_free();
                }
            }
            self.there.remove(&number);
        }
        for (number, of_other) in born {
            let entity = spawn_like(world, of_other);
            self.numbers.set(entity, number);
            self.here.insert(number, entity);
            self.there.insert(number, of_other);
        }
        for &(number, mask) in &masks {
            self.strip(world, number, mask);
        }
        for (column, number) in renewed {
            let agent = self
                .here(number)
                .and_then(|agent| world.get_entity_mut(agent).ok());
            if let (Some(column), Some(mut agent)) = (self.columns.get(column), agent) {
                column.remove(&mut agent);
            }
        }
        for (number, change) in maps {
            let map = self.here(number).ok_or(Nonsense)?;
            maps::repeat(world, map, change).map_err(|()| Nonsense)?;
        }
        for (column, values) in columns {
            self.write(world, column, &values)?;
        }
        // What others required, and what hooks inserted.
        for (number, mask) in masks {
            self.strip(world, number, mask);
            let agent = self
                .here(number)
                .and_then(|agent| world.get_entity_mut(agent).ok());
            if let Some(mut agent) = agent.filter(|_| mask & DISABLED != 0) {
                agent.insert_if_new(Disabled);
            }
        }
        if let Some(clock) = clock {
            world.insert_resource(clock);
        }
        if let Some(budget) = budget {
            world.insert_resource(budget);
        }
        // Last, since numbers are counted as agents get them.
        if let Some(ids) = ids {
            world.insert_resource(ids);
        }
        let is_few = self.numbers.go_on_after(last);
        is_few.then_some(()).ok_or(Nonsense)
    }

    /// Looks on while others act than the game, as the recorder did.
    pub(super) fn look_on(&mut self, world: &World) {
        let News { born, gone, .. } = self.numbers.look_after_tick(world, &self.masks);
        for entity in born {
            if let Some(number) = self.numbers.of(entity) {
                self.here.insert(number, entity);
            }
        }
        for (number, _) in gone {
            self.here.remove(&number);
            self.there.remove(&number);
        }
    }

    /// Removes the components that an entity should not have.
    fn strip(&self, world: &mut World, number: u32, mask: u64) {
        let entity = self.here(number);
        let Some(mut entity) = entity.and_then(|entity| world.get_entity_mut(entity).ok()) else {
            return;
        };
        for (bit, (column, &id)) in self.columns.iter().zip(self.columns.ids()).enumerate() {
            if mask & 1 << bit == 0 && entity.contains_id(id) {
                column.remove(&mut entity);
                if entity.is_despawned() {
                    return;
                }
            }
        }
        if mask & DISABLED == 0 {
            entity.remove::<Disabled>();
        }
        if mask & MAP == 0 {
            entity.remove::<NavMap>();
        }
    }

    fn write(&mut self, world: &mut World, column: u8, values: &[u8]) -> Result<(), Nonsense> {
        let column = self.columns.get(column).ok_or(Nonsense)?;
        let mut values = column.read(values).map_err(|_| Nonsense)?;
        values.map_entities(&mut ByNumber {
            here: &mut self.here,
            numbers: &mut self.numbers,
            world,
        });
        values.insert(world, |number| self.here(number));
        Ok(())
    }
}

/// Finds entities by the numbers that stand for them.
struct ByNumber<'a> {
    here: &'a mut BTreeMap<u32, Entity>,
    numbers: &'a mut Numbers,
    world: &'a mut World,
}

impl EntityMapper for ByNumber<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let number = source.index_u32();
        *self.here.entry(number).or_insert_with(|| {
            // Neither an agent nor a map: something has to stand for it.
            let entity = self.world.spawn_empty().id();
            self.numbers.set(entity, number);
            entity
        })
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
