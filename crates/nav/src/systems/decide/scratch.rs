//! What a task that decides collects.

use crate::{
    PathFailure,
    systems::{fields::FarRequests, search::Request, storage::agent_events::AgentEvent},
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
