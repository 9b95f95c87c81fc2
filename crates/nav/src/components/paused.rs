//! Agents that neither step nor search for a while.

use super::{MoveTimer, NavTimer, PathCursor};
use crate::{NavClock, NavTime, Period, occupancy::Occupancy};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

/// Keeps a chaser where it is: it neither steps nor searches, nobody pushes it away, and those who look
/// for a way count it as somebody who stays. For stuns, cut scenes and what is out of everybody's sight.
///
/// Whom it chases stays, and may be switched meanwhile. What it followed is forgotten as the pause
/// begins and as it ends: it looks anew at once when this is removed, or when [`until`](Self::until)
/// comes.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_insert = pause, on_remove = resume)]
pub struct Paused {
    /// When the plugin removes it; `None`, the default, if the game does.
    pub until: Option<NavTime>,
}

impl Paused {
    /// A pause of so long from this tick on.
    pub const fn for_period(clock: &NavClock, period: Period) -> Self {
        Self {
            until: Some(clock.now().after(period)),
        }
    }
}

fn pause(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.interrupt();
    }
    if let Some(mut timer) = world.get_mut::<MoveTimer>(entity) {
        timer.pause();
    }
    if let Some(mut timer) = world.get_mut::<NavTimer>(entity) {
        timer.set_stands(false);
    }
    // Nobody who frees a cell is to wake it.
    if let Some(mut occupancy) = world.get_resource_mut::<Occupancy>() {
        occupancy.wake(entity);
    }
}

fn resume(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let now = world.get_resource::<NavClock>().map(NavClock::now);
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.interrupt();
    }
    if let Some(mut timer) = world.get_mut::<NavTimer>(entity) {
        *timer = NavTimer::default();
    }
    if let Some(mut timer) = world.get_mut::<MoveTimer>(entity) {
        timer.next_step = now.unwrap_or_default();
    }
}
