//! What is counted over all agents of a tick, in this process and the others.

use crate::{AgentId, Period};
use bevy_ecs::prelude::*;

/// Counts together with the other processes that share a world.
///
/// Each function is called at the same points of every tick, once, whatever there is to count: an implementation
/// may wait for the others. It is called by one thread.
pub trait CountTogether: Send + Sync + 'static {
    /// What is asked of the fields of targets in all processes, [merged](FieldAsk::merge_all).
    fn asks(&mut self, counted: CountKind, own: &[FieldAsk]) -> Vec<FieldAsk>;

    /// The sum of the numbers of all processes.
    fn total(&mut self, counted: CountKind, own: usize) -> usize;
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CountKind {
    /// Targets whose fields are aimed anew: in [`NavSystems::AimFields`](crate::NavSystems::AimFields).
    AimedAnew,
    /// Targets of whose fields something is asked that was left over from the last tick: in the same set.
    AskedBefore,
    /// Targets of whose fields something is asked: in [`NavSystems::JoinFields`](crate::NavSystems::JoinFields).
    Asked,
    /// Searches: in [`NavSystems::Search`](crate::NavSystems::Search).
    Searches,
}

/// What is asked of the fields of a target in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldAsk {
    /// The target.
    pub target: AgentId,
    /// How closely chasers want them to follow it that come to them: the shortest interval, and the least
    /// displacement in cells.
    pub follow: Option<(Period, f32)>,
    /// Whether they are aimed.
    pub is_aimed: bool,
}

impl FieldAsk {
    /// Asks of several processes, in the order of targets, each target once.
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

/// The other processes that share a world; none by default.
///
/// Where many fields are aimed or many chasers search in one tick they take turns from then on. Processes that
/// are to go on as one would have to count that together.
#[derive(Resource, Default)]
pub struct Peers(Option<Box<dyn CountTogether>>);

impl Peers {
    /// Counts together with others from now on.
    pub fn new(others: impl CountTogether) -> Self {
        Self(Some(Box::new(others)))
    }

    /// What is asked in all processes, if there are others.
    pub(crate) fn asks(
        &mut self,
        counted: CountKind,
        own: impl FnOnce() -> Vec<FieldAsk>,
    ) -> Option<Vec<FieldAsk>> {
        let others = self.0.as_mut()?;
        Some(others.asks(counted, &own()))
    }

    /// The sum over all processes.
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
                .map(|(millis, displacement)| (Period::from_millis(millis), displacement)),
            is_aimed,
        }
    }

    #[test]
    fn alone_a_process_counts_its_own() {
        let mut peers = Peers::default();
        let own = || unreachable!("nobody else needs them");
        assert_eq!(peers.asks(CountKind::Asked, own), None);
        assert_eq!(peers.total(CountKind::Searches, 5), 5);
    }

    #[test]
    fn with_others_all_count() {
        let mut peers = Peers::new(Others);
        let own = || vec![ask(4, None, true), ask(9, None, false)];
        let all = vec![ask(4, None, true), ask(9, None, true)];
        assert_eq!(peers.asks(CountKind::Asked, own), Some(all));
        assert_eq!(peers.total(CountKind::Searches, 5), 45);
    }

    #[test]
    fn each_target_is_asked_for_once_as_closely_as_anybody_asks() {
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
