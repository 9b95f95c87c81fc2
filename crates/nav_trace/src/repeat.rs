//! Repeats in one world what a game did in another.

use crate::{
    components::{Components, DISABLED, MAP, Mask},
    maps,
    numbers::Numbers,
    record::Inputs,
};
use bevy_ecs::{
    entity::{EntityIndex, EntityMapper},
    entity_disabling::Disabled,
    prelude::*,
};
use nav::NavMap;
use std::collections::BTreeMap;

/// The entities of a repeated world and their counterparts in the recorded one.
pub(super) struct Repeated {
    pub(super) components: Components,
    pub(super) numbers: Numbers,
    entities: Twins,
}

/// The entities in this world and in the recorded one, by their numbers. The recorded entity is
/// unknown if the plugin spawned it.
type Twins = BTreeMap<u32, (Entity, Option<Entity>)>;

impl Repeated {
    /// Starts with a restored world. `all` are the recorded entities and those of this world, in
    /// the order of their numbers.
    pub(super) fn new(
        world: &mut World,
        components: Components,
        all: impl Iterator<Item = (Entity, Entity)>,
    ) -> Self {
        let (mut numbers, mut entities) = (Numbers::default(), Twins::new());
        for (there, here) in all {
            entities.insert(numbers.assign(here), (here, Some(there)));
        }
        numbers.scan(world, &components);
        Self {
            components,
            numbers,
            entities,
        }
    }

    /// The entity with a number in this world.
    pub(super) fn here(&self, number: u32) -> Option<Entity> {
        Some(self.entities.get(&number)?.0)
    }

    /// The entity with a number in the recorded world.
    pub(super) fn there(&self, number: u32) -> Option<Entity> {
        self.entities.get(&number)?.1
    }

    fn here_mut<'w>(&self, world: &'w mut World, number: u32) -> Option<EntityWorldMut<'w>> {
        world.get_entity_mut(self.here(number)?).ok()
    }

    /// Does what a game did.
    ///
    /// Returns `None` for inputs that make no sense: values that cannot be read, edits that a map
    /// refuses, and unknown numbers.
    pub(super) fn repeat(&mut self, world: &mut World, inputs: Inputs) -> Option<()> {
        for number in inputs.gone {
            self.despawn(world, number);
        }
        for (number, there) in inputs.born {
            let here = spawn_like(world, there);
            self.numbers.set(here, number, 0);
            self.entities.insert(number, (here, Some(there)));
        }
        for &(number, mask) in &inputs.masks {
            self.strip(world, number, mask);
        }
        for (column, number) in inputs.renewed {
            if let Some(column) = self.components.columns.get(usize::from(column))
                && let Some(mut agent) = self.here_mut(world, number)
            {
                (column.remove)(&mut agent);
            }
        }
        for (number, change) in inputs.maps {
            maps::repeat(world, self.here(number)?, change)?;
        }
        for (column, values) in inputs.columns {
            let column = self.components.columns.get(usize::from(column))?;
            let mut values = (column.read)(&values).ok()?;
            values.map_entities(&mut ByNumber {
                entities: &mut self.entities,
                numbers: &mut self.numbers,
                world,
            });
            values.insert(world, &|number| self.here(number));
        }
        // Again: inserted values require other components, and hooks insert some.
        for (number, mask) in inputs.masks {
            self.strip(world, number, mask);
            if mask & DISABLED != 0
                && let Some(mut agent) = self.here_mut(world, number)
            {
                agent.insert_if_new(Disabled);
            }
        }
        if let Some(clock) = inputs.clock {
            world.insert_resource(clock);
        }
        if let Some(budget) = inputs.budget {
            world.insert_resource(budget);
        }
        // Last, since inserted agents take numbers.
        if let Some(ids) = inputs.ids {
            world.insert_resource(ids);
        }
        // No recording uses half of the numbers. The others are left for what this world spawns.
        if inputs.last > u32::MAX / 2 {
            return None;
        }
        self.numbers.last = inputs.last;
        Some(())
    }

    /// Looks at the world after the plugin or behaviours acted, as the recorder did.
    pub(super) fn skip(&mut self, world: &World) {
        let news = self.numbers.scan(world, &self.components);
        for (number, here) in news.born {
            self.entities.insert(number, (here, None));
        }
        for number in news.gone {
            self.entities.remove(&number);
        }
    }

    fn despawn(&mut self, world: &mut World, number: u32) {
        let Some(here) = self.here(number) else {
            return;
        };
        if world.get::<NavMap>(here).is_some() {
            // Agents may stay on a map that is gone.
            self.numbers.set(here, number, 0);
        } else {
            self.entities.remove(&number);
            self.numbers.forget(here);
        }
        if let Ok(entity) = world.get_entity_mut(here) {
            // Keeps the index, for the next entity at it in the recorded world.
            entity.despawn_no_free();
        }
    }

    /// Removes the components that are not in a mask.
    fn strip(&self, world: &mut World, number: u32, mask: Mask) {
        let Some(mut entity) = self.here_mut(world, number) else {
            return;
        };
        for (bit, column) in self.components.columns.iter().enumerate() {
            if mask & 1 << bit == 0 && (column.is_of)(entity.as_readonly()) {
                (column.remove)(&mut entity);
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
}

/// Replaces numbers by entities of the repeated world.
struct ByNumber<'a> {
    entities: &'a mut Twins,
    numbers: &'a mut Numbers,
    world: &'a mut World,
}

impl EntityMapper for ByNumber<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let number = source.index_u32();
        let (here, _) = self.entities.entry(number).or_insert_with(|| {
            // Neither an agent nor a map: an empty entity stands in for it.
            let here = self.world.spawn_empty().id();
            self.numbers.set(here, number, 0);
            (here, None)
        });
        *here
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

/// Added to the index of a recorded entity: more entities than the plugin itself spawns at
/// one time.
const RAISED: u32 = 1 << 18;
/// The end of raised indexes, whatever a trace says: a world keeps 24 bytes for each index below
/// its highest: a million entities, 30 MB.
const INDEXES: u32 = RAISED + (1 << 20);
/// Generations of an index that are skipped at most: each costs a spawn, and 4,096 spawns
/// are no pause.
const SKIPPED: u32 = 1 << 12;

/// Spawns an empty entity in place of a recorded one.
///
/// The order of entities decides between agents with equal numbers, or without. So the entity gets
/// a higher index, by the same amount for all, and the same generation. Entities that the plugin
/// spawns stay below. Where this fails, as beyond a million entities, the order is that of spawns.
pub(super) fn spawn_like(world: &mut World, there: Entity) -> Entity {
    let spawned = spawn_raised(world, there);
    spawned.unwrap_or_else(|| world.spawn_empty().id())
}

fn spawn_raised(world: &mut World, there: Entity) -> Option<Entity> {
    let raised = there.index_u32().checked_add(RAISED)?;
    let index = EntityIndex::from_raw_u32(raised).filter(|_| raised < INDEXES)?;
    for _ in 0..SKIPPED {
        let next = world.entities().resolve_from_index(index);
        let spawned = world.spawn_empty_at(next).ok()?;
        if next.generation() == there.generation() {
            return Some(next);
        }
        spawned.despawn_no_free();
    }
    None
}
