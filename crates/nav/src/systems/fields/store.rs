//! The fields of all targets, by field group and by target, and their share of the budget.

use super::{
    shared_field::SharedField,
    target_fields::{FieldKey, TargetFields},
};
use crate::{
    budget::TickWork,
    components::Tuning,
    state::Fingerprint,
    systems::{guidance::TargetView, storage::targets::Targets},
};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use nav_grid::fields::FlowMaker;

/// The fields of all targets.
///
/// A field follows from its target's [`FieldAnchor`](crate::FieldAnchor) and the map. It is made
/// again if an edit touches its window.
#[derive(Resource, Default)]
pub(crate) struct Fields {
    pub(super) groups: Vec<FieldGroup>,
    /// The numbers of groups in use, by their keys. Only looked up, never iterated.
    numbers: HashMap<FieldKey, u16>,
    /// Unused numbers.
    free: Vec<u16>,
    /// Scratch memory, one for each task.
    pub(super) makers: Vec<FlowMaker>,
    pub(super) budget: FieldBudget,
    /// The groups and slots of far fields that have not spread to all who ask.
    pub(super) unserved: Vec<(usize, usize)>,
    /// Fields made in this tick, and the expansions of making them.
    pub(crate) made: u64,
    pub(crate) expanded: u64,
}

/// The fields of one group of chasers.
pub(super) struct FieldGroup {
    pub(super) key: FieldKey,
    /// Whether the group has chasers. The number of an unused group goes to the next new one.
    pub(super) is_used: bool,
    /// By the slot of the target; empty if the group is not used.
    pub(super) targets: Vec<TargetFields>,
}

impl Fields {
    /// Returns the number of the group with a key; `None` if all numbers are taken. A new group
    /// gets room for the fields of `slots` targets.
    ///
    /// The number depends on the groups before it, and shows nowhere.
    pub(super) fn group(&mut self, key: FieldKey, slots: usize) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let count = u16::try_from(self.groups.len()).ok();
        let next = count.filter(|&next| next <= Tuning::GROUP_MAX);
        let number = self.free.pop().or(next)?;
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

    /// The field that chasers of a group share around the target in a slot.
    #[inline]
    pub(crate) fn shared(&self, group: usize, slot: usize) -> Option<SharedField<'_>> {
        let FieldGroup { key, targets, .. } = &self.groups[group];
        let fields = targets.get(slot)?;
        Some(SharedField { key, fields })
    }

    /// The fields of a target for the chasers that see it so, if they are of a group that shares.
    pub(super) fn of(&self, view: &TargetView) -> Option<&TargetFields> {
        self.groups[view.tuning.group()?].targets.get(view.slot)
    }

    /// Returns fingerprints of the state that the fields of each target carry over a tick, in no
    /// particular order.
    ///
    /// It is part of the digest. An older field leads elsewhere than a new one, answers chasers for
    /// which the budget may have no room, and a missing one costs budget.
    pub(crate) fn carried<'a>(
        &'a self,
        targets: &'a Targets,
    ) -> impl Iterator<Item = (Entity, u64)> + 'a {
        self.groups.iter().flat_map(move |group| {
            let fields = group.targets.iter().enumerate();
            fields.filter_map(move |(slot, fields)| {
                let is_used = slot < targets.slots() && targets.is_chased(slot);
                let carried = fields.carried().filter(|_| is_used)?;
                let print = Fingerprint::of(&(group.key, carried));
                Some((targets.at(slot).entity, print))
            })
        })
    }

    /// Drops the fields of all targets. They are made again on request.
    #[cfg(feature = "serialize")]
    pub(crate) fn forget_carried(&mut self) {
        self.unserved.clear();
        let groups = self.groups.iter_mut();
        groups.for_each(|group| group.targets.fill_with(TargetFields::default));
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let mut bytes = 0;
        for FieldGroup { targets, .. } in &self.groups {
            bytes += targets.capacity() * size_of::<TargetFields>();
            bytes += targets.iter().map(TargetFields::heap_bytes).sum::<usize>();
        }
        bytes
    }
}

/// The expansions left for fields in a tick: half of its budget, so that searches get the rest.
#[derive(Clone, Copy, Default)]
pub(super) struct FieldBudget {
    /// The share of fields in a whole tick.
    pub(super) whole: u32,
    left: u32,
    /// Further expansions, for far fields.
    spare: u32,
}

/// Whether a field is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grant {
    Now,
    /// In a tick with more left.
    Later,
    /// No tick has room for it.
    Never,
}

impl FieldBudget {
    pub(super) const fn of(work: &TickWork) -> Self {
        let whole = work.all / 2;
        Self {
            whole,
            left: whole,
            spare: work.spare,
        }
    }

    /// The expansions that far fields may take: the further ones, and a quarter of those left, so
    /// that chasers that they do not reach yet can search.
    ///
    /// Measured where 5,000 chasers set off at once: with half, 7 of them stand longer than a
    /// second, with a quarter 5 at most.
    pub(super) const fn for_far(&self) -> u32 {
        self.spare.saturating_add(self.left / 4)
    }

    /// Takes the expansions of far fields, and returns how many of them count for the tick.
    pub(super) const fn take_far(&mut self, work: u32) -> u32 {
        let counted = work.saturating_sub(self.spare);
        self.spare = self.spare.saturating_sub(work);
        self.left = self.left.saturating_sub(counted);
        counted
    }

    /// Sets the greatest work of a field aside, if there is room for it.
    pub(super) const fn ask(&mut self, most: u32) -> Grant {
        if most > self.whole {
            Grant::Never
        } else if most > self.left {
            Grant::Later
        } else {
            self.left -= most;
            Grant::Now
        }
    }

    /// Puts back what was set aside and not used.
    pub(super) const fn give_back(&mut self, most: u32, used: u32) {
        self.left += most.saturating_sub(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_granted_to_the_last_expansion() {
        let work = TickWork {
            all: 20,
            spare: 3,
            ..TickWork::default()
        };
        let mut budget = FieldBudget::of(&work);
        assert_eq!(budget.ask(11), Grant::Never);
        assert_eq!(budget.ask(10), Grant::Now);
        assert_eq!(budget.ask(1), Grant::Later);
        budget.give_back(10, 4);
        assert_eq!(budget.ask(7), Grant::Later);
        assert_eq!((budget.for_far(), budget.take_far(2)), (4, 0));
        assert_eq!((budget.take_far(4), budget.for_far()), (3, 0));
        assert_eq!((budget.ask(3), budget.for_far()), (Grant::Now, 0));
    }
}
