//! Notes on the tuning of chasers: four bytes for steps and decisions, and the sizes of field
//! groups.

use super::chaser::{Chaser, Pace, Reach};
use crate::state::Fingerprint;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

/// A digest of [`Chaser`](super::Chaser), so that steps and decisions need not read that wide
/// column.
///
/// Not cloned: a cloned chaser is noted again, and counted for its group.
// Decision 11: docs/decisions/0011-columns-not-items.md
#[derive(Component, Clone, Copy, PartialEq)]
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
    /// Set if the reach depends on hysteresis or sight, too.
    const FINER_REACH: u16 = 1 << 14;
    /// Stands for all distances from this one on.
    const NEAR_MAX: u16 = Self::FINER_REACH - 1;

    /// The greatest number of a field group.
    pub(crate) const GROUP_MAX: u16 = Self::NO_GROUP - 1;

    /// The notes of a chaser. Without a group it searches alone.
    pub(crate) fn new(chaser: &Chaser, group: Option<u16>) -> Self {
        let side = u16::from(chaser.rules.footprint.side());
        let steps = chaser.stop_distance.saturating_add(chaser.stop_hysteresis);
        let near = steps.saturating_add(side - 1).max(side);
        let is_finer = chaser.stop_hysteresis > 0 || chaser.reach != Reach::Steps;
        let flag = |is_set: bool, bit: u16| if is_set { bit } else { 0 };
        Self {
            group: group.unwrap_or(Self::NO_GROUP)
                | flag(chaser.pace == Pace::ByCost, Self::BY_COST),
            near: near.min(Self::NEAR_MAX)
                | flag(chaser.reach_through_links, Self::THROUGH_LINKS)
                | flag(is_finer, Self::FINER_REACH),
        }
    }

    /// The greatest distance of a one-cell target within reach, in cells, links aside.
    pub(crate) const fn near(self) -> u16 {
        match self.near & Self::NEAR_MAX {
            Self::NEAR_MAX => u16::MAX,
            near => near,
        }
    }

    /// The same for a target of `side` × `side` cells.
    pub(crate) const fn near_to(self, side: u8) -> u32 {
        self.near() as u32 + side as u32 - 1
    }

    /// Whether the reach also depends on hysteresis or sight, which are not noted.
    pub(crate) const fn has_finer_reach(self) -> bool {
        self.near & Self::FINER_REACH != 0
    }

    /// Whether the chaser reaches through links.
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
    pub(crate) const fn is_by_cost(self) -> bool {
        self.group & Self::BY_COST != 0
    }

    /// The number of the field group; `None` if the chaser searches alone.
    pub(crate) fn group(self) -> Option<usize> {
        let group = self.group & Self::NO_GROUP;
        (group != Self::NO_GROUP).then_some(group.into())
    }
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

/// The settings of a chaser as they were last noted.
#[derive(Component, Clone, Copy)]
#[component(clone_behavior = Ignore)]
pub(crate) struct LastSettings {
    /// The last valid re-path distance, restored when the game sets an invalid one.
    pub(crate) repath_distance: f32,
    /// The fingerprint of all, so that writing an equal value changes nothing; 0 of a new chaser.
    pub(crate) fingerprint: u32,
}

impl LastSettings {
    /// The settings of a chaser, as they are noted.
    pub(crate) fn of(chaser: &Chaser, has_body: bool) -> Self {
        Self {
            repath_distance: chaser.repath_distance,
            fingerprint: Fingerprint::of(&(chaser.words(), has_body)) as u32,
        }
    }
}

impl Default for LastSettings {
    fn default() -> Self {
        Self {
            repath_distance: Chaser::default().repath_distance,
            fingerprint: 0,
        }
    }
}

/// The number of chasers in each field group.
#[derive(Resource, Default)]
pub(crate) struct GroupMembers(Vec<u32>);

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
            if self.0.len() <= group {
                self.0.resize(group + 1, 0);
            }
            self.0[group] += 1;
        }
    }

    fn leave(&mut self, group: usize) {
        if let Some(count) = self.0.get_mut(group) {
            *count = count.saturating_sub(1);
        }
    }

    /// The groups that are empty.
    pub(crate) fn empty(&self) -> impl Iterator<Item = u16> {
        let counted = (0..).zip(&self.0);
        counted.filter_map(|(group, &count)| (count == 0).then_some(group))
    }
}

/// Removes a chaser that is despawned or loses its tuning from its field group, and forgets its
/// settings.
///
/// A hook, since Bevy keeps lists of removals for two frames only, without the group.
pub(super) fn leave_group(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let tuning = world.get_mut::<Tuning>(entity);
    if let Some(group) = tuning.and_then(|mut tuning| tuning.leave())
        && let Some(mut members) = world.get_resource_mut::<GroupMembers>()
    {
        members.leave(group);
    }
    if let Some(mut last) = world.get_mut::<LastSettings>(entity) {
        last.fingerprint = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_to_both_sides_of_a_body() {
        let near_to = |stop_distance, side| {
            let chaser = Chaser {
                stop_distance,
                ..Chaser::default()
            };
            Tuning::new(&chaser, None).near_to(side)
        };
        // Beside a body of two cells a side, its place is one or two cells away.
        assert_eq!([near_to(1, 1), near_to(1, 2), near_to(3, 2)], [1, 2, 4]);
        assert_eq!(near_to(u16::MAX, 3), u32::from(u16::MAX) + 2);
    }
}
