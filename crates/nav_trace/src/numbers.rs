//! The numbers by which a trace names agents and maps.
//!
//! Entities differ between the recorded world and that of a replay; numbers are the same in both.

use crate::components::{Components, MAP, Mask};
use bevy_ecs::{
    entity::{EntityHashMap, EntityMapper},
    prelude::*,
};
use nav::{AgentId, ChasedBy};

/// Numbers of agents, of maps, and of the entities that they name. They start at 1 and are never
/// reused.
#[derive(Default)]
pub(super) struct Numbers {
    /// The last number that was assigned.
    pub(super) last: u32,
    known: EntityHashMap<Known>,
    /// Counts scans.
    scan: u32,
}

struct Known {
    number: u32,
    /// The components at the last scan; 0 for an entity that is neither agent nor map.
    mask: Mask,
    /// The last scan that found the entity.
    scan: u32,
}

/// The results of a scan, by numbers.
#[derive(Default)]
pub(super) struct News {
    /// New agents and maps.
    pub(super) born: Vec<(u32, Entity)>,
    /// Entities with other components than at the last scan, new ones among them: the mask then,
    /// and now.
    pub(super) masks: Vec<(u32, Mask, Mask)>,
    /// Despawned agents and maps, in order.
    pub(super) gone: Vec<u32>,
}

impl Numbers {
    /// The number of an entity.
    #[inline]
    pub(super) fn of(&self, entity: Entity) -> Option<u32> {
        self.known.get(&entity).map(|known| known.number)
    }

    /// The number of an entity; a new one if it has none.
    pub(super) fn assign(&mut self, entity: Entity) -> u32 {
        self.of(entity).unwrap_or_else(|| {
            self.last += 1;
            self.set(entity, self.last, 0);
            self.last
        })
    }

    /// Sets the number and the known components of an entity.
    pub(super) fn set(&mut self, entity: Entity, number: u32, mask: Mask) {
        let scan = self.scan;
        self.known.insert(entity, Known { number, mask, scan });
    }

    /// Forgets an entity.
    pub(super) fn forget(&mut self, entity: Entity) {
        self.known.remove(&entity);
    }

    /// Finds what came, went, or changed its components since the last scan, and numbers new
    /// entities.
    ///
    /// # Complexity
    ///
    /// O(n) in agents and maps.
    pub(super) fn scan(&mut self, world: &World, components: &Components) -> News {
        self.scan = self.scan.wrapping_add(1);
        let (mut news, mut born, mut found) = (News::default(), Vec::new(), 0);
        for (entity, mask) in components.masks(world) {
            let Some(known) = self.known.get_mut(&entity) else {
                born.push((entity, mask));
                continue;
            };
            found += 1;
            known.scan = self.scan;
            if known.mask != mask {
                news.masks.push((known.number, known.mask, mask));
                known.mask = mask;
            }
        }
        // A pass over all that is known costs as much as the scan. It is rarely needed: only when a
        // known entity was not found.
        if found < self.known.len() {
            self.known.retain(|&entity, known| {
                let is_missing = known.mask != 0 && known.scan != self.scan;
                if !is_missing {
                    return true;
                }
                let mask = std::mem::take(&mut known.mask);
                if world.get_entity(entity).is_ok() {
                    news.masks.push((known.number, mask, 0));
                    return true;
                }
                news.gone.push(known.number);
                // Agents may stay on a map that is gone.
                mask & MAP != 0
            });
            news.gone.sort_unstable();
        }
        // The plugin and behaviours spawn the ends of walks. Such spawns are not recorded but
        // repeated, and their entities differ in a replay: the order follows their chasers instead.
        born.sort_by_cached_key(|&(entity, _)| {
            let id = world.get::<AgentId>(entity).copied().unwrap_or_default();
            let chased = world.get::<ChasedBy>(entity).into_iter();
            let chasers = chased.flat_map(ChasedBy::iter);
            (id, chasers.filter_map(|by| self.of(by)).min(), entity)
        });
        for (entity, mask) in born {
            let number = self.assign(entity);
            self.set(entity, number, mask);
            news.born.push((number, entity));
            news.masks.push((number, 0, mask));
        }
        news
    }
}

/// Replaces entities by their numbers, so that components name the same in every world.
impl EntityMapper for Numbers {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        Entity::from_raw_u32(self.assign(source)).unwrap_or(Entity::PLACEHOLDER)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
