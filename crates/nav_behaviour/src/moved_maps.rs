//! Cells of behaviours on maps that move as windows of a larger world.

use crate::{ChaseRecord, Flee, FleeFrom, Home, Interrupted, Memory, Patrol, Wander};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use nav::{OnMap, maps::MapShifted};
use nav_grid::{Cell, map::Shift};

/// The components with cells that outlast a tick or two. What agents remember of the last seconds,
/// as [`Intercept`](crate::Intercept) does of its target, begins again.
type Kept = (
    &'static OnMap,
    Option<&'static mut Home>,
    Option<&'static mut Patrol>,
    Option<&'static mut Wander>,
    Option<&'static mut ChaseRecord>,
    Option<&'static mut Interrupted>,
    Option<&'static mut Flee>,
    Option<&'static mut Memory>,
);

/// Moves the cells of behaviours along with the map that their agents are on.
pub(crate) fn move_cells(shifted: On<MapShifted>, mut agents: Query<Kept, Allow<Disabled>>) {
    let MapShifted { map, by } = *shifted.event();
    for (on_map, home, patrol, wander, record, interrupted, flee, memory) in &mut agents {
        if on_map.0 != map {
            continue;
        }
        if let Some(mut home) = home {
            home.0 = moved(home.0, by);
        }
        if let Some(mut patrol) = patrol {
            patrol.move_cells(|cell| moved(cell, by));
        }
        if let Some(mut wander) = wander {
            wander.move_cells(|cell| moved(cell, by));
        }
        if let Some(mut record) = record {
            record.began_at = record.began_at.map(|cell| moved(cell, by));
        }
        if let Some(mut interrupted) = interrupted {
            interrupted.move_cells(|cell| moved(cell, by));
        }
        if let Some(mut memory) = memory {
            memory.move_cells(|cell| moved(cell, by));
        }
        if let Some(mut flee) = flee
            && let FleeFrom::Cell(cell) = flee.from
        {
            flee.from = FleeFrom::Cell(moved(cell, by));
        }
    }
}

/// Where a cell lies after its map moved. One without coordinates becomes the last cell there can
/// be, which is off every map: a walk there ends as unreachable.
fn moved(cell: Cell, by: Shift) -> Cell {
    let off = Cell::new(u16::MAX, u16::MAX).on_floor(cell.floor);
    by.moved(cell).unwrap_or(off)
}
