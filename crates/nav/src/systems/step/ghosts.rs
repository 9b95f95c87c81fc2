//! Steps of chasers without a body, which are in nobody's way.

use super::{next_step::StepParams, plans::SharedPlans};
use crate::{
    Body, ChasedBy, OnMap,
    systems::{
        storage::{
            chaser::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
            visit::{Due, OnTheirWay, VisitPool, never, visit_due},
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
    mut pool: Local<VisitPool<StepEvents>>,
) {
    if params.some_step_by_cost() {
        step_all::<true>(&params, &targets, ghosts, &pool);
    } else {
        step_all::<false>(&params, &targets, ghosts, &pool);
    }
    for scratch in pool.iter_mut() {
        scratch.drain_to(&mut events);
    }
}

/// Steps with all of them that are due. For `BY_COST` see [`apply_step`](super::apply_step).
fn step_all<const BY_COST: bool>(
    params: &StepParams,
    targets: &Targets,
    ghosts: Ghosts,
    pool: &VisitPool<StepEvents>,
) {
    let now = params.now();
    let from_afar =
        |mut ghost: ChaserView, (views, _): &mut (TargetViews, _), events: &mut StepEvents| {
            params.step_from_afar::<BY_COST>(views, &mut ghost, events)
        };
    visit_due(
        ghosts,
        &Due::new(|_, timer| timer.is_due(now))
            .grouped(OnTheirWay(from_afar))
            .reading_waypoints(),
        pool,
        || (params.views(targets), SharedPlans::default()),
        never,
        |mut ghost, (views, plans), events| {
            params.step::<BY_COST>(views, plans, &mut ghost, events, |_, _| true);
        },
    );
}
