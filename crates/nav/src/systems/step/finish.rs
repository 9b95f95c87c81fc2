//! Bodies take the steps that they got, or wait.

use super::{
    apply_step::{apply_step, arrive_if_reached},
    outcomes::{Outcomes, StepOutcome},
    params::StepParams,
    propose::Solids,
};
use crate::{
    MoveTimer,
    occupancy::Occupancy,
    systems::{
        storage::{
            chaser::ChaserView,
            scratch::{Scratch, ScratchPool},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
            visit::{Visit, visit_due},
        },
        target_view::TargetViews,
    },
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};

/// Has every body take the step that it got, or wait.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn finish_steps(
    params: StepParams,
    targets: Res<Targets>,
    outcomes: Res<Outcomes>,
    solids: Solids,
    mut occupancy: ResMut<Occupancy>,
    mut events: ResMut<TickEvents>,
    mut pool: Local<ScratchPool<StepEvents>>,
    ticks: SystemChangeTick,
) {
    occupancy.moved_at[1] = Some(ticks.this_run());
    visit_due(
        solids,
        &FinishSteps {
            params: &params,
            targets: &targets,
            outcomes: &outcomes,
            pool: &pool,
        },
    );
    for scratch in pool.iter_mut() {
        scratch.drain_to(&mut events);
    }
}

struct FinishSteps<'a, 'w, 's> {
    params: &'a StepParams<'w, 's>,
    targets: &'a Targets,
    outcomes: &'a Outcomes,
    pool: &'a ScratchPool<StepEvents>,
}

impl Visit for FinishSteps<'_, '_, '_> {
    type Task<'a>
        = (TargetViews<'a>, Scratch<'a, StepEvents>)
    where
        Self: 'a;

    #[inline]
    fn is_due(&self, body: Entity, _: &MoveTimer) -> bool {
        self.outcomes.is_something(body)
    }

    fn task(&self) -> Self::Task<'_> {
        (self.params.views(self.targets), self.pool.take())
    }

    #[inline]
    fn visit<'a>(&'a self, mut body: ChaserView, (views, events): &mut Self::Task<'a>) {
        let Self {
            params, outcomes, ..
        } = *self;
        let (now, previous) = (params.clock.now(), params.clock.previous());
        match outcomes.take(body.entity()) {
            StepOutcome::Nothing => {}
            StepOutcome::Step(to) => {
                if !body.move_timer_mut().tick(now, previous, true) {
                    // It stood, and was asked to make room between its move ticks.
                    let period = body.move_timer().chasing;
                    body.move_timer_mut().keep_phase(now, period);
                }
                if body.cursor().is_reached() {
                    body.cursor_mut().set_reached(false);
                }
                let (view, events) = (views.of(&body), events.get());
                let map = match view {
                    Some(view) => Some(view.map),
                    None => params.map(body.map()),
                };
                apply_step(map, &mut body, to, events);
                if let Some(view) = view {
                    arrive_if_reached(view, &mut body, events);
                }
            }
            StepOutcome::Rest { woken } => {
                let timer = body.move_timer_mut();
                timer.tick(now, previous, false);
                if woken {
                    timer.wake(now);
                }
                let timer = body.search_timer_mut();
                timer.set_waits(timer.waits().saturating_add(1));
                timer.set_stands(true);
            }
            StepOutcome::Wake => {
                if !body.move_timer().is_due(now) {
                    body.move_timer_mut().wake(now);
                }
            }
        }
    }
}
