//! Whether an agent with a body sleeps, as its components say.

use super::{CellPosition, MoveTimer, NavTimer, OnMap, PathCursor};
use crate::{NavTime, occupancy::Occupancy};
use bevy_ecs::{prelude::*, world::DeferredWorld};

/// What tells whether a chaser sleeps.
pub(crate) type SleepSigns<'a> = (&'a NavTimer, &'a MoveTimer, &'a PathCursor);

/// Whether a chaser stands and waits for a neighbouring cell to become free, as its timers say. Hardly
/// anybody is found asleep otherwise.
pub(crate) fn seems_asleep((timer, moves, cursor): SleepSigns, now: NavTime) -> bool {
    timer.stands() && !cursor.is_reached() && !moves.is_due(now)
}

/// Notes that an agent no longer waits for a neighbouring cell: nobody who frees one is to wake it.
pub(super) fn sleep_no_longer(world: &mut DeferredWorld, agent: Entity) {
    let map = world.get::<OnMap>(agent).map(|on_map| on_map.0);
    let cell = world.get::<CellPosition>(agent).map(|place| place.cell);
    if let (Some(map), Some(cell)) = (map, cell)
        && let Some(mut occupancy) = world.get_resource_mut::<Occupancy>()
        && let Some(mut floor) = occupancy.floor(map, cell.floor)
    {
        floor.wake(cell);
    }
}
