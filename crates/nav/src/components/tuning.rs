//! What steps and decisions need of a chaser's tuning, in four bytes.

use bevy_ecs::prelude::*;

/// What follows from a [`Chaser`](super::Chaser)'s tuning, kept beside it: so that the widest
/// column is read for searches only.
#[derive(Component, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// The number of its field group, or [`NO_GROUP`](Self::NO_GROUP).
    group: u16,
    /// How many cells away a target of one cell is at most that it may reach, links aside, and in the
    /// highest bit whether it reaches through links.
    near: u16,
}

impl Tuning {
    const NO_GROUP: u16 = u16::MAX;
    const THROUGH_LINKS: u16 = 1 << 15;

    /// That of a chaser of so many cells a side, with its stop distance and whether it reaches through
    /// links; without a group, its searches are its own.
    pub(crate) fn new(
        side: u8,
        (stop_distance, reach_through_links): (u16, bool),
        group: Option<usize>,
    ) -> Self {
        let group = group.and_then(|group| u16::try_from(group).ok());
        let side = u16::from(side);
        let near = stop_distance.saturating_add(side - 1).max(side);
        let through_links = u16::from(reach_through_links) * Self::THROUGH_LINKS;
        Self {
            group: group.unwrap_or(Self::NO_GROUP),
            near: near.min(Self::THROUGH_LINKS - 1) | through_links,
        }
    }

    /// How many cells away a target of one cell is at most that it may reach, links aside.
    #[inline]
    pub(crate) const fn near(self) -> u16 {
        self.near & !Self::THROUGH_LINKS
    }

    /// Whether it reaches through links.
    #[inline]
    pub(crate) const fn reaches_through_links(self) -> bool {
        self.near & Self::THROUGH_LINKS != 0
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
            near: Self::THROUGH_LINKS - 1,
        }
    }
}
