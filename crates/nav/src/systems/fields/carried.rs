//! What fields carry over from one tick to the next that does not follow from components and maps.

use super::{far_field::FarField, group::FieldGroup, store::Fields, target_fields::TargetFields};
use crate::{state::Fingerprint, systems::storage::targets::Targets};
use bevy_ecs::prelude::*;
use std::{
    hash::{Hash, Hasher},
    sync::atomic::Ordering::Relaxed,
};

impl Fields {
    /// What the fields of each target carry over, in no particular order, as a fingerprint.
    ///
    /// A field that was made a while ago leads elsewhere than one that is made now, answers chasers whom
    /// the budget may have no room for otherwise, and its absence takes from that.
    pub(crate) fn carried<'a>(
        &'a self,
        targets: &'a Targets,
    ) -> impl Iterator<Item = (Entity, u64)> + 'a {
        self.groups.iter().flat_map(
            move |FieldGroup {
                      key, targets: of, ..
                  }| {
                let used = of
                    .iter()
                    .enumerate()
                    .filter(|&(slot, _)| slot < targets.slots() && targets.is_chased(slot));
                let carried = used.filter(|(_, of)| of.is_carried());
                carried.map(move |(slot, of)| {
                    let mut fingerprint = Fingerprint::default();
                    key.hash(&mut fingerprint);
                    of.hash(&mut fingerprint);
                    (targets.at(slot).entity, fingerprint.finish())
                })
            },
        )
    }
}

#[cfg(feature = "serialize")]
impl Fields {
    /// Drops the fields of all targets: those that somebody asks for are made again.
    pub(crate) fn forget_carried(&mut self) {
        for of in self.groups.iter_mut().flat_map(|group| &mut group.targets) {
            *of = TargetFields::default();
        }
    }
}

impl TargetFields {
    /// Whether any of it was made, or is asked for.
    fn is_carried(&self) -> bool {
        let far = self.far.as_ref().and_then(|far| far.made.as_ref());
        self.made.is_some() || far.is_some() || self.leads || self.asked.load(Relaxed)
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
