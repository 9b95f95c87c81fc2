//! Pauses of chasers.

use super::{Crowding, DiscardedTimers, MoveTimer, NavTimer, PathCursor, chase::interrupt};
use crate::{NavClock, NavTime, Period};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

/// Keeps a chaser where it is: it neither steps nor searches, no body pushes it away, and searches
/// around bodies treat it as a wall. For stuns, cut scenes and what is out of every player's sight.
///
/// The target stays, and may be switched meanwhile. What the chaser followed is forgotten as the
/// pause begins and as it ends. When this is removed, or when [`until`](Self::until) comes, the
/// chaser decides at once, but not before the move tick that it waited for.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_insert = pause, on_discard = give_back, on_remove = resume)]
pub struct Paused {
    /// The time at which the plugin removes it; `None`, the default, if the game does.
    pub until: Option<NavTime>,
    /// The move tick that the chaser waited for as the pause began. Set as this is inserted; a
    /// later one is kept.
    pub next_step: NavTime,
}

impl Paused {
    /// A pause of this length from this tick on.
    pub fn for_period(clock: &NavClock, period: impl Into<Period>) -> Self {
        Self {
            until: Some(clock.now().after(period)),
            next_step: NavTime(0),
        }
    }

    /// Takes the move tick of a timer, unless that is paused already.
    pub(crate) fn hold(&mut self, timer: &mut MoveTimer) {
        if !timer.is_paused() {
            self.next_step = self.next_step.max(timer.next_step);
            timer.pause();
        }
    }
}

fn pause(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    interrupt(&mut world, entity);
    if let Some(mut crowding) = world.get_mut::<Crowding>(entity) {
        crowding.stands = false;
    }
    if let Some(mut timer) = world.get::<MoveTimer>(entity).copied()
        && let Some(mut paused) = world.get_mut::<Paused>(entity)
    {
        paused.hold(&mut timer);
        if let Some(mut held) = world.get_mut::<MoveTimer>(entity) {
            *held = timer;
        }
    }
}

/// Gives a chaser the move tick back that its pause put off. Another pause that replaces this one
/// takes it again.
fn give_back(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(&Paused { next_step, .. }) = world.get(entity) else {
        return;
    };
    if let Some(mut timer) = world.get_mut::<MoveTimer>(entity) {
        // The game may have inserted another timer meanwhile.
        timer.next_step = if timer.is_paused() {
            next_step
        } else {
            timer.next_step.max(next_step)
        };
    }
    // The timer may be removed together with the pause, and was seen paused then.
    if let Some(mut discarded) = world.get_resource_mut::<DiscardedTimers>() {
        discarded.0.insert(entity, next_step);
    }
}

/// Forgets the path, and how searches and bodies in the way went. Ends a wait.
fn resume(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let clock = world.get_resource::<NavClock>();
    let now = clock.map(NavClock::now).unwrap_or_default();
    let mut stands = false;
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        stands = cursor.stands();
        cursor.interrupt();
    }
    if let Some(mut timer) = world.get_mut::<NavTimer>(entity) {
        *timer = NavTimer::default();
    }
    if let Some(mut crowding) = world.get_mut::<Crowding>(entity) {
        *crowding = Crowding::default();
    }
    if let Some(mut timer) = world.get_mut::<MoveTimer>(entity)
        && !timer.is_due(now)
    {
        timer.wake(now, stands);
    }
}
