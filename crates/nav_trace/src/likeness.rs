//! Entities that are in the order of those of another world.
//!
//! The order of entities decides where the numbers of agents are equal, or where they have none. An index so
//! much higher keeps it, and so does an equal generation. What is spawned by the plugin itself stays below.

use bevy_ecs::{
    entity::{Entity, EntityIndex},
    world::World,
};

/// By how much indexes are higher: more than what is spawned by the plugin at one time.
const RAISED: u32 = 1 << 18;
/// Indexes are lower than this, whatever a trace says: a world keeps 24 bytes for each index below its highest
/// one. Beyond a million entities in the other world, the order is that in which they are spawned.
const INDEXES: u32 = RAISED + (1 << 20);
/// Generations of an index that are passed over at most.
const PASSED: u32 = 1 << 12;

/// Spawns an empty entity in place of one of another world.
pub(super) fn spawn_like(world: &mut World, of_other: Entity) -> Entity {
    let raised = of_other.index_u32().checked_add(RAISED);
    let raised = raised.filter(|&index| index < INDEXES);
    let index = raised.and_then(EntityIndex::from_raw_u32);
    index
        .and_then(|index| spawn_at(world, index, of_other))
        .unwrap_or_else(|| world.spawn_empty().id())
}

fn spawn_at(world: &mut World, index: EntityIndex, of_other: Entity) -> Option<Entity> {
    let wanted = Entity::from_index_and_generation(index, of_other.generation());
    for _ in 0..PASSED {
        let next = world.entities().resolve_from_index(index);
        let spawned = world.spawn_empty_at(next).ok()?;
        if next == wanted {
            return Some(next);
        }
        spawned.despawn_no_free();
    }
    None
}
