//! Deciding between move ticks: for chasers whose map had to be prepared, whose path broke, or who
//! wait for the budget.

use super::{
    params::DecideParams,
    pending::{Collected, PendingDecisions},
    scratch::DecideScratch,
};
use crate::{
    Chaser, NavMap, OnMap,
    systems::{
        search::SearchQueue,
        storage::chaser::{ChaserData, ChaserDataItem},
    },
};
use bevy_ecs::prelude::*;

pub(crate) fn some_are_pending(pending: Res<PendingDecisions>, queue: Res<SearchQueue>) -> bool {
    let PendingDecisions {
        unprepared,
        path_broken,
        ..
    } = &*pending;
    !(unprepared.is_empty() && path_broken.is_empty() && queue.unanswered.is_empty())
}

/// Prepares maps for chasers of a size that they are not prepared for.
pub(crate) fn prepare_maps(
    pending: Res<PendingDecisions>,
    chasers: Query<(&Chaser, &OnMap)>,
    mut maps: Query<&mut NavMap>,
) {
    for (chaser, on_map) in chasers.iter_many(&pending.unprepared).flatten() {
        let footprint = chaser.rules.footprint;
        if let Ok(mut map) = maps.get_mut(on_map.0)
            && !map.grid().is_prepared(footprint)
        {
            // What agents can do on the map stays the same.
            map.bypass_change_detection().prepare_footprint(footprint);
        }
    }
}

/// Decides for chasers whose map was prepared, and between two move ticks for those that lost their
/// path and for those whose search the budget had no room for.
pub(crate) fn decide_for_pending(
    params: DecideParams,
    mut chasers: Query<ChaserData>,
    mut collected: Collected,
    mut scratch: Local<DecideScratch>,
) {
    let now = params.now();
    let PendingDecisions {
        unprepared,
        path_broken,
        ..
    } = &mut *collected.pending;
    params.decide_again(&mut chasers, unprepared, &mut scratch, |_| true);
    let between = |chaser: &ChaserDataItem| !chaser.move_timer.is_due(now);
    params.decide_again(&mut chasers, path_broken, &mut scratch, between);
    let unanswered = &mut collected.queue.unanswered;
    params.decide_again(&mut chasers, unanswered, &mut scratch, between);
    // Those whose map could not be prepared ask again at their next move tick.
    scratch.unprepared.clear();
    collected.take(&mut scratch);
}

impl DecideParams<'_, '_> {
    /// Decides for those of some chasers for which a condition holds.
    pub(super) fn decide_again(
        &self,
        query: &mut Query<ChaserData>,
        chasers: &mut Vec<Entity>,
        scratch: &mut DecideScratch,
        holds: impl Fn(&ChaserDataItem) -> bool,
    ) {
        let mut views = self.views();
        for chaser in chasers.drain(..) {
            if let Ok(mut chaser) = query.get_mut(chaser)
                && holds(&chaser)
            {
                chaser.visit(|mut chaser| {
                    self.decide_for(&mut chaser, false, &mut views, scratch);
                });
            }
        }
    }
}
