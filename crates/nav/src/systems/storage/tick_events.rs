//! The events of a tick, until Report writes them as messages and counters.

use crate::{AgentId, PathFailure, ValueField, ValueRefusal};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// An event of an agent.
pub(crate) type AgentEvent<T> = (AgentId, Entity, T);

/// Sorts the events of agents by number: whatever order they are
/// stored in, and whichever task visited which of them.
///
/// Tasks visit agents in the order in which they are stored, which mostly is that of their numbers,
/// so events come in a few runs that ascend. The stable sort merges runs.
pub(crate) fn in_order<T>(events: &mut [AgentEvent<T>]) -> &[AgentEvent<T>] {
    events.sort_by_key(|&(id, agent, _)| (id, agent));
    events
}

/// The events of a tick beside searches, or of one of its tasks. Emptied by Report; buffers are
/// kept.
#[derive(Resource, Default)]
pub(crate) struct TickEvents {
    /// Chasers that wanted to search and could not: the target, and why.
    pub(crate) refusals: Vec<AgentEvent<(Entity, PathFailure)>>,
    /// Chasers that came within reach of their target.
    pub(crate) arrivals: Vec<AgentEvent<Entity>>,
    /// Chasers whose path an edit broke: the map, and the first waypoint that is cut off.
    pub(crate) broken: Vec<AgentEvent<(Entity, Cell)>>,
    /// Values that the game set and that make no sense.
    pub(crate) values: Vec<AgentEvent<(ValueField, ValueRefusal)>>,
    /// Agents that took a link which takes time or holds few: the map and both ends.
    pub(crate) entered: Vec<AgentEvent<(Entity, Cell, Cell)>>,
    /// Ghosts that wait for their turn at a link: its end, and whether they are within reach there.
    pub(crate) at_links: Vec<AgentEvent<(Cell, bool)>>,
    /// Steps taken.
    pub(crate) steps: u64,
}

impl TickEvents {
    /// Takes over all of others.
    pub(crate) fn append(&mut self, others: &mut Self) {
        self.refusals.append(&mut others.refusals);
        self.arrivals.append(&mut others.arrivals);
        self.broken.append(&mut others.broken);
        self.values.append(&mut others.values);
        self.entered.append(&mut others.entered);
        self.at_links.append(&mut others.at_links);
        self.steps += std::mem::take(&mut others.steps);
    }

    pub(crate) fn clear(&mut self) {
        self.refusals.clear();
        self.arrivals.clear();
        self.broken.clear();
        self.values.clear();
        self.entered.clear();
        self.at_links.clear();
        self.steps = 0;
    }
}
