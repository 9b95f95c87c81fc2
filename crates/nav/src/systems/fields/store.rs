//! The fields of all targets.

use super::{
    budget::FieldBudget,
    group::{FieldGroup, FieldKey},
    job::FieldJob,
    shared_field::SharedField,
    target_fields::TargetFields,
};
use crate::components::Tuning;
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use nav_grid::fields::FlowMaker;

/// The fields of all targets.
///
/// What a field says follows from its target's [`FieldAnchor`](crate::FieldAnchor) and the map. It
/// is made again if an edit touches its window.
#[derive(Resource, Default)]
pub(crate) struct Fields {
    pub(super) groups: Vec<FieldGroup>,
    /// The numbers of groups in use, by their keys. Only looked up.
    numbers: HashMap<FieldKey, u16>,
    /// Numbers that nobody uses any longer.
    free: Vec<u16>,
    pub(super) makers: Vec<FlowMaker>,
    pub(super) jobs: Vec<FieldJob>,
    pub(super) budget: FieldBudget,
    /// Whether there ever was a chaser whose steps take as long as they cost.
    pub(crate) by_cost: bool,
    /// Fields made in this tick, and the expansions that took.
    pub(crate) made: u64,
    pub(crate) expanded: u64,
}

impl Fields {
    /// The number of the group with a key; `None` if all numbers are taken. A new one gets fields
    /// for so many slots.
    ///
    /// Which number a group has depends on who came before, and shows nowhere.
    pub(super) fn group(&mut self, key: FieldKey, slots: usize) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let next = u16::try_from(self.groups.len()).ok();
        let number = self
            .free
            .pop()
            .or(next.filter(|&next| next <= Tuning::GROUP_MAX))?;
        let mut targets = Vec::new();
        targets.resize_with(slots, TargetFields::default);
        let group = FieldGroup {
            key,
            is_used: true,
            targets,
        };
        match self.groups.get_mut(usize::from(number)) {
            Some(free) => *free = group,
            None => self.groups.push(group),
        }
        self.numbers.insert(key, number);
        Some(number)
    }

    /// Drops the fields of a group whose last chaser left, and frees its number.
    pub(super) fn retire(&mut self, number: u16) {
        if let Some(group) = self.groups.get_mut(usize::from(number))
            && std::mem::take(&mut group.is_used)
        {
            group.targets = Vec::new();
            self.numbers.remove(&group.key);
            self.free.push(number);
        }
    }

    /// The field that chasers of a group share after the target in a slot.
    #[inline]
    pub(crate) fn shared(&self, group: usize, slot: usize) -> Option<SharedField<'_>> {
        let FieldGroup { key, targets, .. } = &self.groups[group];
        Some(SharedField::new(key, targets.get(slot)?))
    }

    /// The fields of a target in a slot for chasers of a group.
    #[inline]
    pub(super) fn of(&self, group: usize, slot: usize) -> Option<&TargetFields> {
        self.groups[group].targets.get(slot)
    }

    /// Gives every target a place among the fields of every group.
    pub(super) fn make_room(&mut self, slots: usize) {
        for group in &mut self.groups {
            let FieldGroup {
                is_used, targets, ..
            } = group;
            if *is_used && targets.len() < slots {
                targets.resize_with(slots, TargetFields::default);
            }
        }
    }

    /// Drops the fields of slots that were given out anew, those of the target itself among them: which slot
    /// it gets is not to show.
    pub(super) fn drop_of_slots(&mut self, slots: &[usize]) {
        for FieldGroup { targets, .. } in &mut self.groups {
            for &slot in slots {
                if let Some(of) = targets.get_mut(slot) {
                    *of = TargetFields::default();
                }
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
