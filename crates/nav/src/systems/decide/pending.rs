//! Chasers that are decided for once more, or between their move ticks.

use bevy_ecs::prelude::*;

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
