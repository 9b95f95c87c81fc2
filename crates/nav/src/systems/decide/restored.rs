//! What a game changed of chasers after they were restored and before their first tick.

use super::{new_target::begin_anew, pending::PendingDecisions};
use crate::{
    Body, Chaser, Chasing, MoveTimer, NavClock, NavTimer, PathCursor, components::SearchesAlone,
    systems::restored::Restored,
};
use bevy_ecs::prelude::*;

/// A chaser and what the game may change of it.
type Chase = (
    Entity,
    Ref<'static, Chaser>,
    Ref<'static, Chasing>,
    Option<Ref<'static, Body>>,
    Option<Ref<'static, SearchesAlone>>,
    &'static mut PathCursor,
    &'static mut NavTimer,
    &'static mut MoveTimer,
);

/// Has chasers that were restored find out what became of them since: all that they have is new to the first
/// tick, and what was saved counts for nothing new.
///
/// Those with another target are decided for in this tick, whether they are due or not.
pub(super) fn note_changes(world: &mut World) {
    let Some(restored) = world.remove_resource::<Restored>() else {
        return;
    };
    let now = world
        .get_resource::<NavClock>()
        .copied()
        .unwrap_or_default();
    let mut chasers = world.query::<Chase>();
    let tick = world.change_tick();
    let mut retargeted = Vec::new();
    for (entity, chaser, chasing, body, alone, mut cursor, mut timer, mut moves) in
        chasers.iter_mut(world)
    {
        if !restored.has(chaser.added(), tick) {
            continue;
        }
        let is_news = |changed| !restored.has(changed, tick);
        let is_tuned =
            is_news(chaser.last_changed()) || body.is_some_and(|body| is_news(body.last_changed()));
        if is_tuned && !alone.is_some_and(|alone| is_news(alone.last_changed())) {
            timer.set_awaits_change(None);
        }
        if is_news(chasing.last_changed()) {
            let is_awake = begin_anew(&mut cursor, &mut timer, &mut moves, now.now());
            retargeted.extend(is_awake.then_some(entity));
        }
    }
    if let Some(mut pending) = world.get_resource_mut::<PendingDecisions>() {
        pending.path_broken.append(&mut retargeted);
    }
}
