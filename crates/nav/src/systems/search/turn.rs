//! The order of searches.

use crate::{AgentId, NavTime, NavTimer};
use bevy_ecs::entity::Entity;

/// The order of requests: the longest wait goes first, then the least [`AgentId`]. Numbers are
/// unique unless the game gave one twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    pub(super) since: NavTime,
    pub(super) id: AgentId,
    pub(crate) asker: Entity,
}

impl Turn {
    pub(super) const fn new(since: NavTime, id: AgentId, asker: Entity) -> Self {
        Self { since, id, asker }
    }

    /// The turn of a chaser by its timer.
    pub(super) fn of(timer: NavTimer, id: AgentId, chaser: Entity) -> Self {
        Self::new(timer.next_search(), id, chaser)
    }

    /// Whether its chaser waits for this turn now.
    pub(crate) fn is_of(self, timer: NavTimer, id: AgentId, now: NavTime) -> bool {
        timer.waits_for_turn(now) && Self::of(timer, id, self.asker) == self
    }
}
