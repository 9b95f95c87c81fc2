//! Observe: the targets, each in a slot of its own.

use crate::{Body, CellPosition, ChasedBy, FieldAnchor, OnMap};
use bevy_ecs::prelude::*;
use nav_grid::{Area, Footprint};

/// Where the targets were when the tick began, so that all chasers of a target see it in the
/// same place whatever the order of systems.
///
/// A target keeps its slot as long as it is chased. Slots are numbers to find things by; nothing
/// is ordered by them.
#[derive(Resource, Default)]
pub(crate) struct Targets {
    slots: Vec<Target>,
    /// By the index of an entity: its slot and one more, or 0.
    slot_of: Vec<u32>,
    free: Vec<u32>,
    /// Told apart from the tick before, to find slots that nobody took up.
    tick: u32,
}

/// A target in its slot.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) entity: Entity,
    pub(crate) seen: SeenTarget,
    /// How many chase it.
    pub(crate) chasers: u32,
    pub(crate) anchor: FieldAnchor,
    tick: u32,
}

/// What a chaser sees of its target.
#[derive(Clone, Copy)]
pub(crate) struct SeenTarget {
    pub(crate) position: CellPosition,
    pub(crate) map: Entity,
    /// One cell if the target has no body.
    pub(crate) body: Footprint,
}

impl SeenTarget {
    /// The cells that the target covers.
    pub(crate) fn area(&self) -> Area {
        self.body.area(self.position.cell)
    }
}

impl Targets {
    /// The slot of a target, unless it is on no map.
    #[inline]
    pub(crate) fn slot(&self, target: Entity) -> Option<usize> {
        let slot = *self.slot_of.get(target.index_u32() as usize)?;
        let slot = slot.checked_sub(1)? as usize;
        (self.slots.get(slot)?.entity == target).then_some(slot)
    }

    /// The slot of a target, if it is on this map.
    #[inline]
    pub(crate) fn slot_on(&self, target: Entity, map: Entity) -> Option<usize> {
        self.slot(target)
            .filter(|&slot| self.slots[slot].seen.map == map)
    }

    /// The target in a slot that is in use.
    #[inline]
    pub(crate) fn at(&self, slot: usize) -> &Target {
        &self.slots[slot]
    }

    /// Whether somebody chases the target in a slot.
    pub(crate) fn is_chased(&self, slot: usize) -> bool {
        self.slot(self.slots[slot].entity) == Some(slot)
    }

    /// How many slots there are, those not in use included.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// A target that is a chaser itself has stepped.
    pub(crate) fn has_moved(&mut self, target: Entity, position: CellPosition) {
        if let Some(slot) = self.slot(target) {
            self.slots[slot].seen.position = position;
        }
    }

    /// The field of a target was aimed.
    pub(crate) fn aim(&mut self, slot: usize, anchor: FieldAnchor) {
        self.slots[slot].anchor = anchor;
    }

    fn see(&mut self, target: Target) {
        let index = target.entity.index_u32() as usize;
        if let Some(slot) = self.slot(target.entity) {
            self.slots[slot] = target;
            return;
        }
        let slot = if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = target;
            slot
        } else {
            self.slots.push(target);
            self.slots.len() as u32 - 1
        };
        if self.slot_of.len() <= index {
            self.slot_of.resize(index + 1, 0);
        }
        self.slot_of[index] = slot + 1;
    }

    /// Gives up the slots of those who were not seen in this tick.
    fn forget_the_gone(&mut self) {
        for slot in 0..self.slots.len() {
            let Target { entity, tick, .. } = self.slots[slot];
            let Some(of) = self.slot_of.get_mut(entity.index_u32() as usize) else {
                continue;
            };
            if tick != self.tick && *of == slot as u32 + 1 {
                *of = 0;
                self.free.push(slot as u32);
            }
        }
    }
}

type Chased = (
    Entity,
    &'static CellPosition,
    &'static OnMap,
    Option<&'static Body>,
    &'static ChasedBy,
    &'static FieldAnchor,
);

/// Notes where all targets are.
pub(crate) fn see_targets(chased: Query<Chased>, mut targets: ResMut<Targets>) {
    targets.tick = targets.tick.wrapping_add(1);
    let tick = targets.tick;
    for (entity, position, on_map, body, chasers, anchor) in &chased {
        targets.see(Target {
            entity,
            seen: SeenTarget {
                position: *position,
                map: on_map.0,
                body: body.copied().unwrap_or_default().footprint,
            },
            chasers: chasers.len() as u32,
            anchor: *anchor,
            tick,
        });
    }
    targets.forget_the_gone();
}
