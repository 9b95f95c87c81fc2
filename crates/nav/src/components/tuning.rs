//! Notes on the tuning of chasers: four bytes for steps and decisions, and the sizes of field
//! groups.

use super::chaser::Pace;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

/// A digest of [`Chaser`](super::Chaser), so that steps and decisions need not read that wide
/// column.
///
/// Not cloned: a cloned chaser is noted again, and counted for its group.
#[derive(Component, Clone, Copy)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Tuning {
    /// The number of the field group, or [`NO_GROUP`](Self::NO_GROUP), and
    /// [`BY_COST`](Self::BY_COST).
    group: u16,
    /// The greatest distance of a one-cell target within reach, in cells, links aside, and the bits
    /// [`THROUGH_LINKS`](Self::THROUGH_LINKS) and [`FINER_REACH`](Self::FINER_REACH).
    near: u16,
}

impl Tuning {
    /// Set if a step takes as long as it costs.
    const BY_COST: u16 = 1 << 15;

    const NO_GROUP: u16 = Self::BY_COST - 1;
    /// Set if the chaser reaches through links.
    const THROUGH_LINKS: u16 = 1 << 15;
    /// Set if the reach depends on slack or sight, too.
    const FINER_REACH: u16 = 1 << 14;
    /// Stands for all distances from this one on.
    const NEAR_MAX: u16 = Self::FINER_REACH - 1;

    /// The greatest number of a field group.
    pub(crate) const GROUP_MAX: u16 = Self::NO_GROUP - 1;

    /// The notes of a chaser of `side` cells a side. Without a group it searches alone.
    pub(crate) fn new(side: u8, reach: Reach, group: Option<u16>, pace: Pace) -> Self {
        let side = u16::from(side);
        let near = reach.steps_max.saturating_add(side - 1).max(side);
        let flag = |is_set: bool, bit: u16| if is_set { bit } else { 0 };
        Self {
            group: group.unwrap_or(Self::NO_GROUP) | flag(pace == Pace::ByCost, Self::BY_COST),
            near: near.min(Self::NEAR_MAX)
                | flag(reach.through_links, Self::THROUGH_LINKS)
                | flag(reach.is_finer, Self::FINER_REACH),
        }
    }

    /// The greatest distance of a one-cell target within reach, in cells, links aside.
    #[inline]
    pub(crate) const fn near(self) -> u16 {
        match self.near & Self::NEAR_MAX {
            Self::NEAR_MAX => u16::MAX,
            near => near,
        }
    }

    /// Whether the reach also depends on slack or sight, which are not noted.
    #[inline]
    pub(crate) const fn has_finer_reach(self) -> bool {
        self.near & Self::FINER_REACH != 0
    }

    /// Whether the chaser reaches through links.
    #[inline]
    pub(crate) const fn reaches_through_links(self) -> bool {
        self.near & Self::THROUGH_LINKS != 0
    }

    /// Removes the chaser from its field group, and returns the number of that.
    fn leave(&mut self) -> Option<usize> {
        let group = self.group();
        self.group |= Self::NO_GROUP;
        group
    }

    /// Whether steps take as long as they cost.
    #[inline]
    pub(crate) const fn is_by_cost(self) -> bool {
        self.group & Self::BY_COST != 0
    }

    /// The number of the field group; `None` if the chaser searches alone.
    #[inline]
    pub(crate) fn group(self) -> Option<usize> {
        let group = self.group & Self::NO_GROUP;
        (group != Self::NO_GROUP).then_some(group.into())
    }
}

/// Compares both as one number, since it is compared for every chaser.
impl PartialEq for Tuning {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let bits = |tuning: &Self| u32::from(tuning.group) << 16 | u32::from(tuning.near);
        bits(self) == bits(other)
    }
}

/// The reach of a chaser, as it is noted.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The greatest distance of a target within reach, in steps.
    pub(crate) steps_max: u16,
    /// Whether a link is as good as a step.
    pub(crate) through_links: bool,
    /// Whether slack or sight count, too.
    pub(crate) is_finer: bool,
}

/// The notes of a chaser before the plugin sees it.
impl Default for Tuning {
    fn default() -> Self {
        Self {
            group: Self::NO_GROUP,
            near: Self::NEAR_MAX,
        }
    }
}

/// Whether a chaser never shares fields, because it heads for another cell than its target's.
///
/// A system that changes it must mark [`Chaser`](super::Chaser) as changed, so that the tuning is
/// noted again.
#[derive(Component, Clone, Copy, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SearchesAlone(pub(crate) bool);

/// The last valid displacement of a chaser, restored when the game sets an invalid one.
#[derive(Component, Clone, Copy)]
#[component(clone_behavior = Ignore)]
pub(crate) struct LastValidDisplacement(pub(crate) f32);

impl Default for LastValidDisplacement {
    fn default() -> Self {
        Self(super::Chaser::default().displacement)
    }
}

/// The number of chasers in each field group.
#[derive(Resource, Default)]
pub(crate) struct GroupMembers {
    counts: Vec<u32>,
    /// Groups that became empty, some of which may have members again.
    left: Vec<u16>,
}

impl GroupMembers {
    /// Counts a chaser that changes its group.
    pub(crate) fn count(&mut self, before: Option<usize>, group: Option<usize>) {
        if before == group {
            return;
        }
        if let Some(before) = before {
            self.leave(before);
        }
        if let Some(group) = group {
            if self.counts.len() <= group {
                self.counts.resize(group + 1, 0);
            }
            self.counts[group] += 1;
        }
    }

    fn leave(&mut self, group: usize) {
        if let Some(count) = self.counts.get_mut(group) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.left.push(group as u16);
            }
        }
    }

    /// Whether any group became empty.
    pub(crate) fn have_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Takes the groups that are empty.
    pub(crate) fn take_empty(&mut self) -> impl Iterator<Item = u16> {
        let Self { counts, left } = self;
        left.drain(..)
            .filter(|&group| counts[usize::from(group)] == 0)
    }
}

/// Removes a chaser that is despawned or loses its tuning from its field group.
///
/// A hook, since Bevy keeps lists of removals for two frames only, without the group.
pub(super) fn leave_group(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let tuning = world.get_mut::<Tuning>(entity);
    if let Some(group) = tuning.and_then(|mut tuning| tuning.leave())
        && let Some(mut members) = world.get_resource_mut::<GroupMembers>()
    {
        members.leave(group);
    }
}
