//! The map that a chaser was on when it was last looked at.

use bevy_ecs::prelude::*;

/// The map that a chaser was on when it was last looked at; the placeholder before: one that is loaded goes
/// on along its path.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastMap(pub(crate) Entity);

impl Default for LastMap {
    fn default() -> Self {
        Self(Entity::PLACEHOLDER)
    }
}
