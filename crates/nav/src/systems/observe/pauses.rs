//! Pauses that are over.

use crate::{NavClock, components::Paused};
use bevy_ecs::prelude::*;

/// Removes the pauses whose time has come.
pub(super) fn end_pauses(
    clock: Res<NavClock>,
    paused: Query<(Entity, &Paused)>,
    mut commands: Commands,
) {
    for (entity, pause) in &paused {
        if pause.until.is_some_and(|until| until <= clock.now()) {
            commands.entity(entity).remove::<Paused>();
        }
    }
}
