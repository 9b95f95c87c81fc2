//! Deciding once more for chasers whose field is made in the tick in which they ask for it.

use super::{
    params::DecideParams,
    pending::PendingDecisions,
    scratch::{Collected, DecideScratch},
};
use crate::{
    MoveTimer,
    systems::{
        storage::{
            chaser::ChaserView,
            data::ChaserData,
            scratch::{Scratch, ScratchPool},
            visit::{Visit, visit_due},
        },
        target_view::TargetViews,
    },
};
use bevy_ecs::prelude::*;
use fixedbitset::FixedBitSet;

pub(crate) fn some_await_fields(pending: Res<PendingDecisions>) -> bool {
    !pending.awaiting_field.is_empty()
}

/// From so many on, looking through all rows for them, in parallel, takes less time than looking
/// each of them up: a row that is skipped takes a sixtieth of that.
const MANY: usize = 16_384;

/// Decides for chasers whose field was not there yet, so that whether it was does not show. Those
/// whose field has to wait for the budget of a later tick wait, too.
pub(crate) fn decide_for_awaiting(
    params: DecideParams,
    mut chasers: Query<ChaserData>,
    mut collected: Collected,
    mut pool: Local<ScratchPool<DecideScratch>>,
    mut marked: Local<FixedBitSet>,
) {
    let awaiting = &mut collected.pending.awaiting_field;
    if awaiting.len() < MANY {
        let mut scratch = pool.take();
        params.decide_again(&mut chasers, awaiting, scratch.get(), |_| true);
    } else {
        for chaser in awaiting.drain(..) {
            marked.grow_and_insert(chaser.index_u32() as usize);
        }
        visit_due(
            chasers.reborrow(),
            &DecideForMarked {
                params: &params,
                pool: &pool,
                marked: &marked,
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
    if !chaser.cursor().is_sharing() {
        chaser.cursor_mut().queue();
    }
}

struct DecideForMarked<'a, 'w, 's> {
    params: &'a DecideParams<'w, 's>,
    pool: &'a ScratchPool<DecideScratch>,
    /// By the index of an entity.
    marked: &'a FixedBitSet,
}

impl Visit for DecideForMarked<'_, '_, '_> {
    type Task<'a>
        = (TargetViews<'a>, Scratch<'a, DecideScratch>)
    where
        Self: 'a;

    #[inline]
    fn is_due(&self, chaser: Entity, _: &MoveTimer) -> bool {
        self.marked.contains(chaser.index_u32() as usize)
    }

    fn task(&self) -> Self::Task<'_> {
        (self.params.views(), self.pool.take())
    }

    #[inline]
    fn visit<'a>(&'a self, mut chaser: ChaserView, (views, scratch): &mut Self::Task<'a>) {
        let scratch = scratch.get();
        self.params.decide_for(&mut chaser, false, views, scratch);
    }
}
