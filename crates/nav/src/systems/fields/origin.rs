//! What a field was made for.

use crate::{CellPosition, systems::storage::targets::Target};
use bevy_ecs::prelude::*;
use std::hash::{Hash, Hasher};

/// What a field was made for.
#[derive(Clone, Copy)]
pub(super) struct FieldOrigin {
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) place: CellPosition,
    /// The version of the map.
    pub(super) version: u64,
    /// Whether the field can serve the ground.
    pub(super) serves: bool,
    /// Whether one could that more chasers would be worth.
    pub(super) wants_more: bool,
}

impl Hash for FieldOrigin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            // Entities differ from world to world.
            target: _,
            map: _,
            place,
            // Counted from when a map was made or loaded.
            version: _,
            serves,
            wants_more,
        } = self;
        (place, serves, wants_more).hash(state);
    }
}

impl FieldOrigin {
    /// What a field is to be made for that leads to a target from where it is anchored. Whether it
    /// serves shows when it is made.
    pub(super) fn new(target: &Target, place: CellPosition, version: u64) -> Self {
        Self {
            target: target.entity,
            map: target.seen.map,
            place,
            version,
            serves: false,
            wants_more: false,
        }
    }

    /// Whether it was for a target, on the map where that is.
    #[inline]
    pub(super) fn is_of(&self, target: &Target) -> bool {
        (self.target, self.map) == (target.entity, target.seen.map)
    }
}
