//! Deciding for all chasers that are due.

use super::{facts::keeps_field, params::DecideParams, pending::Collected, scratch::DecideScratch};
use crate::systems::{
    last_look::DecidedAt,
    storage::{
        chaser::ChaserData,
        visit::{Due, VisitPool, visit_due},
    },
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};

/// Decides for every chaser whose move tick it is: before, it could not step by what it found. One
/// that got another target in between is decided for at once.
pub(super) fn decide_for_due(
    params: DecideParams,
    chasers: Query<ChaserData>,
    mut pool: Local<VisitPool<DecideScratch>>,
    mut collected: Collected,
    (ticks, mut decided_at): (SystemChangeTick, ResMut<DecidedAt>),
) {
    decided_at.0.note(ticks.this_run());
    let now = params.now();
    visit_due(
        chasers,
        &Due::new(|_, timer| timer.is_due(now))
            .or_retargeted()
            .but_skipped_on_field()
            .reading_waypoints_to_search(now),
        &pool,
        || params.views(),
        |key, views| views.get(key).is_some_and(keeps_field),
        |mut chaser, views, scratch| {
            let has_new_target = chaser.is_retargeted;
            params.decide_for(&mut chaser, has_new_target, views, scratch);
        },
    );
    for scratch in pool.iter_mut() {
        collected.take(scratch);
    }
}
