//! What fields carry over from one tick to the next that does not follow from components and maps.

use super::{
    far_field::FarField,
    group::FieldGroup,
    store::Fields,
    target_fields::{NearField, TargetFields},
    worth,
};
use crate::{fingerprint::Fingerprint, systems::storage::targets::Targets};
use bevy_ecs::prelude::*;
use std::{
    hash::{Hash, Hasher},
    sync::atomic::Ordering::Relaxed,
};

impl Fields {
    /// What the fields of each target carry over, in no particular order, as a fingerprint.
    ///
    /// Without a bound on the work of a tick every field is made when it is asked for, so that
    /// hardly anything is carried over. Under one it shows which fields there are: those that are
    /// missing take from the budget, and those that wait lead to where they led before.
    pub(crate) fn carried<'a>(
        &'a self,
        targets: &'a Targets,
        is_bounded: bool,
    ) -> impl Iterator<Item = (Entity, u64)> + 'a {
        self.groups.iter().flat_map(
            move |FieldGroup {
                      key, targets: of, ..
                  }| {
                let used = of
                    .iter()
                    .enumerate()
                    .filter(|&(slot, _)| slot < targets.slots() && targets.is_chased(slot));
                used.filter_map(move |(slot, of)| {
                    let target = targets.at(slot);
                    let is_kept = of.is_of_use() && (is_bounded || of.outlasts(target.chasers));
                    is_kept.then(|| {
                        let mut fingerprint = Fingerprint::default();
                        key.hash(&mut fingerprint);
                        of.hash(&mut fingerprint);
                        (target.entity, fingerprint.finish())
                    })
                })
            },
        )
    }
}

#[cfg(feature = "serialize")]
impl Fields {
    /// Drops the fields that [are carried](Self::carried) from one tick to the next: they are made again.
    pub(crate) fn forget_carried(&mut self, targets: &Targets, is_bounded: bool) {
        for FieldGroup { targets: of, .. } in &mut self.groups {
            let used = of.iter_mut().enumerate();
            for (slot, of) in used.filter(|&(slot, _)| slot < targets.slots()) {
                if is_bounded || of.outlasts(targets.at(slot).chasers) {
                    *of = TargetFields::default();
                }
            }
        }
    }
}

impl TargetFields {
    /// Whether any of it was made, or is asked for.
    fn is_of_use(&self) -> bool {
        let far = self.far.as_ref().and_then(|far| far.made.as_ref());
        self.made.is_some() || far.is_some() || self.leads || self.asked.load(Relaxed)
    }

    /// Whether chasers follow a field that would not be made for so few.
    fn outlasts(&self, chasers: u32) -> bool {
        self.leads
            && matches!(self.near, Some(NearField::Weighted(_)))
            && !worth::weighted_field(chasers)
    }
}

impl Hash for TargetFields {
    /// What the fields lead to, and how far they are.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            made,
            near,
            leads,
            asked,
            far,
            // Of a tick.
            wanted: _,
            wish: _,
        } = self;
        made.hash(state);
        (leads, asked.load(Relaxed)).hash(state);
        near.as_ref().map(std::mem::discriminant).hash(state);
        far.hash(state);
    }
}

impl Hash for FarField {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            field,
            made,
            // Of a tick.
            asked: _,
        } = self;
        (made, field.counters()).hash(state);
    }
}
