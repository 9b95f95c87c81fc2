//! Deciding for all chasers that are due.

use super::{
    facts::keeps_field,
    params::DecideParams,
    scratch::{Collected, DecideScratch},
};
use crate::{
    MoveTimer,
    systems::{
        storage::{
            chaser::{ChaseKey, ChaserView},
            data::ChaserData,
            scratch::{Scratch, ScratchPool},
            visit::{Visit, visit_due},
        },
        target_view::TargetViews,
    },
};
use bevy_ecs::prelude::*;

/// Decides for every chaser whose move tick it is: before, it could not step by what it found. One
/// that got another target in between is decided for at once.
pub(crate) fn decide_for_due(
    params: DecideParams,
    chasers: Query<ChaserData>,
    mut pool: Local<ScratchPool<DecideScratch>>,
    mut collected: Collected,
) {
    visit_due(
        chasers,
        &DecideForDue {
            params: &params,
            pool: &pool,
        },
    );
    for scratch in pool.iter_mut() {
        collected.take(scratch);
    }
}

struct DecideForDue<'a, 'w, 's> {
    params: &'a DecideParams<'w, 's>,
    pool: &'a ScratchPool<DecideScratch>,
}

impl Visit for DecideForDue<'_, '_, '_> {
    type Task<'a>
        = (TargetViews<'a>, Scratch<'a, DecideScratch>)
    where
        Self: 'a;

    const INCLUDES_RETARGETED: bool = true;

    #[inline]
    fn is_due(&self, _: Entity, timer: &MoveTimer) -> bool {
        timer.is_due(self.params.now())
    }

    #[inline]
    fn skips_on_field<'a>(&'a self, key: ChaseKey, (views, _): &mut Self::Task<'a>) -> bool {
        views.get(key).is_some_and(keeps_field)
    }

    fn task(&self) -> Self::Task<'_> {
        (self.params.views(), self.pool.take())
    }

    #[inline(always)]
    fn visit<'a>(&'a self, mut chaser: ChaserView, (views, scratch): &mut Self::Task<'a>) {
        let has_new_target = chaser.is_retargeted();
        let scratch = scratch.get();
        self.params
            .decide_for(&mut chaser, has_new_target, views, scratch);
    }
}
