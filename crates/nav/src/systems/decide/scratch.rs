//! What a task that decides collects.

use super::pending::PendingDecisions;
use crate::{
    PathFailure,
    systems::{
        fields::FarRequests,
        search::{Request, SearchQueue},
        storage::{agent_events::AgentEvent, tick_events::TickEvents},
    },
};
use bevy_ecs::prelude::*;

/// What a task that decides collects.
#[derive(Default)]
pub(crate) struct DecideScratch {
    pub(super) requests: Vec<Request>,
    pub(super) refusals: Vec<AgentEvent<(Entity, PathFailure)>>,
    pub(super) arrivals: Vec<AgentEvent<Entity>>,
    /// Chasers of a size that their map is not prepared for.
    pub(super) unprepared: Vec<Entity>,
    /// Chasers whose field is to be made first.
    pub(super) awaiting_field: Vec<Entity>,
    pub(super) far: FarRequests,
}

/// Where what tasks collected goes.
#[derive(bevy_ecs::system::SystemParam)]
pub(crate) struct Collected<'w> {
    pub(super) pending: ResMut<'w, PendingDecisions>,
    queue: ResMut<'w, SearchQueue>,
    events: ResMut<'w, TickEvents>,
    far: ResMut<'w, FarRequests>,
}

impl Collected<'_> {
    /// Takes what a task collected.
    pub(super) fn take(&mut self, scratch: &mut DecideScratch) {
        self.queue.requests.append(&mut scratch.requests);
        self.events.refusals.append(&mut scratch.refusals);
        self.events.arrivals.append(&mut scratch.arrivals);
        self.pending.unprepared.append(&mut scratch.unprepared);
        let awaiting = &mut scratch.awaiting_field;
        self.pending.awaiting_field.append(awaiting);
        self.far.append(&mut scratch.far);
    }
}
