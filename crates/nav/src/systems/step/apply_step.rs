//! Taking a step: whether it may be taken, what it writes, and whether it arrives.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    next_step::{NextStep, StepParams},
    plans::{Plan, Plans, StepEnd},
};
use crate::{
    BodyKind, CellPosition, Chaser, MoveTimer, NavMap, NavTime, WorldPosition,
    systems::{
        directions::nearest,
        reach::overlaps,
        storage::{chaser::ChaserView, tick_events::StepEvents},
        target_view::{TargetView, TargetViews},
    },
};
use nav_grid::Cell;

impl StepParams<'_, '_> {
    /// Has a chaser take the first step that it wants at its move tick, if it may; sets its next
    /// move tick. For `BY_COST` see [`apply_step`].
    #[inline(always)]
    pub(super) fn step<const BY_COST: bool>(
        &self,
        views: &mut TargetViews,
        plans: &mut impl Plans,
        chaser: &mut ChaserView,
        events: &mut StepEvents,
        may_step: impl FnOnce(&ChaserView, Cell) -> bool,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let Some(view) = view_to_follow(views, chaser) else {
            chaser.move_timer.tick(now, previous, false);
            return;
        };
        let away = view.away(chaser.cell());
        if chaser.cursor.is_beside_at_rest() && view.is_as_it_was(chaser, away) {
            chaser.move_timer.tick(now, previous, true);
            return;
        }
        match plans.plan(view, chaser, away, |chaser| self.plan(view, chaser, away)) {
            Plan::Wait => {}
            Plan::Rest => {
                chaser.move_timer.tick(now, previous, false);
            }
            Plan::Hold => {
                chaser.move_timer.tick(now, previous, true);
            }
            Plan::Arrive => {
                chaser.move_timer.tick(now, previous, !view.is_standing);
                arrive(view, chaser, events);
                chaser.come_to_rest();
            }
            Plan::Step { to, end } => {
                chaser.move_timer.tick(now, previous, true);
                if may_step(chaser, to) {
                    apply_step::<BY_COST>(Some(view.map), chaser, to, events);
                    match end {
                        StepEnd::Near => arrive_if_reached(view, chaser, events),
                        StepEnd::Within => arrive(view, chaser, events),
                        StepEnd::Beyond => leave(chaser),
                    }
                } else {
                    leave_if_out_of_reach(view, chaser);
                }
            }
            Plan::Stay => {
                chaser.move_timer.tick(now, previous, true);
                leave_if_out_of_reach(view, chaser);
            }
        }
    }

    /// The same for a ghost on its way by the field around its target, if that is too far away for anything to
    /// matter but the way. Returns whether it is; if not, the ghost is left as it was.
    #[inline(always)]
    pub(super) fn step_from_afar<const BY_COST: bool>(
        &self,
        views: &mut TargetViews,
        chaser: &mut ChaserView,
        events: &mut StepEvents,
    ) -> bool {
        let from = chaser.cell();
        let Some(view) = views.of(chaser) else {
            return false;
        };
        let away = view.away(from);
        if view.is_near(away, 1) {
            return false;
        }
        view.want_field(away);
        let Some(next) = view.next_cells(from) else {
            return false;
        };
        let (next, wished) = view.lead_on(next, from, || view.approach(chaser).rules);
        let (Some(to), false) = next.first(from, wished) else {
            return false;
        };
        let (now, previous) = (self.clock.now(), self.clock.previous());
        chaser.move_timer.tick(now, previous, true);
        apply_step::<BY_COST>(Some(view.map), chaser, to, events);
        true
    }

    /// What a chaser does whose target is so far away.
    #[inline(always)]
    fn plan(&self, view: &TargetView, chaser: &mut ChaserView, away: u16) -> Plan {
        // Far from the target nothing but the way matters, neither here nor after one step.
        let (from, is_near) = (chaser.cell(), view.is_near(away, 1));
        let (to, is_near) = match self.next_step(view, chaser, away) {
            NextStep::Wait => return Plan::Wait,
            NextStep::Rest => return Plan::Rest,
            NextStep::Hold => return Plan::Hold,
            NextStep::Arrive => return Plan::Arrive,
            // Waypoints can lie at the end of a link.
            NextStep::To(to) => (Some(to), is_near || view.is_near(view.away(to), 0)),
            NextStep::Along(to) => (Some(to), true),
            NextStep::Detour => {
                let (ways, wished) = view.aside(from, view.approach(chaser).rules);
                (nearest(ways, wished).and_then(|way| from.step(way)), true)
            }
            NextStep::Ranked { mut next, wished } => {
                if is_near {
                    let ways = view.off_large_target(next.best, from, chaser);
                    if !ways.is_empty() {
                        next.best = ways;
                    }
                }
                let (to, by_link) = next.first(from, wished);
                (to, is_near || by_link)
            }
        };
        match to {
            Some(to) if allows_step(view, chaser, to, is_near) => {
                let end = if is_near {
                    StepEnd::Near
                } else {
                    StepEnd::Beyond
                };
                Plan::Step { to, end }
            }
            _ => Plan::Stay,
        }
    }
}

/// The target of a chaser that has something to follow.
#[inline(always)]
pub(super) fn view_to_follow<'s, 'a>(
    views: &'s mut TargetViews<'a>,
    chaser: &ChaserView,
) -> Option<&'s TargetView<'a>> {
    if chaser.cursor.rests() {
        return None;
    }
    views.of(chaser)
}

/// Whether a chaser may take the step that it wants, bodies aside; far from the target only the way
/// counts. Drops a path that leads over a step that is forbidden by now.
#[inline(always)]
pub(super) fn allows_step(
    view: &TargetView,
    chaser: &mut ChaserView,
    to: Cell,
    is_near: bool,
) -> bool {
    if !chaser.cursor.is_sharing() && !chaser.cursor.is_on_detour() {
        // Fields lead by legal steps. A path can lie beside its chaser after a teleport, or behind
        // a door that closed.
        let (from, rules) = (chaser.cell(), view.approach(chaser).rules);
        if !view.grid().allows_move(from, to, rules) {
            chaser.cursor.drop_path();
            return false;
        }
        // Fields end where the target is within reach.
        if is_near && view.is_reached(chaser, from) {
            return false;
        }
    }
    if is_near && view.is_near(view.away(to), 0) {
        let rules = view.approach(chaser).rules;
        if overlaps(rules, to, &view.target.seen) {
            // Others may stand in the way of a solid body, which would be led back by its field.
            let is_solid = chaser.body.is_some_and(|body| body.kind == BodyKind::Solid);
            if chaser.cursor.is_on_path() || chaser.cursor.is_sharing() && !is_solid {
                // It leads onto the target from where that is not within reach, as by a link: the next
                // search is for another place beside it.
                chaser.cursor.drop_path();
                let interval = chaser.chaser.repath_interval;
                chaser.search_timer.failed(view.now, interval);
            }
            return false;
        }
    }
    true
}

/// Moves a chaser on a map to a cell. `BY_COST` says whether there may be chasers whose steps take
/// as long as they cost: where there are none, nothing is spent on looking.
#[inline(always)]
pub(super) fn apply_step<const BY_COST: bool>(
    map: Option<&NavMap>,
    chaser: &mut ChaserView,
    to: Cell,
    events: &mut StepEvents,
) {
    if !chaser.cursor.is_sharing() {
        advance_path(chaser, to);
    }
    if BY_COST
        && chaser.tuning.is_by_cost()
        && let Some(map) = map
    {
        let (timer, from) = (*chaser.move_timer, chaser.cell());
        chaser.move_timer.next_step = prolonged(map, chaser.chaser, timer, from, to);
    }
    if chaser.cursor.is_at_rest() {
        chaser.cursor.set_off();
    }
    *chaser.position = CellPosition::at(to);
    if let Some(map) = map
        && let Some(world) = &mut chaser.world
    {
        **world = WorldPosition::of(map.frame(), to);
    }
    if chaser.body.is_some() && chaser.search_timer.stands() {
        chaser.search_timer.set_stands(false);
    }
    events.steps += 1;
}

/// The next move tick of a chaser whose step takes as long as it costs. Gets parts and no view of it:
/// one that is lent to a function that is not inlined has to lie in memory for all steps.
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

/// Has the path of a chaser begin behind a cell that it goes to.
#[inline(always)]
fn advance_path(chaser: &mut ChaserView, to: Cell) {
    if chaser.cursor.path().peek() == Some(to) {
        chaser.cursor.advance();
    } else if !chaser.cursor.path().is_empty() {
        // It went out of the way of others: the path lies beside it now.
        chaser.cursor.drop_path();
    }
}

/// Notes that a chaser is within reach of its target, if it came there, or no longer. One that was
/// and whose step followed the target is so all along.
#[inline(always)]
pub(super) fn arrive_if_reached(
    view: &TargetView,
    chaser: &mut ChaserView,
    events: &mut StepEvents,
) {
    if view.is_reached(chaser, chaser.cell()) {
        arrive(view, chaser, events);
    } else {
        leave(chaser);
    }
}

/// Notes that a chaser is out of reach of its target.
#[inline(always)]
fn leave(chaser: &mut ChaserView) {
    if chaser.cursor.is_beside() {
        chaser.cursor.keep_beside(false);
    }
}

/// Notes that a chaser which took no step is no longer within reach of its target, if that went on.
#[inline(always)]
pub(super) fn leave_if_out_of_reach(view: &TargetView, chaser: &mut ChaserView) {
    if chaser.cursor.is_beside() && !view.is_reached(chaser, chaser.cell()) {
        chaser.cursor.keep_beside(false);
    }
}

/// Notes that a chaser is within reach of its target. It rests from then on beside one that stands,
/// and keeps to the field around one that moves about.
#[inline(always)]
pub(super) fn arrive(view: &TargetView, chaser: &mut ChaserView, events: &mut StepEvents) {
    let keeps_field = chaser.cursor.shares_near() && !view.is_standing;
    if keeps_field && chaser.cursor.is_beside() && chaser.body.is_none() {
        return;
    }
    let place = view.target.seen.position;
    let is_news = if keeps_field {
        if chaser.body.is_some() {
            chaser.cursor.note_place(place);
        }
        chaser.cursor.keep_beside(true)
    } else {
        chaser.cursor.set_reached(true)
    };
    if is_news {
        // Nobody is in its way any longer.
        if chaser.body.is_some() {
            chaser.search_timer.set_waits(0);
        }
        let (id, entity, target) = (*chaser.id, *chaser.entity, chaser.chasing.0);
        events.arrivals.push((id, entity, target));
    }
}
