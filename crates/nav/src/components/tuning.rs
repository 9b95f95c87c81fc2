//! What steps and decisions need of a chaser's tuning, in four bytes.

use bevy_ecs::prelude::*;

/// What follows from a [`Chaser`](super::Chaser)'s tuning, kept beside it: so that the widest
/// column is read for searches only.
#[derive(Component, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// The number of its field group, or [`NO_GROUP`](Self::NO_GROUP).
    group: u16,
    /// How many cells away a target of its own size is at most that it may reach, links aside.
    pub(crate) near: u16,
}

impl Tuning {
    const NO_GROUP: u16 = u16::MAX;

    /// That of a chaser with a body of so many cells a side; without a group, its searches are its
    /// own.
    pub(crate) fn new(side: u16, stop_distance: u16, group: Option<usize>) -> Self {
        let group = group.and_then(|group| u16::try_from(group).ok());
        Self {
            group: group.unwrap_or(Self::NO_GROUP),
            near: stop_distance.saturating_add(side - 1).max(side),
        }
    }

    /// The number of its field group; `None` if its searches are its own.
    #[inline]
    pub(crate) fn group(self) -> Option<usize> {
        (self.group != Self::NO_GROUP).then_some(self.group.into())
    }
}

/// Of a chaser whose tuning was not noted yet.
impl Default for Tuning {
    fn default() -> Self {
        Self {
            group: Self::NO_GROUP,
            near: u16::MAX,
        }
    }
}
