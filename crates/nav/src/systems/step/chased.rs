//! Steps of chasers that are targets themselves.

use super::{
    apply_step::{apply_step, arrive_if_reached},
    detours::Detour,
    finish::lose_detour,
    next_step::StepParams,
    outcomes::Outcomes,
    plans::Unshared,
    strip_ground::{Reservation, Standing},
};
use crate::{
    AgentId, BodyKind, ChasedBy, OnMap,
    occupancy::Occupancy,
    systems::{
        storage::{
            chaser::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
        },
        target_view::TargetView,
    },
};
use bevy_ecs::{
    entity::Entities,
    prelude::*,
    system::{SystemChangeTick, SystemParam},
};
use nav_grid::Cell;

/// What a chaser goes round others by.
#[derive(SystemParam)]
pub(super) struct RoundParams<'w, 's> {
    entities: &'w Entities,
    solids: Standing<'w, 's>,
    outcomes: Res<'w, Outcomes>,
    detour: Local<'s, Detour>,
}

/// Moves chasers that are targets themselves, in the order of their numbers, so that those behind
/// them see where they went: nobody steps onto the cell of its own target. Who finds no cell several times
/// goes round those in its way by a [detour](super::detours); nobody makes room for it.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn step_chased(
    params: StepParams,
    mut targets: ResMut<Targets>,
    mut occupancy: ResMut<Occupancy>,
    mut chased: Query<ChaserData, (With<OnMap>, With<ChasedBy>)>,
    mut events: ResMut<TickEvents>,
    mut order: Local<Vec<(AgentId, Entity)>>,
    mut scratch: Local<StepEvents>,
    mut around: RoundParams,
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
            let mut is_blocked = false;
            let may_step = |chaser: &ChaserView, to| {
                let entry = enter(&mut occupancy, chaser, to);
                is_blocked = entry == Admission::Taken;
                entry == Admission::Free
            };
            let on_detour = chaser.cursor.is_on_detour()
                && views.of(&chaser).is_some_and(|view| !view.is_over(&chaser));
            if !on_detour {
                params.step::<true>(
                    &mut views,
                    &mut Unshared,
                    &mut chaser,
                    &mut scratch,
                    may_step,
                );
            }
            if is_blocked {
                chaser.note_wait();
                // It may have slept when it became a target; who is chased looks at each move tick of its own.
                occupancy.wake(entity);
            }
            if (is_blocked || on_detour)
                && let Some(view) = views.of(&chaser)
            {
                params.go_round(
                    view,
                    &targets,
                    &mut occupancy,
                    &mut around,
                    &mut chaser,
                    &mut scratch,
                );
            }
        });
        if chaser.position.is_changed() {
            targets.set_position(entity, *chaser.position);
        }
    }
    scratch.drain_to(&mut events);
}

impl StepParams<'_, '_> {
    /// Has a chaser that found no cell, or is on its way around others, take the next step of that way.
    #[cold]
    fn go_round(
        &self,
        view: &TargetView,
        targets: &Targets,
        occupancy: &mut Occupancy,
        around: &mut RoundParams,
        chaser: &mut ChaserView,
        events: &mut StepEvents,
    ) {
        let on_detour = chaser.cursor.is_on_detour();
        let detours = chaser.body.is_some_and(|body| body.kind == BodyKind::Solid)
            && chaser.search_timer.has_waited()
            && view.allows_detour(view.away(chaser.cell()));
        if !on_detour && !detours {
            return;
        }
        let reservation = Reservation {
            params: self,
            targets,
            entities: around.entities,
            solids: &around.solids,
            outcomes: &around.outcomes,
            proposals: &[],
        };
        let bodies = occupancy.of(view.target.seen.map);
        let next = bodies.and_then(|bodies| {
            around
                .detour
                .next_of_one(&reservation, bodies, view, chaser)
        });
        let (now, previous) = (self.now(), self.previous());
        let Some(to) = next else {
            if on_detour {
                chaser.move_timer.tick(now, previous, false);
                lose_detour(chaser.reborrow(), now);
            }
            return;
        };
        let entry = enter(occupancy, chaser, to);
        chaser.move_timer.tick(now, previous, true);
        match entry {
            Admission::Free => {
                apply_step::<true>(Some(view.map), chaser, to, events);
                chaser.cursor.detour(view.target.seen.position);
                arrive_if_reached(view, chaser, events);
            }
            Admission::Taken if on_detour => chaser.note_wait(),
            Admission::Taken | Admission::Closed => {}
        }
    }
}

/// Whether a body may step onto a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Admission {
    /// It is there now.
    Free,
    /// Somebody is in its way.
    Taken,
    /// The cell would have to be lent.
    Closed,
}

/// Moves the body of a chaser, if it has one and the cell is free for it.
fn enter(occupancy: &mut Occupancy, chaser: &ChaserView, to: Cell) -> Admission {
    let (Some(body), Some(map)) = (chaser.body.copied(), chaser.on_map.map(|of| of.0)) else {
        return Admission::Free;
    };
    let agent = *chaser.entity;
    let floor = occupancy.floor(map, to.floor);
    let entrant = body.into();
    let (is_free, is_closed) = floor.map_or((true, false), |floor| {
        let is_free = floor.is_free(agent, to, entrant);
        (is_free, floor.is_free_if_lent(agent, to, entrant))
    });
    if body.kind != BodyKind::Solid || is_free {
        occupancy.step(agent, map, to);
        Admission::Free
    } else if is_closed {
        occupancy.kept_from.push((agent, chaser.cell(), to));
        Admission::Closed
    } else {
        Admission::Taken
    }
}
