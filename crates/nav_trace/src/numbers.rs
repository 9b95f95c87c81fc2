//! The numbers by which a trace knows agents and maps.

use crate::masks::Masks;
use bevy_ecs::{
    entity::{EntityHashMap, EntityMapper},
    prelude::*,
};
use nav::{AgentId, ChasedBy};

/// The numbers of agents and maps, and of what else they refer to, from 1 on. None is given twice.
#[derive(Default)]
pub(super) struct Numbers {
    known: EntityHashMap<Known>,
    last: u32,
    /// How many of those known are agents or maps.
    present: usize,
    /// Counts scans.
    scan: u32,
}

#[derive(Clone, Copy)]
struct Known {
    number: u32,
    /// The components that it had when it was last looked at.
    mask: u64,
    /// The last scan that found it.
    scan: u32,
}

/// What a look found.
#[derive(Default)]
pub(super) struct News {
    /// Who is new.
    pub(super) born: Vec<Entity>,
    /// Who has other components than before, which those were, and which it has now: those who are new among
    /// them, and those who are no agents any more.
    pub(super) masks: Vec<(Entity, u64, u64)>,
    /// Who was despawned, and its number.
    pub(super) gone: Vec<(u32, Entity)>,
}

impl Numbers {
    /// The number of an entity.
    #[inline]
    pub(super) fn of(&self, entity: Entity) -> Option<u32> {
        self.known.get(&entity).map(|known| known.number)
    }

    /// The last number that was given.
    pub(super) const fn last(&self) -> u32 {
        self.last
    }

    /// Goes on after this number. Returns false if no recorder comes so far: as many are left for whoever comes.
    #[must_use]
    pub(super) const fn go_on_after(&mut self, last: u32) -> bool {
        let is_few = last <= u32::MAX / 2;
        if is_few {
            self.last = last;
        }
        is_few
    }

    /// The number of an entity, a new one if it has none.
    pub(super) fn give(&mut self, entity: Entity) -> u32 {
        if let Some(number) = self.of(entity) {
            return number;
        }
        self.last += 1;
        self.set(entity, self.last);
        self.last
    }

    /// Gives an entity this number.
    pub(super) fn set(&mut self, entity: Entity, number: u32) {
        let known = Known {
            number,
            mask: 0,
            scan: self.scan,
        };
        self.known.insert(entity, known);
    }

    /// Forgets who is gone.
    pub(super) fn forget(&mut self, entity: Entity) {
        if let Some(known) = self.known.remove(&entity)
            && known.mask != 0
        {
            self.present -= 1;
        }
    }

    /// Finds who came, who went, and who has other components than at the last look. Who is new has no number
    /// yet.
    pub(super) fn look(&mut self, world: &World, masks: &Masks) -> News {
        self.scan = self.scan.wrapping_add(1);
        let Self {
            known,
            present,
            scan,
            ..
        } = self;
        let mut news = News::default();
        let mut found = 0;
        masks.scan(world, |entity, mask| {
            let Some(known) = known.get_mut(&entity) else {
                news.born.push(entity);
                news.masks.push((entity, 0, mask));
                return;
            };
            if known.mask == 0 {
                *present += 1;
            }
            found += 1;
            known.scan = *scan;
            if known.mask != mask {
                news.masks.push((entity, known.mask, mask));
                known.mask = mask;
            }
        });
        if found < *present {
            for (&entity, known) in known.iter_mut() {
                if known.mask == 0 || known.scan == *scan {
                    continue;
                }
                if world.get_entity(entity).is_ok() {
                    news.masks.push((entity, known.mask, 0));
                    known.mask = 0;
                    *present -= 1;
                } else {
                    news.gone.push((known.number, entity));
                }
            }
        }
        for &(_, entity) in &news.gone {
            self.forget(entity);
        }
        // Hash maps and storage have orders of their own.
        news.born.sort_unstable();
        news.gone.sort_unstable();
        news
    }

    /// Notes the components of somebody who is new.
    pub(super) fn note(&mut self, entity: Entity, mask: u64) {
        if let Some(known) = self.known.get_mut(&entity) {
            self.present += usize::from(known.mask == 0 && mask != 0);
            self.present -= usize::from(known.mask != 0 && mask == 0);
            known.mask = mask;
        }
    }

    /// Looks at the world after a tick and gives numbers to those whom the plugin spawned itself: the
    /// ends of walks. Returns who came and who went.
    ///
    /// Their numbers are equal wherever the tick is repeated: they follow those of who goes there.
    pub(super) fn look_after_tick(&mut self, world: &World, masks: &Masks) -> News {
        let mut news = self.look(world, masks);
        news.born.sort_by_cached_key(|&entity| {
            let id = world.get::<AgentId>(entity).copied().unwrap_or_default();
            let chasers = world.get::<ChasedBy>(entity);
            let chasers = chasers.and_then(|by| by.iter().filter_map(|by| self.of(by)).min());
            (id, chasers, entity)
        });
        for &entity in &news.born {
            self.give(entity);
        }
        for &(entity, _, mask) in &news.masks {
            self.note(entity, mask);
        }
        news
    }
}

/// Has components name numbers in place of entities. What has none is given one.
impl EntityMapper for Numbers {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        Entity::from_raw_u32(self.give(source)).unwrap_or(Entity::PLACEHOLDER)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
