//! Steps of chasers that are targets themselves.

use super::{
    around::best_steps, choose::step_alone, ghosts::SharedSteps, intent::StepParams,
    links::link_alone, outcomes::Outcome, proposals::Proposals,
};
use crate::{
    AgentId, ChasedBy, OnMap,
    links::Traffic,
    occupancy::BodyPlaces,
    systems::storage::{columns::ChaserData, targets::Targets, tick_events::TickEvents},
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};

/// Moves chasers that are targets themselves, in the order of their numbers and before all others:
/// no body steps onto the cell of its own target, so chasers must see where that went. One that
/// found no cell and pushes does so with all others, and its chasers see that in the next tick.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn step_chased(
    params: StepParams,
    mut targets: ResMut<Targets>,
    (mut occupancy, mut traffic): (ResMut<BodyPlaces>, ResMut<Traffic>),
    mut chased: Query<ChaserData, (With<OnMap>, With<ChasedBy>)>,
    mut events: ResMut<TickEvents>,
    mut proposals: ResMut<Proposals>,
    mut order: Local<Vec<(AgentId, Entity)>>,
    ticks: SystemChangeTick,
) {
    occupancy.moved_at = [Some(ticks.this_run()), None];
    order.clear();
    order.extend(chased.iter().map(|chaser| (*chaser.id, chaser.entity)));
    order.sort_unstable();
    for &(_, entity) in &*order {
        let Ok(mut chaser) = chased.get_mut(entity) else {
            continue;
        };
        if !chaser.move_timer.is_due(params.now()) {
            continue;
        }
        chaser.visit(|mut chaser| {
            let mut views = params.views(&targets);
            if chaser.body.is_none() {
                let shared = &mut SharedSteps::default();
                params.step_ghost(&mut views, shared, &mut chaser, &occupancy, &mut events);
                return;
            }
            // It may have slept when it became a target. A chased body looks at each move tick.
            occupancy.wake(entity);
            let proposal = params.propose(&mut views, &mut chaser, &occupancy, &mut events);
            if let Some(proposal) = proposal {
                let outcome = if proposal.ranked.link.is_some() {
                    let map = params.map(Some(proposal.map));
                    link_alone(&mut occupancy, &mut traffic, map, &proposal)
                } else {
                    step_alone(&mut occupancy, &proposal, |at| {
                        best_steps(&mut views, &proposal, at)
                    })
                };
                if proposal.pushes && matches!(outcome, Outcome::Rest(_)) {
                    // With all others, once these have stepped.
                    proposals.of_chased.push(proposal);
                } else {
                    params.finish(outcome, &mut chaser, &mut views, &mut events);
                }
            }
        });
        if chaser.position.is_changed() {
            targets.set_position(entity, *chaser.position);
        }
    }
}
