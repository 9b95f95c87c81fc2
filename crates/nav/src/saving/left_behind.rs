//! What stays of an agent that goes on in another world.

use crate::{
    Chaser, Chasing, MoveTimer, NavTimer, PathCursor, Paused, components::SearchesAlone,
    shared::Mirror, state::StateComponents,
};
use bevy_ecs::prelude::*;

/// Turns an agent that goes on in another world into a [`Mirror`]: takes all that decides what it does.
pub fn leave_mirror(agent: &mut EntityWorldMut) {
    agent.remove::<(
        Chaser,
        Chasing,
        PathCursor,
        NavTimer,
        MoveTimer,
        Paused,
        SearchesAlone,
    )>();
    let registered = agent.world().get_resource::<StateComponents>().cloned();
    registered.unwrap_or_default().remove_decisions(agent);
    agent.insert(Mirror);
}
