//! Sharing one world among several apps: mirrors of agents elsewhere, and what is counted together.
//!
//! Each app holds the whole static map and the agents in its part of the world. Other agents that
//! its own can meet or chase are entities marked [`Mirror`]. The game, or a crate that connects
//! apps, moves the mirrors and sets [`ChasedElsewhere`] on targets. Where the plugin counts over
//! all agents of a tick, it asks [`Peers`], so that apps in step decide as a single one would.
//!
//! [`WorldSum`](crate::WorldSum) is the digest of a part. Merged with the sums of the other parts
//! it is the digest of the whole world.

use crate::{AgentId, Period};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

pub use crate::systems::guidance::reach::DETOUR_RADIUS;

/// Marks the mirror of an agent that lives in another app.
///
/// A mirror can be chased, and its [`Body`](crate::Body) is in the way like any other. It has no
/// [`Chaser`](crate::Chaser): the app in which the agent lives decides what it does. The
/// [digest](crate::digest) leaves mirrors out, except for what their chasers see of them.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct Mirror;

/// The number of agents of other apps that chase this target; 0 without the component.
///
/// Chasers of this app are counted by the plugin. The sum decides from how many chasers on they
/// share a field, and whether a pack surrounds its target. Set it before
/// [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct ChasedElsewhere(pub u32);

/// The fields of a target that other apps made: one fingerprint for each group of chasers, sorted.
///
/// This app makes the same fields as soon as it has chasers of these groups. So whether an arriving
/// chaser finds its field made does not depend on the app. Set it before
/// [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct FieldsElsewhere(pub Vec<u64>);

impl FieldsElsewhere {
    /// Adds the fields that another app made. Duplicates are dropped.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
    }
}

/// Counts together with the other apps that hold a part of the world.
///
/// The plugin calls each function once at the same points of every tick, even if there is nothing
/// to count. An implementation may therefore block until the other apps have answered. All calls
/// come from one thread.
pub trait CountTogether: Send + Sync + 'static {
    /// Returns what all apps ask of the fields of targets, [merged](FieldAsk::merge_all).
    fn asks(&mut self, counted: CountKind, own: &[FieldAsk]) -> Vec<FieldAsk>;

    /// Returns the sum of the numbers of all apps.
    fn total(&mut self, counted: CountKind, own: usize) -> usize;
}

/// The kind of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CountKind {
    /// Targets whose fields are aimed again, in
    /// [`NavSystems::AimFields`](crate::NavSystems::AimFields).
    AimedAnew,
    /// Targets with asks left over from the last tick, in the same set.
    AskedBefore,
    /// Targets with asks of this tick, in
    /// [`NavSystems::JoinFields`](crate::NavSystems::JoinFields).
    Asked,
    /// Searches, in [`NavSystems::Search`](crate::NavSystems::Search).
    Searches,
}

/// The requirements of chasers on the fields of a target in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldAsk {
    /// The target.
    pub target: AgentId,
    /// How closely the fields have to follow the target for chasers that join them: the shortest
    /// interval, and the least re-path distance in cells.
    pub follow: Option<(Period, f32)>,
    /// Whether the fields are aimed.
    pub is_aimed: bool,
}

impl FieldAsk {
    /// Merges the asks of several apps into one for each target, sorted by target.
    ///
    /// The merged ask has the shortest interval and the least re-path distance of all.
    pub fn merge_all(asks: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut all: Vec<Self> = asks.into_iter().collect();
        all.sort_by_key(|ask| ask.target);
        all.dedup_by(|other, ask| {
            let is_same = ask.target == other.target;
            if is_same {
                ask.is_aimed |= other.is_aimed;
                ask.follow = match (ask.follow, other.follow) {
                    (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.min(other.1))),
                    (one, other) => one.or(other),
                };
            }
            is_same
        });
        all
    }
}

/// The other apps that hold a part of the world; none by default.
///
/// Where many fields are aimed in one tick, or many chasers search, the plugin spreads them over
/// later ticks. Apps that have to continue as a single one would must count these together.
#[derive(Resource, Default)]
pub struct Peers(Option<Box<dyn CountTogether>>);

impl Peers {
    /// Peers that are counted by `others`.
    pub fn new(others: impl CountTogether) -> Self {
        Self(Some(Box::new(others)))
    }

    /// Returns the asks of all apps; `None` without peers.
    pub(crate) fn asks(
        &mut self,
        counted: CountKind,
        own: impl FnOnce() -> Vec<FieldAsk>,
    ) -> Option<Vec<FieldAsk>> {
        let others = self.0.as_mut()?;
        Some(others.asks(counted, &own()))
    }

    /// Returns the sum over all apps.
    pub(crate) fn total(&mut self, counted: CountKind, own: usize) -> usize {
        match &mut self.0 {
            Some(others) => others.total(counted, own),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Others;

    impl CountTogether for Others {
        fn asks(&mut self, _: CountKind, own: &[FieldAsk]) -> Vec<FieldAsk> {
            FieldAsk::merge_all(own.iter().copied().chain([ask(9, None, true)]))
        }

        fn total(&mut self, _: CountKind, own: usize) -> usize {
            own + 40
        }
    }

    fn ask(target: u32, follow: Option<(u32, f32)>, is_aimed: bool) -> FieldAsk {
        FieldAsk {
            target: AgentId(target),
            follow: follow
                .map(|(millis, repath_distance)| (Period::from_millis(millis), repath_distance)),
            is_aimed,
        }
    }

    #[test]
    fn alone_counts_own() {
        let mut peers = Peers::default();
        let own = || unreachable!("no peer needs them");
        assert_eq!(peers.asks(CountKind::Asked, own), None);
        assert_eq!(peers.total(CountKind::Searches, 5), 5);
    }

    #[test]
    fn peers_count_too() {
        let mut peers = Peers::new(Others);
        let own = || vec![ask(4, None, true), ask(9, None, false)];
        let all = vec![ask(4, None, true), ask(9, None, true)];
        assert_eq!(peers.asks(CountKind::Asked, own), Some(all));
        assert_eq!(peers.total(CountKind::Searches, 5), 45);
    }

    #[test]
    fn merged_asks_take_the_closest() {
        let asks = [
            ask(7, Some((500, 0.5)), false),
            ask(2, None, false),
            ask(7, Some((250, 1.5)), true),
            ask(7, None, false),
        ];
        let merged = [ask(2, None, false), ask(7, Some((250, 0.5)), true)];
        assert_eq!(FieldAsk::merge_all(asks), merged);
    }
}
