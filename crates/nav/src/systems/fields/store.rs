//! The fields of all targets.

use super::{
    budget::FieldBudget,
    group::{FieldGroup, FieldKey},
    job::FieldJob,
    shared_field::SharedField,
    target_fields::TargetFields,
};
use bevy_ecs::prelude::*;
use nav_grid::fields::FlowMaker;

/// The fields of all targets.
///
/// What a field says follows from its target's [`FieldAnchor`](crate::FieldAnchor) and the map. It
/// is made again if an edit touches its window.
#[derive(Resource, Default)]
pub(crate) struct Fields {
    pub(super) groups: Vec<FieldGroup>,
    pub(super) makers: Vec<FlowMaker>,
    pub(super) jobs: Vec<FieldJob>,
    pub(super) budget: FieldBudget,
    /// Fields made in this tick, and the expansions that took.
    pub(crate) made: u64,
    pub(crate) expanded: u64,
}

impl Fields {
    /// The number of the group with a key. A new one gets fields for so many slots.
    pub(super) fn group(&mut self, key: FieldKey, slots: usize) -> usize {
        let known = self.groups.iter().position(|group| group.key == key);
        known.unwrap_or_else(|| {
            let mut targets = Vec::new();
            targets.resize_with(slots, TargetFields::default);
            self.groups.push(FieldGroup { key, targets });
            self.groups.len() - 1
        })
    }

    /// The field that chasers of a group share after the target in a slot.
    #[inline]
    pub(crate) fn shared(&self, group: usize, slot: usize) -> Option<SharedField<'_>> {
        let FieldGroup { key, targets } = &self.groups[group];
        Some(SharedField::new(key, targets.get(slot)?))
    }

    /// The fields of a target in a slot for chasers of a group.
    #[inline]
    pub(super) fn of(&self, group: usize, slot: usize) -> Option<&TargetFields> {
        self.groups[group].targets.get(slot)
    }

    /// Gives every target a place among the fields of every group.
    pub(super) fn make_room(&mut self, slots: usize) {
        for FieldGroup { targets, .. } in &mut self.groups {
            if targets.len() < slots {
                targets.resize_with(slots, TargetFields::default);
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let group = |group: &FieldGroup| {
            let fields: usize = group.targets.iter().map(TargetFields::heap_bytes).sum();
            fields + group.targets.capacity() * size_of::<TargetFields>()
        };
        self.groups.iter().map(group).sum()
    }
}
