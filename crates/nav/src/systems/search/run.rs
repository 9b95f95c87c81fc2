//! Answering the requests of a tick, in parallel and within the budget.

use super::{
    answering::{Answering, Planners},
    long_search::LongSearch,
    params::{Asking, SearchParams},
    path_requests::{Askers, PathRequests},
    queue::SearchQueue,
    results::CROWDED_SEARCHES,
};
use crate::{NavClock, budget::TickWork, systems::fields::Fields};
use bevy_ecs::prelude::*;

/// The part of a tick's budget that searches past bodies get before other chasers have all that
/// they ask for: a sixteenth, so that they are never left out. After that they get what is left.
///
/// Measured on the scenario `crowd-100k`, whose chasers ask for more than the budget: with a
/// quarter at once, 27 % fewer of the other searches are answered, and twice as many chasers wait
/// for their turn.
const PAST_PART: u32 = 16;

/// Answers the searches of the tick, as far as the budget goes.
///
/// Path requests have half of the budget and chasers the other, and each side has what the other
/// leaves: so neither waits for the other, whatever it asks.
pub(super) fn run_searches(
    (params, chasers, mut askers): (SearchParams, Query<Asking>, Askers),
    (work, fields, clock): (Res<TickWork>, Res<Fields>, Res<NavClock>),
    mut queue: ResMut<SearchQueue>,
    mut planners: ResMut<Planners>,
    (mut long, mut asked): (ResMut<LongSearch>, ResMut<PathRequests>),
) {
    let queue = &mut *queue;
    queue.put_in_order();
    queue.is_crowded = queue.requests.len() >= CROWDED_SEARCHES;
    for request in &mut queue.requests {
        if queue.is_crowded {
            request.set_off_at_once();
        }
        request.path = queue.spare.pop().unwrap_or_default();
        // What is in it would count in the digest of a search in slices.
        request.path.clear();
    }
    long.drop_unless(|request, _| {
        let chaser = chasers.get(request.asker);
        chaser.is_ok_and(|chaser| chaser.asks_for(request))
    });
    let asked = &mut *asked;
    asked.collect(&mut askers, clock.now());
    let spent = work.spent + fields.expanded;
    let left = work
        .all
        .saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
    queue.expanded = spent;
    let (is_idle, planners) = (asked.is_idle(), &mut *planners);
    let mut answer_asked = |work: u32, queue: &mut SearchQueue, planners: &mut Planners| {
        let (long, mut desk) = asked.split(&mut askers, queue);
        let mut answering = Answering::new(work, long, None, (&params, planners));
        answering.answer_requests(&mut desk);
        let left = answering.end();
        queue.expanded += left.taken;
        left.work
    };
    let share = if is_idle { 0 } else { left.div_ceil(2) };
    let unused = answer_asked(share, queue, planners);
    let own = left - share + unused;
    let mut answering = Answering::new(own, &mut long, Some(&chasers), (&params, planners));
    answering.answer(&mut queue.requests, work.all / PAST_PART);
    let left = answering.end();
    queue.expanded += left.taken;
    if !is_idle {
        answer_asked(left.work, queue, planners);
    }
}
