//! The targets of a tick, each in a slot of its own.

use crate::{CellPosition, FieldAnchor};
use bevy_ecs::prelude::*;
use nav_grid::{Area, Footprint};

/// Where the targets were when the tick began, so that all chasers of a target decide from the
/// same place whatever the order of systems.
///
/// A target keeps its slot as long as it is chased. Slots are small numbers by which its fields are
/// found without hashing; nothing is ordered by them.
#[derive(Resource, Default)]
pub(crate) struct Targets {
    slots: Vec<Target>,
    /// By the index of an entity: its slot and one more, or 0.
    slot_of: Vec<u32>,
    free: Vec<u32>,
    /// The slots that were given out in this tick.
    fresh: Vec<usize>,
    /// Distinguishes slots of this tick from slots that were not updated.
    tick: u32,
}

/// A target in its slot.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) entity: Entity,
    pub(crate) seen: TargetSnapshot,
    /// How many chase it.
    pub(crate) chasers: u32,
    pub(crate) anchor: FieldAnchor,
    tick: u32,
}

/// Where a target is in this tick, for a [`Stepper`](crate::stepping::Stepper). A target that is a
/// chaser itself is updated when it steps.
#[derive(Clone, Copy, Debug)]
pub struct TargetSnapshot {
    /// Its cell.
    pub position: CellPosition,
    /// Its map.
    pub map: Entity,
    /// How many cells its body has; one if it has none.
    pub body: Footprint,
    /// Whether its chasers enter its cell: see [`Destination`](crate::Destination).
    pub is_entered: bool,
}

impl TargetSnapshot {
    /// The cells that the target covers.
    pub fn area(&self) -> Area {
        self.body.area(self.position.cell)
    }
}

impl Target {
    pub(crate) const fn new(
        entity: Entity,
        seen: TargetSnapshot,
        chasers: u32,
        anchor: FieldAnchor,
    ) -> Self {
        Self {
            entity,
            seen,
            chasers,
            anchor,
            tick: 0,
        }
    }
}

impl Targets {
    /// The slot of a target, unless it is on no map.
    #[inline]
    pub(crate) fn slot(&self, target: Entity) -> Option<usize> {
        let number = *self.slot_of.get(target.index_u32() as usize)?;
        let slot = number.checked_sub(1)? as usize;
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

    /// Whether the target in a slot is chased.
    pub(crate) fn is_chased(&self, slot: usize) -> bool {
        self.slot(self.slots[slot].entity) == Some(slot)
    }

    /// The number of chasers of all targets.
    pub(crate) fn chasers(&self) -> u32 {
        let chased = (0..self.slots()).filter(|&slot| self.is_chased(slot));
        chased.map(|slot| self.slots[slot].chasers).sum()
    }

    /// How many slots there are, those not in use included.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The slots that were given out in this tick: to targets that had none at the end of the last
    /// one.
    pub(crate) fn fresh(&self) -> &[usize] {
        &self.fresh
    }

    /// Updates the place of a target that is a chaser itself and stepped.
    pub(crate) fn set_position(&mut self, target: Entity, position: CellPosition) {
        if let Some(slot) = self.slot(target) {
            self.slots[slot].seen.position = position;
        }
    }

    /// Updates where the fields of a target are aimed.
    pub(crate) fn set_anchor(&mut self, slot: usize, anchor: FieldAnchor) {
        self.slots[slot].anchor = anchor;
    }

    /// Takes the targets of a new tick, and frees the slots of all others.
    pub(crate) fn update(&mut self, targets: impl Iterator<Item = Target>) {
        self.tick = self.tick.wrapping_add(1);
        self.fresh.clear();
        let tick = self.tick;
        for target in targets {
            self.put(Target { tick, ..target });
        }
        self.free_others();
    }

    fn put(&mut self, target: Target) {
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
        self.fresh.push(slot as usize);
        if self.slot_of.len() <= index {
            self.slot_of.resize(index + 1, 0);
        }
        self.slot_of[index] = slot + 1;
    }

    /// Frees the slots of targets that are not of this tick.
    fn free_others(&mut self) {
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
