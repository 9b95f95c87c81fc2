//! Taking a step: what it writes, and whether it ends within reach of the target.

use crate::{
    CellPosition, Chaser, MoveTimer, NavMap, NavTime, WorldPosition,
    systems::{
        guidance::TargetView,
        storage::{columns::ChaserView, tick_events::TickEvents},
    },
};
use nav_grid::Cell;

/// Moves a chaser on a map to a cell.
#[inline(always)]
pub(super) fn apply_step(
    map: Option<&NavMap>,
    chaser: &mut ChaserView,
    to: Cell,
    events: &mut TickEvents,
) {
    if !chaser.cursor.is_sharing() {
        advance_path(chaser, to);
    }
    if chaser.tuning.is_by_cost()
        && let Some(map) = map
    {
        let (timer, from) = (*chaser.move_timer, chaser.cell());
        chaser.move_timer.next_step = prolonged(map, chaser.chaser, timer, from, to);
    }
    if chaser.cursor.stands() {
        chaser.cursor.set_off();
    }
    *chaser.position = CellPosition::at(to);
    if let Some(map) = map
        && let Some(world) = &mut chaser.world
    {
        **world = WorldPosition::of(map.frame(), to);
    }
    if let Some(crowding) = chaser.crowding.as_mut().filter(|crowding| crowding.stands) {
        crowding.step();
    }
    events.steps += 1;
}

/// The next move tick of a chaser whose step takes as long as it costs. Takes parts of a chaser: a
/// view that is lent to a function has to lie in memory for all steps.
#[cold]
#[inline(never)]
pub(crate) fn prolonged(
    map: &NavMap,
    chaser: &Chaser,
    timer: MoveTimer,
    from: Cell,
    to: Cell,
) -> NavTime {
    let rules = chaser.rules;
    match map.grid().move_cost(from, to, rules) {
        Some(cost) => timer.prolonged(cost, rules.metric.straight()),
        None => timer.next_step,
    }
}

/// Takes the waypoint that a chaser goes to. A path that does not lead there lies beside the chaser
/// now, which made room for others.
#[inline(always)]
fn advance_path(chaser: &mut ChaserView, to: Cell) {
    if chaser.cursor.path().peek() == Some(to) {
        chaser.cursor.advance();
    } else if !chaser.cursor.path().is_empty() {
        chaser.cursor.drop_path();
    }
}

/// Records after a step whether the chaser is within reach of its target.
#[inline(always)]
pub(super) fn arrive_if_reached(
    view: &TargetView,
    chaser: &mut ChaserView,
    events: &mut TickEvents,
) {
    if view.is_reached(chaser, chaser.cell()) {
        arrive(view, chaser, events);
    } else {
        leave(chaser);
    }
}

/// Records that a chaser is out of reach of its target.
#[inline(always)]
pub(super) fn leave(chaser: &mut ChaserView) {
    if chaser.cursor.is_beside() {
        chaser.cursor.keep_beside(false);
    }
}

/// Records after a look without a step that a target went out of reach.
#[inline(always)]
pub(super) fn leave_if_out_of_reach(view: &TargetView, chaser: &mut ChaserView) {
    if chaser.cursor.is_beside() && !view.is_reached(chaser, chaser.cell()) {
        chaser.cursor.keep_beside(false);
    }
}

/// Records that a chaser is within reach of its target. Beside a standing target it rests from now
/// on; beside a moving one it stays on the field.
#[inline(always)]
pub(super) fn arrive(view: &TargetView, chaser: &mut ChaserView, events: &mut TickEvents) {
    let keeps_field = chaser.cursor.shares_near() && !view.is_standing;
    let has_body = chaser.body.is_some();
    if keeps_field && chaser.cursor.is_beside() && !has_body {
        return;
    }
    let is_new = if keeps_field {
        if has_body {
            chaser.cursor.note_place(view.target.seen.position);
        }
        chaser.cursor.keep_beside(true)
    } else {
        chaser.cursor.set_reached(true)
    };
    if is_new {
        if let Some(crowding) = &mut chaser.crowding {
            crowding.waits = 0;
        }
        let (id, entity, target) = (*chaser.id, *chaser.entity, chaser.chasing.0);
        events.arrivals.push((id, entity, target));
    }
}
