//! Steps of chasers without a body, which are in nobody's way.

use super::params::StepParams;
use crate::{
    Body, ChasedBy, MoveTimer, OnMap,
    systems::{
        storage::{
            chaser::ChaserView,
            data::ChaserData,
            scratch::{Scratch, ScratchPool},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
            visit::{Visit, visit_due},
        },
        target_view::TargetViews,
    },
};
use bevy_ecs::prelude::*;

/// Chasers without a body that nobody chases.
type Ghosts<'w, 's> = Query<'w, 's, ChaserData, (With<OnMap>, Without<Body>, Without<ChasedBy>)>;

/// Moves chasers without a body. They do not see each other, so their order does not matter.
pub(super) fn step_ghosts(
    params: StepParams,
    targets: Res<Targets>,
    ghosts: Ghosts,
    mut events: ResMut<TickEvents>,
    mut pool: Local<ScratchPool<StepEvents>>,
) {
    visit_due(
        ghosts,
        &StepGhosts {
            params: &params,
            targets: &targets,
            pool: &pool,
        },
    );
    for scratch in pool.iter_mut() {
        scratch.drain_to(&mut events);
    }
}

struct StepGhosts<'a, 'w, 's> {
    params: &'a StepParams<'w, 's>,
    targets: &'a Targets,
    pool: &'a ScratchPool<StepEvents>,
}

impl Visit for StepGhosts<'_, '_, '_> {
    type Task<'a>
        = (TargetViews<'a>, Scratch<'a, StepEvents>)
    where
        Self: 'a;

    const READS_WAYPOINTS: bool = true;

    #[inline]
    fn is_due(&self, _: Entity, timer: &MoveTimer) -> bool {
        timer.is_due(self.params.now())
    }

    fn task(&self) -> Self::Task<'_> {
        (self.params.views(self.targets), self.pool.take())
    }

    #[inline(always)]
    fn visit<'a>(&'a self, mut ghost: ChaserView, (views, events): &mut Self::Task<'a>) {
        self.params
            .step(views, &mut ghost, events.get(), |_, _| true);
    }
}
