//! Bodies take the steps that they got, or wait.

use super::{
    apply_step::{apply_step, arrive_if_reached, leave_if_out_of_reach},
    next_step::StepParams,
    outcomes::{OutcomeKind, Outcomes, StepOutcome},
    propose::Solids,
};
use crate::{
    NavTime, NavTimer,
    occupancy::Occupancy,
    systems::{
        storage::{
            chaser::ChaserView,
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
            visit::{Apart, Due, VisitPool, never, visit_due},
        },
        target_view::{TargetView, TargetViews},
    },
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};
use nav_grid::rules::BodyPolicy;

/// Has every body take the step that it got, or wait.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn finish_steps(
    params: StepParams,
    targets: Res<Targets>,
    outcomes: Res<Outcomes>,
    solids: Solids,
    mut occupancy: ResMut<Occupancy>,
    mut events: ResMut<TickEvents>,
    mut pool: Local<VisitPool<StepEvents>>,
    ticks: SystemChangeTick,
) {
    occupancy.moved_at[1] = Some(ticks.this_run());
    let occupancy = &*occupancy;
    visit_due(
        solids,
        &Due::new(|body, _| outcomes.is_something(body))
            .grouped(Apart(
                |body| outcomes.has_stepped(body),
                |mut body: ChaserView, views: &mut _, events: &mut _| {
                    let outcome = outcomes.take(*body.entity);
                    occupancy.has_stepped(*body.entity, outcome.footing());
                    params.finish_step(outcome, &mut body, views, events);
                },
            ))
            // Who steps shortens its path, which lies somewhere else in memory for each.
            .reading_waypoints(),
        &pool,
        || params.views(&targets),
        never,
        |mut body, views, _| {
            let outcome = outcomes.take(*body.entity);
            params.finish_wait(outcome, &mut body, views);
        },
    );
    for scratch in pool.iter_mut() {
        scratch.drain_to(&mut events);
    }
}

impl StepParams<'_, '_> {
    /// Has a body take the step that it got.
    #[inline]
    fn finish_step(
        &self,
        outcome: StepOutcome,
        body: &mut ChaserView,
        views: &mut TargetViews,
        events: &mut StepEvents,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if !body.move_timer.tick(now, previous, true) {
            // It stood, and was asked to make room between its move ticks.
            let period = body.move_timer.chasing;
            body.move_timer.keep_phase(now, period);
        }
        let view = views.of(body);
        let map = match view {
            Some(view) => Some(view.map),
            None => self.map(body.on_map.map(|of| of.0)),
        };
        let was_reached = body.cursor.is_reached();
        apply_step::<true>(map, body, outcome.to(), events);
        if let Some(view) = view {
            if outcome.kind() == OutcomeKind::StepByDetour {
                let place = view.target.seen.position;
                body.cursor.detour(place);
                if !view.is_standing {
                    body.cursor.be_held_up();
                }
            }
            arrive_if_reached(view, body, events);
            note_way_given(view, body, was_reached);
        }
    }

    /// Has a body wait that got no step, or wakes it.
    #[inline]
    fn finish_wait(&self, outcome: StepOutcome, body: &mut ChaserView, views: &mut TargetViews) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let kind = outcome.kind();
        match kind {
            OutcomeKind::Rest | OutcomeKind::RestWoken | OutcomeKind::Wish => {
                // Looked at first: nobody else needs a view of the target.
                if body.cursor.is_beside()
                    && let Some(view) = views.of(body)
                {
                    leave_if_out_of_reach(view, body);
                }
                // Nobody is in the way of one that wishes: it goes on as soon as it may. Of the others those in front
                // go on behind a target that does, and the rest are woken by them.
                let rests = kind != OutcomeKind::Wish;
                let timer = &mut body.move_timer;
                timer.tick(now, previous, !rests || outcome.is_in_front());
                if kind == OutcomeKind::RestWoken {
                    timer.wake(now);
                }
                if rests {
                    body.note_wait();
                }
                if outcome.has_no_place() {
                    wait_for_nothing(body);
                }
            }
            OutcomeKind::Wake => {
                if !body.move_timer.is_due(now) {
                    body.move_timer.wake(now);
                }
            }
            OutcomeKind::Lost => {
                body.move_timer.tick(now, previous, false);
                lose_detour(body.reborrow(), now);
            }
            OutcomeKind::Nothing | OutcomeKind::Step | OutcomeKind::StepByDetour => {}
        }
    }
}

/// Notes that there is no place for a body to wait for: all who have one go first, and may have it make room.
fn wait_for_nothing(body: &mut ChaserView) {
    let waits = body.search_timer.waits();
    body.search_timer.set_waits(waits.min(NavTimer::WAITS_MIN));
}

/// Has a body lie still whose detour no longer leads anywhere.
#[cold]
pub(super) fn lose_detour(mut body: ChaserView, now: NavTime) {
    body.cursor.drop_path();
    wait_for_nothing(&mut body);
    if body.chaser.rules.bodies != BodyPolicy::Ignore {
        // A search around those near it would lead it to and fro.
        let from = body.cell();
        body.search_timer.refused(now, body.chaser.repath_interval);
        body.search_timer.set_awaits_change(Some(from));
    }
    body.search_timer.set_stands(true);
}

/// Notes of a body that took a step whether it left its place within reach of a target that stands: only
/// others have it do so. Around one that went on each body comes anew.
#[inline]
fn note_way_given(view: &TargetView, body: &mut ChaserView, was_reached: bool) {
    let gave_way = body.search_timer.gave_way();
    if !view.is_standing {
        if gave_way {
            body.search_timer.set_gave_way(false);
        }
    } else if was_reached && !gave_way && !view.is_reached(body, body.cell()) {
        body.search_timer.set_gave_way(true);
    }
}
