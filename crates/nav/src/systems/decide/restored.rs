//! Who got another target after it was restored and before its first tick: to the systems of that tick all that
//! chasers have is new, and what was saved is no change.

use super::{new_target::begin_anew, pending::PendingDecisions};
use crate::{
    Chaser, Chasing, MoveTimer, NavClock, NavTimer, PathCursor,
    systems::{last_look::DecidedAt, restored::Restored},
};
use bevy_ecs::prelude::*;

type Chase = (
    Entity,
    Ref<'static, Chaser>,
    Ref<'static, Chasing>,
    &'static mut PathCursor,
    &'static mut NavTimer,
    &'static mut MoveTimer,
);

/// Has those with another target decided for in this tick, whether they are due or not. From then on a world that
/// was restored is one like any other.
pub(super) fn note_retargeted(world: &mut World) {
    let Some(restored) = world.remove_resource::<Restored>() else {
        return;
    };
    let now = world
        .get_resource::<NavClock>()
        .copied()
        .unwrap_or_default();
    let mut chasers = world.query::<Chase>();
    let tick = world.change_tick();
    // Of those that were here before, the tick sees by itself who has another target.
    let decided = world
        .get_resource::<DecidedAt>()
        .copied()
        .unwrap_or_default();
    let mut retargeted = Vec::new();
    for (entity, chaser, chasing, mut cursor, mut timer, mut moves) in chasers.iter_mut(world) {
        let was_restored =
            decided.0.is_before(chaser.added(), tick) && restored.has(chaser.added(), tick);
        if was_restored && !restored.has(chasing.last_changed(), tick) {
            let is_awake = begin_anew(&mut cursor, &mut timer, &mut moves, now.now());
            retargeted.extend(is_awake.then_some(entity));
        }
    }
    if let Some(mut pending) = world.get_resource_mut::<PendingDecisions>() {
        pending.path_broken.append(&mut retargeted);
    }
}
