//! The threat list of a chaser: targets with amounts, and a taunt.

use crate::Activity;
use bevy_ecs::{entity::MapEntities, prelude::*};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{Chaser, NavClock, NavTime, Period};

/// The targets of a chaser, each with an amount: it chases the highest. The game adds amounts for
/// damage, healing and noise.
///
/// # Switches
///
/// Another target takes over when its amount exceeds that of the present one
///
/// - by more than 10 % if it is within the chaser's
///   [stop distance](nav::Chaser::stop_distance), in columns and rows from body to body;
/// - by more than 30 % if it is further away.
///
/// A [taunter](Self::taunt) is chased whatever the amounts. Of equal amounts the least
/// [`AgentId`](nav::AgentId) wins; a target without one gets it when it is chased, and counts as
/// the least until then. Each switch sends a [`ThreatSwitched`](crate::ThreatSwitched).
///
/// A chase of a target that is not on the list counts as one with the amount 0: any higher amount
/// takes over. Walks, and returns with
/// [`notices_on_return`](crate::Leash::notices_on_return), are interrupted. Other returns are not.
///
/// # Skipped targets
///
/// A target stays on the list and is skipped while it
///
/// - is outside of the chaser's [`Leash`](crate::Leash);
/// - is [given up](crate::GivenUp);
/// - is on another map, or disabled.
///
/// A chaser of which the searches fail for as long as
/// [`GiveUp::unreachable`](crate::GiveUp::unreachable) says gives its target up and takes the next
/// one. Without a next one the present chase goes on, until a leash or [`GiveUp`](crate::GiveUp)
/// ends it.
///
/// A target that is despawned, or has no [`CellPosition`](nav::CellPosition), leaves the list. The
/// chase of a target that the game takes off the list ends if no other one takes over. The list
/// itself is never cleared: a game whose NPCs forget on their way back clears it when
/// [`Returning`](crate::Returning) is inserted.
///
/// # Times
///
/// A change of the list and the end of a taunt count in the next tick. Places are looked at four
/// times a second, spread over ticks by [`AgentId`](nav::AgentId)s. A chaser that is
/// [`Paused`](nav::Paused) does not switch.
///
/// # Complexity
///
/// Each change is O(n) in the targets on the list, and so is a look. The list has no limit.
///
/// # Example
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nav_behaviour::Threat;
///
/// let mut world = World::new();
/// let (tank, healer) = (world.spawn_empty().id(), world.spawn_empty().id());
/// let mut threat = Threat::default();
/// threat.add(tank, 100);
/// threat.add(healer, 300);
/// threat.scale(healer, 50);
/// assert!(threat.iter().eq([(healer, 150), (tank, 100)]));
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct Threat {
    /// The highest first; of equal ones the first to have the amount.
    #[entities]
    entries: Vec<ThreatEntry>,
    #[entities]
    pub(super) taunt: Option<Taunt>,
    /// The target of the present chase, if it was on the list at the last look.
    #[entities]
    pub(super) chased: Option<Entity>,
    /// Whether the list changed since the last look. Not found by change detection: in a restored
    /// world every component looks changed.
    pub(super) has_changed: bool,
}

/// A target on the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, MapEntities)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct ThreatEntry {
    #[entities]
    target: Entity,
    amount: u32,
}

/// A target that is chased for a time whatever the amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, MapEntities)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Taunt {
    #[entities]
    pub(super) target: Entity,
    pub(super) until: NavTime,
}

impl Threat {
    /// Adds an amount to that of a target, which is put on the list if it is not there yet.
    /// Saturates at [`u32::MAX`].
    pub fn add(&mut self, target: Entity, amount: u32) {
        let before = self.amount_of(target).unwrap_or_default();
        self.set(target, before.saturating_add(amount));
    }

    /// Multiplies the amount of a target by a number of hundredths, rounded down. Saturates at
    /// [`u32::MAX`]. Does nothing for a target that is not on the list.
    pub fn scale(&mut self, target: Entity, percent: u32) {
        if let Some(before) = self.amount_of(target) {
            let scaled = u64::from(before) * u64::from(percent) / 100;
            self.set(target, u32::try_from(scaled).unwrap_or(u32::MAX));
        }
    }

    /// Makes the chaser chase a target for a period from this tick on, whatever the amounts, and
    /// raises its amount to the highest of the list. Another taunt replaces this one.
    ///
    /// Afterwards the target is left for another one only by the percentages of a switch. While the
    /// taunter is skipped, the amounts count.
    pub fn taunt(&mut self, target: Entity, clock: &NavClock, period: impl Into<Period>) {
        let highest = self.entries.first().map(|entry| entry.amount);
        let own = self.amount_of(target);
        self.set(target, highest.max(own).unwrap_or_default());
        let until = clock.now().after(period);
        self.taunt = Some(Taunt { target, until });
    }

    /// Takes a target off the list, with its taunt. Returns its amount if it was there.
    pub fn remove(&mut self, target: Entity) -> Option<u32> {
        let at = self
            .entries
            .iter()
            .position(|entry| entry.target == target)?;
        self.taunt = self.taunt.filter(|taunt| taunt.target != target);
        self.has_changed = true;
        Some(self.entries.remove(at).amount)
    }

    /// Takes all targets off the list.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.taunt = None;
        self.has_changed = true;
    }

    /// The amount of a target; `None` if it is not on the list.
    pub fn amount_of(&self, target: Entity) -> Option<u32> {
        let mut all = self.iter();
        all.find_map(|(other, amount)| (other == target).then_some(amount))
    }

    /// The targets with their amounts, the highest first. Of equal amounts, the first to have it
    /// comes first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Entity, u32)> + '_ {
        self.entries
            .iter()
            .map(|entry| (entry.target, entry.amount))
    }

    /// The target that is chased whatever the amounts, and until when.
    pub fn taunter(&self) -> Option<(Entity, NavTime)> {
        self.taunt.map(|taunt| (taunt.target, taunt.until))
    }

    /// Number of targets.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no target.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes all targets off the list for which a condition holds.
    pub(super) fn remove_all(&mut self, mut is_gone: impl FnMut(Entity) -> bool) {
        self.taunt = self.taunt.filter(|taunt| !is_gone(taunt.target));
        self.entries.retain(|entry| !is_gone(entry.target));
    }

    /// Sets the amount of a target, and moves it to its place in the order.
    fn set(&mut self, target: Entity, amount: u32) {
        let entries = &mut self.entries;
        if let Some(at) = entries.iter().position(|entry| entry.target == target) {
            entries.remove(at);
        }
        let place = entries.partition_point(|entry| entry.amount >= amount);
        entries.insert(place, ThreatEntry { target, amount });
        self.has_changed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&mut Threat, [Entity; 3]);

    fn entities() -> [Entity; 3] {
        let mut world = World::new();
        [(); 3].map(|()| world.spawn_empty().id())
    }

    #[test]
    fn descending_order() {
        let [a, b, c] = entities();
        let changes: [(Change, &[(usize, u32)]); 8] = [
            (|it, [a, ..]| it.add(a, 10), &[(0, 10)]),
            (|it, [_, b, _]| it.add(b, 20), &[(1, 20), (0, 10)]),
            // Of equal ones, the first to have the amount.
            (|it, [.., c]| it.add(c, 20), &[(1, 20), (2, 20), (0, 10)]),
            (|it, [a, ..]| it.add(a, 11), &[(0, 21), (1, 20), (2, 20)]),
            // Rounded down.
            (|it, [_, b, _]| it.scale(b, 33), &[(0, 21), (2, 20), (1, 6)]),
            (
                |it, [_, b, _]| it.add(b, u32::MAX),
                &[(1, u32::MAX), (0, 21), (2, 20)],
            ),
            (
                |it, [_, b, _]| it.scale(b, 101),
                &[(1, u32::MAX), (0, 21), (2, 20)],
            ),
            (
                |it, [_, b, _]| assert_eq!(it.remove(b), Some(u32::MAX)),
                &[(0, 21), (2, 20)],
            ),
        ];
        let mut threat = Threat::default();
        for (number, (change, expected)) in changes.into_iter().enumerate() {
            threat.has_changed = false;
            change(&mut threat, [a, b, c]);
            let expected = expected.iter().map(|&(at, amount)| ([a, b, c][at], amount));
            assert!(threat.iter().eq(expected), "{number}: {threat:?}");
            assert!(threat.has_changed, "{number}");
        }
        threat.has_changed = false;
        threat.scale(b, 200);
        assert_eq!((threat.remove(b), threat.amount_of(b)), (None, None));
        assert!(!threat.has_changed, "nothing was there to change");
        threat.clear();
        assert!(threat.is_empty() && threat.has_changed);
    }

    #[test]
    fn taunt_raises_to_highest() {
        let [a, b, c] = entities();
        let clock = NavClock::default();
        let mut threat = Threat::default();
        threat.add(a, 50);
        threat.taunt(b, &clock, Period::from_millis(2));
        assert_eq!(threat.amount_of(b), Some(50));
        assert_eq!(threat.taunter(), Some((b, NavTime(2_000_000))));
        // The highest keeps its amount, and the latest taunt counts.
        threat.taunt(a, &clock, Period::from_millis(1));
        assert_eq!(threat.amount_of(a), Some(50));
        assert_eq!(threat.taunter(), Some((a, NavTime(1_000_000))));
        threat.remove(b);
        assert!(threat.taunter().is_some());
        threat.remove(a);
        assert_eq!(threat.taunter(), None);
        threat.taunt(c, &clock, Period::from_millis(1));
        assert!(threat.iter().eq([(c, 0)]));
    }
}
