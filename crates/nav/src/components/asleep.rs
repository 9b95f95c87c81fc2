//! Whether an agent with a body sleeps, as its components say.

use super::{MoveTimer, NavTimer, PathCursor};
use crate::NavTime;

/// Whether the timers of an agent say that it stands and waits for a neighbouring cell to become free. Hardly
/// anybody is found asleep otherwise.
pub(crate) fn seems_asleep(
    timer: Option<&NavTimer>,
    moves: Option<&MoveTimer>,
    cursor: Option<&PathCursor>,
    now: NavTime,
) -> bool {
    let (Some(timer), Some(moves), Some(cursor)) = (timer, moves, cursor) else {
        return false;
    };
    timer.stands() && !cursor.is_reached() && !moves.is_due(now)
}
