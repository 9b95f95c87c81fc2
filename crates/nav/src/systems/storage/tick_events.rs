//! What happened in a tick, until Report writes it as messages and counters.

use super::agent_events::{AgentEvent, AgentEvents};
use crate::{PathFailure, ValueField, ValueRefusal};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// What happened in a tick beside searches. Emptied by Report; buffers are kept.
#[derive(Resource, Default)]
pub(crate) struct TickEvents {
    /// Chasers that wanted to search and could not: the target, and why.
    pub(crate) refusals: AgentEvents<(Entity, PathFailure)>,
    /// Chasers that came within reach of their target.
    pub(crate) arrivals: AgentEvents<Entity>,
    /// Chasers whose path an edit broke: the map, and the first waypoint that is cut off.
    pub(crate) broken: AgentEvents<(Entity, Cell)>,
    /// Values that the game set and that make no sense.
    pub(crate) values: AgentEvents<(ValueField, ValueRefusal)>,
    /// Steps taken.
    pub(crate) steps: u64,
}

impl TickEvents {
    pub(crate) fn clear(&mut self) {
        self.refusals.clear();
        self.arrivals.clear();
        self.broken.clear();
        self.values.clear();
        self.steps = 0;
    }
}

/// What a task that moves chasers collects.
#[derive(Default)]
pub(crate) struct StepEvents {
    pub(crate) arrivals: Vec<AgentEvent<Entity>>,
    pub(crate) steps: u64,
}

impl StepEvents {
    /// Moves all to the events of the tick.
    pub(crate) fn drain_to(&mut self, events: &mut TickEvents) {
        events.arrivals.append(&mut self.arrivals);
        events.steps += std::mem::take(&mut self.steps);
    }
}
