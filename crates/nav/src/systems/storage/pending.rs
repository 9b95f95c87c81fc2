//! Chasers to decide for beside the due ones, and chasers that got another target.

use crate::{
    Chasing, Crowding, MoveTimer, NavClock, NavTime, NavTimer, PathCursor,
    components::{Chase, Event, Retargeted},
    occupancy::BodyPlaces,
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};

/// Chasers that are decided for once more in a tick, or between their move ticks, by what they wait
/// for.
#[derive(Resource, Default)]
pub(crate) struct PendingDecisions {
    pub(crate) unprepared: Vec<Entity>,
    /// Chasers whose path an edit broke.
    pub(crate) path_broken: Vec<Entity>,
    /// Chasers whose turn to search it is.
    pub(crate) called: Vec<Entity>,
    pub(crate) awaiting_field: Vec<Entity>,
}

type Retarget = (
    Option<&'static Chasing>,
    &'static mut PathCursor,
    &'static mut NavTimer,
    Option<&'static mut MoveTimer>,
    Option<&'static mut Crowding>,
);

/// Clears what chasers followed that have another target than at the last tick, or none. They
/// decide at their next move tick, before which they could not step by what they found.
pub(crate) fn leave_targets(
    mut retargeted: ResMut<Retargeted>,
    mut chasers: Query<Retarget, Allow<Disabled>>,
    mut occupancy: ResMut<BodyPlaces>,
    clock: Res<NavClock>,
) {
    if retargeted.0.is_empty() {
        return;
    }
    // In any order: each chaser is on its own, and decisions put them in order.
    for (chaser, before) in retargeted.0.drain() {
        let Ok((chasing, cursor, timer, move_timer, crowding)) = chasers.get_mut(chaser) else {
            continue;
        };
        if chasing.is_some_and(|chasing| chasing.0 == before) {
            continue;
        }
        occupancy.wake(chaser);
        if chasing.is_none() {
            Chase::of(cursor, timer).apply(Event::Interrupted);
        } else {
            begin_again((cursor, timer), move_timer, crowding, clock.now());
        }
    }
}

/// Clears what a chaser followed and how bodies in the way went. It decides at its next move tick.
pub(crate) fn begin_again(
    (mut cursor, timer): (Mut<PathCursor>, Mut<NavTimer>),
    move_timer: Option<Mut<MoveTimer>>,
    crowding: Option<Mut<Crowding>>,
    now: NavTime,
) {
    Chase::of(cursor.reborrow(), timer).apply(Event::Begun);
    if let Some(mut crowding) = crowding {
        *crowding = Crowding::default();
    }
    if let Some(mut move_timer) = move_timer
        && !move_timer.is_due(now)
    {
        // It may have waited for its idle period.
        move_timer.wake(now, cursor.stands());
    }
}
