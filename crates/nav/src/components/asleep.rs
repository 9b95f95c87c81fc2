//! Whether an agent with a body sleeps, as its components say.

use super::{MoveTimer, NavTimer, PathCursor};
use crate::NavTime;

/// What tells whether a chaser sleeps.
pub(crate) type SleepSigns<'a> = (&'a NavTimer, &'a MoveTimer, &'a PathCursor);

/// Whether a chaser stands and waits for a neighbouring cell to become free, as its timers say. Hardly
/// anybody is found asleep otherwise.
pub(crate) fn seems_asleep((timer, moves, cursor): SleepSigns, now: NavTime) -> bool {
    timer.stands() && !cursor.is_reached() && !moves.is_due(now)
}
