//! Steps of chasers that are targets themselves.

use super::{next_step::StepParams, plans::Unshared};
use crate::{
    AgentId, BodyKind, ChasedBy, OnMap,
    occupancy::Occupancy,
    systems::storage::{
        chaser::{ChaserData, ChaserView},
        targets::Targets,
        tick_events::{StepEvents, TickEvents},
    },
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};
use nav_grid::Cell;

/// Moves chasers that are targets themselves, in the order of their numbers, so that those behind
/// them see where they went: nobody steps onto the cell of its own target.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn step_chased(
    params: StepParams,
    mut targets: ResMut<Targets>,
    mut occupancy: ResMut<Occupancy>,
    mut chased: Query<ChaserData, (With<OnMap>, With<ChasedBy>)>,
    mut events: ResMut<TickEvents>,
    mut order: Local<Vec<(AgentId, Entity)>>,
    mut scratch: Local<StepEvents>,
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
            let may_step = |chaser: &ChaserView, to| enter(&mut occupancy, chaser, to);
            params.step::<true>(
                &mut views,
                &mut Unshared,
                &mut chaser,
                &mut scratch,
                may_step,
            );
        });
        if chaser.position.is_changed() {
            targets.set_position(entity, *chaser.position);
        }
    }
    scratch.drain_to(&mut events);
}

/// Moves the body of a chaser, if it has one and the cell is free for it. Says whether the chaser
/// may step there.
fn enter(occupancy: &mut Occupancy, chaser: &ChaserView, to: Cell) -> bool {
    let (Some(body), Some(map)) = (chaser.body.copied(), chaser.on_map.map(|of| of.0)) else {
        return true;
    };
    let agent = *chaser.entity;
    let floor = occupancy.floor(map, to.floor);
    let entrant = body.into();
    let (is_free, is_closed) = floor.map_or((true, false), |floor| {
        let is_free = floor.is_free(agent, to, entrant);
        (is_free, floor.is_free_if_lent(agent, to, entrant))
    });
    let may_step = body.kind != BodyKind::Solid || is_free;
    if may_step {
        occupancy.step(agent, map, to);
    } else if is_closed {
        occupancy.kept_from.push((agent, chaser.cell(), to));
    }
    may_step
}
