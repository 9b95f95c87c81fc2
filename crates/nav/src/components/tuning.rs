//! What is noted of a chaser's tuning: four bytes for steps and decisions, and how many are in each
//! field group.

use super::pace::Pace;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

/// What follows from a [`Chaser`](super::Chaser)'s tuning, kept beside it: so that the widest
/// column is read for searches only.
///
/// A chaser that is cloned is noted anew: it counts for its group itself.
#[derive(Component, Clone, Copy)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Tuning {
    /// The number of its field group, or [`NO_GROUP`](Self::NO_GROUP), and
    /// [whether steps take longer](Self::BY_COST).
    group: u16,
    /// How many cells away a target of one cell is at most that it may reach, links aside; in the
    /// highest bits whether it reaches through links, and whether its reach depends on more than that.
    near: u16,
}

impl Tuning {
    /// Set where a step takes as long as it costs.
    const BY_COST: u16 = 1 << 15;

    const NO_GROUP: u16 = Self::BY_COST - 1;
    const THROUGH_LINKS: u16 = 1 << 15;
    const FINER_REACH: u16 = 1 << 14;
    /// Stands for all distances from here on.
    const NEAR_MAX: u16 = Self::FINER_REACH - 1;

    /// The greatest number of a group.
    pub(crate) const GROUP_MAX: u16 = Self::NO_GROUP - 1;

    /// That of a chaser of so many cells a side; without a group, its searches are its own.
    pub(crate) fn new(side: u8, reach: Reach, group: Option<u16>, pace: Pace) -> Self {
        let side = u16::from(side);
        let near = reach.steps_max.saturating_add(side - 1).max(side);
        let through_links = u16::from(reach.through_links) * Self::THROUGH_LINKS;
        let finer_reach = u16::from(reach.is_finer) * Self::FINER_REACH;
        let by_cost = match pace {
            Pace::Even => 0,
            Pace::ByCost => Self::BY_COST,
        };
        Self {
            group: group.unwrap_or(Self::NO_GROUP) | by_cost,
            near: near.min(Self::NEAR_MAX) | through_links | finer_reach,
        }
    }

    /// How many cells away a target of one cell is at most that it may reach, links aside.
    #[inline]
    pub(crate) const fn near(self) -> u16 {
        match self.near & Self::NEAR_MAX {
            Self::NEAR_MAX => u16::MAX,
            near => near,
        }
    }

    /// Whether its reach depends on more than is noted here: on slack or sight.
    #[inline]
    pub(crate) const fn has_finer_reach(self) -> bool {
        self.near & Self::FINER_REACH != 0
    }

    /// Whether it reaches through links.
    #[inline]
    pub(crate) const fn reaches_through_links(self) -> bool {
        self.near & Self::THROUGH_LINKS != 0
    }

    /// Takes it out of its field group, and returns the number of that.
    fn leave(&mut self) -> Option<u16> {
        let group = self.group & Self::NO_GROUP;
        self.group |= Self::NO_GROUP;
        (group != Self::NO_GROUP).then_some(group)
    }

    /// Whether its steps take as long as they cost.
    #[inline]
    pub(crate) const fn is_by_cost(self) -> bool {
        self.group & Self::BY_COST != 0
    }

    /// The number of its field group; `None` if its searches are its own.
    #[inline]
    pub(crate) fn group(self) -> Option<usize> {
        let group = self.group & Self::NO_GROUP;
        (group != Self::NO_GROUP).then_some(group.into())
    }
}

/// As one number: it is compared for every chaser.
impl PartialEq for Tuning {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let bits = |tuning: &Self| u32::from(tuning.group) << 16 | u32::from(tuning.near);
        bits(self) == bits(other)
    }
}

/// What is noted of the reach of a chaser.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The most steps that a target within reach may be away.
    pub(crate) steps_max: u16,
    /// Whether a link is as good as a step.
    pub(crate) through_links: bool,
    /// Whether there is more to it.
    pub(crate) is_finer: bool,
}

/// Of a chaser whose tuning was not noted yet.
impl Default for Tuning {
    fn default() -> Self {
        Self {
            group: Self::NO_GROUP,
            near: Self::NEAR_MAX,
        }
    }
}

/// Whether a chaser searches for itself, whatever it could share: it goes elsewhere than its target is.
/// Whoever changes it marks the [`Chaser`](super::Chaser) as changed, so that its tuning is noted anew.
#[derive(Component, Clone, Copy, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SearchesAlone(pub(crate) bool);

/// The displacement of a chaser that was good last: what is in force if the game sets one that is
/// none.
#[derive(Component, Clone, Copy)]
#[component(clone_behavior = Ignore)]
pub(crate) struct GoodDisplacement(pub(crate) f32);

impl Default for GoodDisplacement {
    fn default() -> Self {
        Self(0.5)
    }
}

/// How many chasers are in each field group, by its number.
#[derive(Resource, Default)]
pub(crate) struct GroupMembers {
    counts: Vec<u32>,
    /// Groups that the last one left, some of which may have others by now.
    left: Vec<u16>,
}

impl GroupMembers {
    /// Counts a chaser for another group than before, or for none.
    pub(crate) fn count(&mut self, before: Option<usize>, group: Option<usize>) {
        if before == group {
            return;
        }
        if let Some(before) = before.and_then(|before| u16::try_from(before).ok()) {
            self.leave(before);
        }
        if let Some(group) = group {
            if self.counts.len() <= group {
                self.counts.resize(group + 1, 0);
            }
            self.counts[group] += 1;
        }
    }

    fn leave(&mut self, group: u16) {
        if let Some(count) = self.counts.get_mut(usize::from(group)) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.left.push(group);
            }
        }
    }

    /// Whether somebody was the last one of a group.
    pub(crate) fn have_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// The groups that nobody is in any longer.
    pub(crate) fn take_empty(&mut self) -> impl Iterator<Item = u16> {
        let Self { counts, left } = self;
        left.drain(..)
            .filter(|&group| counts[usize::from(group)] == 0)
    }
}

/// Whoever is no chaser any longer, or is despawned, leaves its field group. A hook, since a list of
/// removals is kept for two frames only, and does not say which group it was.
pub(super) fn leave_group(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let tuning = world.get_mut::<Tuning>(entity);
    if let Some(group) = tuning.and_then(|mut tuning| tuning.leave())
        && let Some(mut members) = world.get_resource_mut::<GroupMembers>()
    {
        members.leave(group);
    }
}
