//! Chasers that the game put onto another map.

use crate::{Chaser, MoveTimer, NavClock, NavTimer, OnMap, PathCursor, components::LastMap};
use bevy_ecs::{change_detection::ContiguousRef, prelude::*};

type Moved = (
    &'static OnMap,
    &'static mut LastMap,
    &'static mut PathCursor,
    &'static mut NavTimer,
    &'static mut MoveTimer,
);

/// Has those on another map than before forget what they followed on that, as with another target.
pub(super) fn leave_maps(
    clock: Res<NavClock>,
    on_maps: Query<Ref<OnMap>, With<Chaser>>,
    mut moved: Query<Moved, (With<Chaser>, Changed<OnMap>)>,
) {
    // Most of the time nobody is, and the tables know.
    let is_settled = |on_maps: ContiguousRef<OnMap>| {
        ContiguousRef::split(on_maps).1.summary_tick_is_changed() == Some(false)
    };
    if on_maps
        .contiguous_iter()
        .is_ok_and(|mut tables| tables.all(is_settled))
    {
        return;
    }
    for (on_map, mut last, mut cursor, mut timer, mut move_timer) in &mut moved {
        if last.0 == on_map.0 {
            continue;
        }
        let is_new = *last == LastMap::default();
        last.0 = on_map.0;
        if is_new {
            continue;
        }
        cursor.interrupt();
        *timer = NavTimer::default();
        if !move_timer.is_due(clock.now()) {
            move_timer.wake(clock.now());
        }
    }
}
