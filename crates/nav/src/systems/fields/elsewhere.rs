//! Fields that other processes which share the world made: they are made here, too.

use super::{group::FieldGroup, store::Fields};
use crate::{shared::FieldsElsewhere, state::Fingerprint, systems::storage::targets::Targets};
use bevy_ecs::prelude::*;

/// Asks for the fields that other processes made, where there are chasers of their groups.
pub(crate) fn ask_as_elsewhere(
    targets: Res<Targets>,
    mut fields: ResMut<Fields>,
    chased: Query<(Entity, &FieldsElsewhere)>,
) {
    for (target, elsewhere) in &chased {
        let Some(slot) = targets.slot(target) else {
            continue;
        };
        let target = targets.at(slot);
        for group in fields.groups.iter_mut().filter(|group| group.is_used) {
            let is_made = elsewhere
                .0
                .binary_search(&Fingerprint::of(&group.key))
                .is_ok();
            if let Some(of) = group.targets.get_mut(slot).filter(|_| is_made)
                && !of.made.is_some_and(|made| made.is_of(target))
            {
                *of.asked.get_mut() = true;
            }
        }
    }
}

impl Fields {
    /// The groups for which fields of the target in a slot were made, by what stands for them.
    fn made(&self, slot: usize) -> Vec<u64> {
        let is_made = |group: &&FieldGroup| {
            let of = group.targets.get(slot).filter(|_| group.is_used);
            of.is_some_and(|of| of.made.is_some())
        };
        let made = self.groups.iter().filter(is_made);
        let mut made: Vec<u64> = made.map(|group| Fingerprint::of(&group.key)).collect();
        made.sort_unstable();
        made
    }
}

impl FieldsElsewhere {
    /// The fields of a target that this process made.
    pub fn made_here(world: &World, target: Entity) -> Self {
        let made = || {
            let slot = world.get_resource::<Targets>()?.slot(target)?;
            Some(world.get_resource::<Fields>()?.made(slot))
        };
        Self(made().unwrap_or_default())
    }
}
