//! The map that a chaser was on when it was last looked at.

use super::OnMap;
use bevy_ecs::prelude::*;

/// The map that a chaser was on when it was last looked at; the placeholder before: one that is loaded goes
/// on along its path.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastMap(pub(crate) Entity);

impl LastMap {
    /// That of who is on a map and was looked at there.
    #[cfg(feature = "serialize")]
    pub(crate) fn settled(on_map: Option<&OnMap>) -> Self {
        on_map.map_or(Self::default(), |on_map| Self(on_map.0))
    }

    /// Whether it was looked at before, on another map than that on which it is now.
    pub(crate) fn has_left(self, on_map: Option<&OnMap>) -> bool {
        self != Self::default() && on_map.is_none_or(|on_map| on_map.0 != self.0)
    }
}

impl Default for LastMap {
    fn default() -> Self {
        Self(Entity::PLACEHOLDER)
    }
}
