//! Deciding once more for chasers whose field is made in the tick in which they ask for it.

use super::{
    params::DecideParams,
    pending::{Collected, PendingDecisions},
    scratch::DecideScratch,
};
use crate::systems::storage::{
    chaser::{ChaserData, ChaserView},
    visit::{Due, VisitPool, never, visit_due},
};
use bevy_ecs::prelude::*;
use fixedbitset::FixedBitSet;

pub(super) fn some_await_fields(pending: Res<PendingDecisions>) -> bool {
    !pending.awaiting_field.is_empty()
}

/// From so many on, looking through all rows for them, in parallel, takes less time than looking
/// each of them up: a row that is skipped takes a sixtieth of that.
const MANY: usize = 16_384;

/// Decides for chasers whose field was not there yet, so that whether it was does not show. Those
/// whose field has to wait for the budget of a later tick wait, too.
pub(super) fn decide_for_awaiting(
    params: DecideParams,
    mut chasers: Query<ChaserData>,
    mut collected: Collected,
    mut pool: Local<VisitPool<DecideScratch>>,
    mut marked: Local<FixedBitSet>,
) {
    let awaiting = &mut collected.pending.awaiting_field;
    if awaiting.len() < MANY {
        pool.collect(|scratch| {
            params.decide_again(&mut chasers, awaiting, scratch, |_| true);
        });
    } else {
        for chaser in awaiting.drain(..) {
            marked.grow_and_insert(chaser.index_u32() as usize);
        }
        visit_due(
            chasers.reborrow(),
            &Due::new(|chaser, _| marked.contains(chaser.index_u32() as usize)),
            &pool,
            || params.views(),
            never,
            |mut chaser, views, scratch| {
                params.decide_for(&mut chaser, false, views, scratch);
            },
        );
        marked.clear();
    }
    for scratch in pool.iter_mut() {
        for chaser in scratch.awaiting_field.drain(..) {
            if let Ok(mut chaser) = chasers.get_mut(chaser) {
                chaser.visit(queue_for_field);
            }
        }
        collected.take(scratch);
    }
}

/// Has a chaser wait for a field that has to wait for the budget.
fn queue_for_field(mut chaser: ChaserView) {
    if !chaser.cursor.is_sharing() {
        chaser.cursor.queue();
    }
}
