//! Taking a step: whether it may be taken, what it writes, and whether it arrives.

use super::{next_step::NextStep, params::StepParams};
use crate::{
    CellPosition, NavMap, WorldPosition,
    systems::{
        reach::{in_reach, overlaps},
        storage::{chaser::ChaserView, tick_events::StepEvents},
        target_view::{TargetView, TargetViews},
    },
};
use nav_grid::Cell;

impl StepParams<'_, '_> {
    /// Has a chaser take the first step that it wants at its move tick, if it may; sets its next
    /// move tick.
    #[inline]
    pub(super) fn step(
        &self,
        views: &mut TargetViews,
        chaser: &mut ChaserView,
        events: &mut StepEvents,
        may_step: impl FnOnce(&ChaserView, Cell) -> bool,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let Some(view) = view_to_follow(views, chaser) else {
            chaser.move_timer_mut().tick(now, previous, false);
            return;
        };
        let to = match self.next_step(view, chaser) {
            NextStep::Wait => return,
            NextStep::Rest => {
                chaser.move_timer_mut().tick(now, previous, false);
                return;
            }
            NextStep::Arrive => {
                chaser.move_timer_mut().tick(now, previous, false);
                arrive(chaser, events);
                return;
            }
            NextStep::To(to) => Some(to),
            NextStep::Ranked { next, wished, .. } => NextStep::first(next, chaser.cell(), wished),
        };
        chaser.move_timer_mut().tick(now, previous, true);
        if let Some(to) = to
            && allows_step(view, chaser, to)
            && may_step(chaser, to)
        {
            apply_step(Some(view.map), chaser, to, events);
            arrive_if_reached(view, chaser, events);
        }
    }
}

/// The target of a chaser that has something to follow.
#[inline]
pub(super) fn view_to_follow<'s, 'a>(
    views: &'s mut TargetViews<'a>,
    chaser: &ChaserView,
) -> Option<&'s TargetView<'a>> {
    if chaser.cursor().rests() {
        return None;
    }
    views.of(chaser)
}

/// Whether a chaser may take the step that it wants, bodies aside. Drops a path that leads over a
/// step that is forbidden by now.
#[inline]
pub(super) fn allows_step(view: &TargetView, chaser: &mut ChaserView, to: Cell) -> bool {
    // Fields lead by legal steps, and end where the target is within reach.
    let is_legal = chaser.cursor().is_sharing() || allows_waypoint(view, chaser, to);
    is_legal
        && !(view.is_near(to, 0) && overlaps(view.approach(chaser).rules, to, &view.target.seen))
}

#[inline]
fn allows_waypoint(view: &TargetView, chaser: &mut ChaserView, to: Cell) -> bool {
    let (from, grid) = (chaser.cell(), view.grid());
    // A path can lie beside its chaser after a teleport, or behind a door that closed.
    if !grid.allows_move(from, to, view.approach(chaser).rules) {
        chaser.cursor_mut().drop_path();
        return false;
    }
    !(view.is_near(from, 0) && is_in_reach(view, chaser))
}

#[inline(never)]
fn is_in_reach(view: &TargetView, chaser: &ChaserView) -> bool {
    let (approach, from) = (view.approach(chaser), chaser.cell());
    in_reach(
        approach,
        view.grid(),
        from,
        &view.target.seen,
        chaser.cursor(),
    )
}

/// Moves a chaser on a map to a cell.
#[inline]
pub(super) fn apply_step(
    map: Option<&NavMap>,
    chaser: &mut ChaserView,
    to: Cell,
    events: &mut StepEvents,
) {
    if !chaser.cursor().is_sharing() {
        advance_path(chaser, to);
    }
    *chaser.position_mut() = CellPosition::at(to);
    if let Some(map) = map
        && let Some(world) = chaser.world_mut()
    {
        *world = WorldPosition::of(map.frame(), to);
    }
    if chaser.body().is_some() && chaser.search_timer().stands() {
        chaser.search_timer_mut().set_stands(false);
    }
    events.steps += 1;
}

/// Has the path of a chaser begin behind a cell that it goes to.
#[inline]
fn advance_path(chaser: &mut ChaserView, to: Cell) {
    if chaser.cursor().path().peek() == Some(to) {
        chaser.cursor_mut().advance();
    } else if !chaser.cursor().path().is_empty() {
        // It went out of the way of others: the path lies beside it now.
        chaser.cursor_mut().drop_path();
    }
}

/// Notes that a chaser is within reach of its target, if it came there.
#[inline]
pub(super) fn arrive_if_reached(
    view: &TargetView,
    chaser: &mut ChaserView,
    events: &mut StepEvents,
) {
    if view.is_reached(chaser, chaser.cell()) {
        arrive(chaser, events);
    }
}

/// Notes that a chaser is within reach of its target.
pub(super) fn arrive(chaser: &mut ChaserView, events: &mut StepEvents) {
    if chaser.cursor_mut().set_reached(true) {
        // Nobody is in its way any longer.
        if chaser.body().is_some() {
            chaser.search_timer_mut().set_waits(0);
        }
        let (id, entity, target) = (chaser.id(), chaser.entity(), chaser.target());
        events.arrivals.push((id, entity, target));
    }
}
