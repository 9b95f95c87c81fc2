//! Chasers that got another target.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use crate::{MoveTimer, NavTime, NavTimer, PathCursor};
use std::ops::DerefMut;

/// Has a chaser forget what it followed after another target and how its searches went, and wakes it: it may
/// rest for its idle period. Returns whether it is awake; one that is paused stays so.
#[inline(always)]
pub(super) fn begin_anew(
    cursor: &mut impl DerefMut<Target = PathCursor>,
    search_timer: &mut impl DerefMut<Target = NavTimer>,
    move_timer: &mut impl DerefMut<Target = MoveTimer>,
    now: NavTime,
) -> bool {
    cursor.interrupt();
    **search_timer = NavTimer::default();
    if move_timer.is_paused() {
        return false;
    }
    // Looked at first: writing marks the component as changed.
    if !move_timer.is_due(now) {
        move_timer.wake(now);
    }
    true
}
