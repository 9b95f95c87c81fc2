//! What a game changed of chasers after they were restored and before their first tick: to the systems of that
//! tick all that they have is new, and what was saved is no change.

use super::{new_target::begin_anew, pending::PendingDecisions};
use crate::{
    Body, Chaser, Chasing, MoveTimer, NavClock, NavTimer, PathCursor,
    components::SearchesAlone,
    systems::{decided_at::DecidedAt, restored::Restored},
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};

type Tuned = (
    Ref<'static, Chaser>,
    Option<Ref<'static, Body>>,
    Option<Ref<'static, SearchesAlone>>,
    &'static mut NavTimer,
);

/// What [`note_tunings`](crate::systems::fields::note_tunings) does for those who were tuned: what was searched
/// for in vain may be found now.
pub(crate) fn note_retuned(
    restored: Res<Restored>,
    mut chasers: Query<Tuned>,
    ticks: SystemChangeTick,
) {
    let now = ticks.this_run();
    for (chaser, body, alone, mut timer) in &mut chasers {
        if !restored.has(chaser.added(), now) {
            continue;
        }
        let is_news = |changed| !restored.has(changed, now);
        let is_tuned =
            is_news(chaser.last_changed()) || body.is_some_and(|body| is_news(body.last_changed()));
        if is_tuned && !alone.is_some_and(|alone| is_news(alone.last_changed())) {
            timer.set_awaits_change(None);
        }
    }
}

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
            decided.is_before(chaser.added(), tick) && restored.has(chaser.added(), tick);
        if was_restored && !restored.has(chasing.last_changed(), tick) {
            let is_awake = begin_anew(&mut cursor, &mut timer, &mut moves, now.now());
            retargeted.extend(is_awake.then_some(entity));
        }
    }
    if let Some(mut pending) = world.get_resource_mut::<PendingDecisions>() {
        pending.path_broken.append(&mut retargeted);
    }
}
