//! Asking every body whose move tick it is what it wants.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    apply_step::{allows_step, arrive, leave_if_out_of_reach, view_to_follow},
    next_step::{FieldRef, NextStep, StepParams},
    proposal::{
        FRONT, Proposal, Proposals, ProposeScratch, ProposedStep, WAITS_LONG, periods_until_push,
        pushes, rank,
    },
};
use crate::{
    Body, BodyKind, ChasedBy, NavTimer, OnMap,
    occupancy::{MapOccupancy, Occupancy},
    systems::{
        fields::NextCells,
        reach::DETOUR_RADIUS,
        storage::{
            chaser::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
            visit::{Due, never, visit_due},
        },
        target_view::TargetViews,
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Directions, Footprint};

/// Chasers with a body that nobody chases.
pub(super) type Solids<'w, 's> =
    Query<'w, 's, ChaserData, (With<OnMap>, With<Body>, Without<ChasedBy>)>;

/// Finds what each chaser with a body wants.
pub(super) fn propose_steps(
    params: StepParams,
    targets: Res<Targets>,
    occupancy: Res<Occupancy>,
    solids: Solids,
    mut proposals: ResMut<Proposals>,
    mut events: ResMut<TickEvents>,
) {
    let now = params.now();
    let Proposals { list, pool } = &mut *proposals;
    visit_due(
        solids,
        &Due::new(|_, timer| timer.is_due(now)).reading_waypoints(),
        pool,
        || params.views(&targets),
        never,
        |mut body, views, scratch| {
            let ProposeScratch { proposals, events } = scratch;
            proposals.extend(params.propose(views, &mut body, &occupancy, events));
        },
    );
    list.clear();
    for ProposeScratch {
        proposals,
        events: of_task,
    } in pool.iter_mut()
    {
        // Those of a large crowd are megabytes: half of them need not be copied.
        if list.is_empty() {
            std::mem::swap(list, proposals);
        } else {
            list.append(proposals);
        }
        of_task.drain_to(&mut events);
    }
}

impl StepParams<'_, '_> {
    /// What a body wants at its move tick. Sets the next move tick of those who want nothing; that
    /// of the others is set when it is known whether they step.
    #[inline(always)]
    fn propose(
        &self,
        views: &mut TargetViews,
        chaser: &mut ChaserView,
        occupancy: &Occupancy,
        events: &mut StepEvents,
    ) -> Option<Proposal> {
        let Some(view) = view_to_follow(views, chaser) else {
            self.stand(chaser, false);
            return None;
        };
        let from = chaser.cell();
        let away = view.away(from);
        let mut step = match self.next_step(view, chaser, away) {
            NextStep::Wait => return None,
            NextStep::Rest => {
                self.stand(chaser, false);
                return None;
            }
            NextStep::Hold => {
                self.stand(chaser, true);
                return None;
            }
            NextStep::Arrive => {
                arrive(view, chaser, events);
                chaser.come_to_rest();
                self.stand(chaser, !view.is_standing);
                return None;
            }
            NextStep::Detour if view.is_over(chaser) => {
                let (ways, wished) = view.aside(from, view.approach(chaser).rules);
                ProposedStep::Aside { ways, wished }
            }
            NextStep::Detour => ProposedStep::Detour,
            NextStep::Along(to) => ProposedStep::Along(to),
            NextStep::To(to)
            | NextStep::Ranked {
                next: NextCells { link: Some(to), .. },
                ..
            } => ProposedStep::To(to),
            NextStep::Ranked { next, wished } => {
                let field = FieldRef::of(view, &chaser.cursor)?;
                let off_target =
                    |ways| view.off_target(ways, (from, away), view.approach(chaser).rules);
                ProposedStep::Ranked {
                    field,
                    best: off_target(next.best),
                    sides: off_target(next.sides),
                    wished,
                }
            }
        };
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let allows_detour = view.allows_detour(away);
        if let ProposedStep::To(to) = step
            && !allows_step(view, chaser, to, true)
        {
            // Who still shares is led onto the target by a link: another way leads beside it, if any does.
            if !(chaser.cursor.is_sharing() && allows_detour) {
                chaser.move_timer.tick(now, previous, true);
                leave_if_out_of_reach(view, chaser);
                return None;
            }
            step = ProposedStep::Detour;
        }
        let (id, waits) = (*chaser.id, chaser.search_timer.waits());
        // Around a target that goes on, so do those in the way.
        let is_inside = matches!(step, ProposedStep::Aside { .. });
        let detours = matches!(step, ProposedStep::Detour)
            || !is_inside && chaser.search_timer.has_waited() && allows_detour;
        let is_in_front = !view.is_standing && away <= FRONT;
        let pushes = is_inside || pushes(id, &chaser.search_timer, &chaser.move_timer, now);
        if !pushes && !detours && sleeps_on(chaser, step, || occupancy.of(view.target.seen.map)) {
            let timer = &mut chaser.move_timer;
            timer.tick(now, previous, false);
            let has_waited_long = waits == NavTimer::WAITS_MAX;
            if !is_in_front && has_waited_long && periods_until_push(id, timer, now) > 1 {
                timer.skip_idle_period();
            }
            chaser.note_wait();
            return None;
        }
        // Only those who stood before, so at one look in eight: who is in the way is looked up for each.
        let looks_who_stays = pushes
            && chaser.search_timer.stands()
            && !is_inside
            && waits >= WAITS_LONG
            && away <= DETOUR_RADIUS;
        Some(Proposal {
            rank: rank((view.cell(), away), from, step, waits, id),
            waits,
            pushes,
            detours,
            looks_who_stays,
            is_in_front,
            presses: is_inside || view.is_pressed,
            near: view.tuning.near().min(255) as u8,
            agent: *chaser.entity,
            target: chaser.chasing.0,
            map: view.target.seen.map,
            from,
            body: chaser.body.copied().unwrap_or_default(),
            step,
        })
    }

    /// Has a body stand for its idle period, or its chasing one.
    #[inline(always)]
    fn stand(&self, chaser: &mut ChaserView, is_chasing: bool) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        chaser.move_timer.tick(now, previous, is_chasing);
        if !chaser.search_timer.stands() {
            chaser.search_timer.set_stands(true);
        }
    }
}

/// Whether a body that slept would find nothing new: all cells that it would step to are those of others who
/// sleep, and the first of them that leaves wakes it.
#[inline(always)]
fn sleeps_on<'a>(
    chaser: &ChaserView,
    step: ProposedStep,
    bodies: impl FnOnce() -> Option<&'a MapOccupancy>,
) -> bool {
    let ProposedStep::Ranked { best, sides, .. } = step else {
        return false;
    };
    let body = chaser.body.copied().unwrap_or_default();
    let is_asked = [
        chaser.search_timer.stands(),
        !chaser.cursor.is_beside(),
        body.kind == BodyKind::Solid,
        body.footprint == Footprint::ONE,
    ];
    // All at once: one branch.
    is_asked == [true; 4]
        && bodies().is_some_and(|bodies| {
            let ways = Directions(best.0 | sides.0);
            bodies.sleeps_behind_sleepers(chaser.cell(), ways)
        })
}
