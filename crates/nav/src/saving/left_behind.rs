//! What stays of an agent that goes on in another world.

use crate::{
    Chaser, Chasing, MoveTimer, NavTimer, PathCursor, Paused,
    behaviour::{
        Activity, ChaseRecord, Formation, GiveUp, GivenUp, GoTo, Home, InFormation, Intercept,
        KeepDistance, Leash, Notice, Patrol, Returning, StuckWatch, WalkEnd,
    },
    components::SearchesAlone,
    shared::Mirror,
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
    agent.remove::<(
        Formation,
        InFormation,
        GoTo,
        WalkEnd,
        Patrol,
        Returning,
        Activity,
    )>();
    agent.remove::<(Home, Leash, GiveUp, GivenUp, ChaseRecord, Notice)>();
    agent.remove::<(StuckWatch, Intercept, KeepDistance)>();
    agent.insert(Mirror);
}
