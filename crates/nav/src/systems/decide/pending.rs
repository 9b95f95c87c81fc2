//! Chasers that are decided for once more, and where what decisions come to is collected.

use super::scratch::DecideScratch;
use crate::systems::{fields::FarRequests, search::SearchQueue, storage::tick_events::TickEvents};
use bevy_ecs::{prelude::*, system::SystemParam};

/// Chasers that are decided for once more, or between their move ticks, by what they wait for.
#[derive(Resource, Default)]
pub(crate) struct PendingDecisions {
    /// Those of a size that their map is not prepared for.
    pub(super) unprepared: Vec<Entity>,
    /// Those whose path an edit broke.
    pub(crate) path_broken: Vec<Entity>,
    /// Those whose field is made in this tick.
    pub(super) awaiting_field: Vec<Entity>,
}

/// Where what tasks collected goes.
#[derive(SystemParam)]
pub(crate) struct Collected<'w> {
    pub(super) pending: ResMut<'w, PendingDecisions>,
    pub(super) queue: ResMut<'w, SearchQueue>,
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
