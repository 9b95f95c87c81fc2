//! Steps of chasers that are targets themselves.

use super::{
    apply::{apply_step, arrive_if_reached},
    crowd::{Crowd, Standing},
    detours::Detour,
    ghosts::SharedSteps,
    intent::StepParams,
    outcomes::{Outcomes, lose_detour},
    proposals::Proposal,
    reserve::Choice,
};
use crate::{
    AgentId, ChasedBy, OnMap,
    occupancy::{GateAsk, Occupancy},
    systems::{
        guidance::{Ranked, TargetViews},
        storage::{
            columns::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::{StepEvents, TickEvents},
        },
    },
};
use bevy_ecs::{
    entity::Entities,
    prelude::*,
    system::{SystemChangeTick, SystemParam},
};
use nav_grid::Cell;

/// What a chased chaser looks around with.
#[derive(SystemParam)]
pub(super) struct Around<'w, 's> {
    entities: &'w Entities,
    solids: Standing<'w, 's>,
    outcomes: Res<'w, Outcomes>,
    detour: Local<'s, Detour>,
}

/// Moves chasers that are targets themselves, in the order of their numbers and before all others:
/// no body steps onto the cell of its own target, so chasers must see where that went. A body that
/// found no cell several times takes a [detour](super::detours); no other body makes room for it.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn step_chased(
    params: StepParams,
    mut targets: ResMut<Targets>,
    mut occupancy: ResMut<Occupancy>,
    mut chased: Query<ChaserData, (With<OnMap>, With<ChasedBy>)>,
    mut events: ResMut<TickEvents>,
    mut order: Local<Vec<(AgentId, Entity)>>,
    mut scratch: Local<StepEvents>,
    mut around: Around,
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
                params.step_ghost(&mut views, shared, &mut chaser, &mut scratch);
                return;
            }
            // It may have slept when it became a target. A chased body looks at each move tick.
            occupancy.wake(entity);
            let proposal = params.propose(&mut views, &mut chaser, &occupancy, &mut scratch);
            if let Some(proposal) = proposal {
                let crowd = Crowd {
                    params: &params,
                    targets: &targets,
                    entities: around.entities,
                    solids: &around.solids,
                    outcomes: &around.outcomes,
                };
                let detour = &mut around.detour;
                let step = crowd.choose_alone(&mut occupancy, &proposal, &chaser, detour);
                params.finish_alone(&proposal, step, &mut views, &mut chaser, &mut scratch);
            }
        });
        if chaser.position.is_changed() {
            targets.set_position(entity, *chaser.position);
        }
    }
    scratch.drain_to(&mut events);
}

/// What became of a body that steps alone.
enum Alone {
    Step {
        to: Cell,
        by_detour: bool,
    },
    Ask,
    Blocked,
    /// Its detour no longer leads anywhere.
    Lost,
}

impl Crowd<'_> {
    /// Puts a body onto the cell that it gets, if any, before all other bodies.
    fn choose_alone(
        &self,
        occupancy: &mut Occupancy,
        proposal: &Proposal,
        chaser: &ChaserView,
        detour: &mut Detour,
    ) -> Alone {
        let Proposal {
            agent, map, from, ..
        } = *proposal;
        let mut choice = self.choose_on(occupancy, proposal, &proposal.ranked);
        let mut by_detour = false;
        if choice == Choice::Blocked && proposal.detours {
            let bodies = occupancy.of(map);
            let next = bodies.and_then(|bodies| detour.next_of_one(self, bodies, chaser));
            match next {
                Some(ranked) => {
                    choice = self.choose_on(occupancy, proposal, &ranked);
                    by_detour = true;
                }
                None if proposal.on_detour => return Alone::Lost,
                None => {}
            }
        }
        match choice {
            Choice::Step(to) => {
                occupancy.step(agent, map, to);
                Alone::Step { to, by_detour }
            }
            Choice::Ask(to) => {
                occupancy.asks.push(GateAsk { agent, from, to });
                Alone::Ask
            }
            Choice::Blocked => Alone::Blocked,
        }
    }

    /// The cell that a body gets, by a step or a link.
    fn choose_on(&self, occupancy: &mut Occupancy, proposal: &Proposal, ranked: &Ranked) -> Choice {
        let Proposal {
            agent,
            map,
            from,
            body,
            ..
        } = *proposal;
        if let Some(to) = ranked.link {
            return Choice::by_link(occupancy.entry(map, agent, body, to), body, to);
        }
        let rows = occupancy.floor(map, from.floor);
        rows.map_or(Choice::Blocked, |rows| self.choose(&rows, proposal, ranked))
    }
}

impl StepParams<'_, '_> {
    /// Records what became of a body that steps alone.
    fn finish_alone(
        &self,
        proposal: &Proposal,
        step: Alone,
        views: &mut TargetViews,
        chaser: &mut ChaserView,
        events: &mut StepEvents,
    ) {
        let (now, previous) = (self.now(), self.previous());
        let is_lost = matches!(step, Alone::Lost);
        chaser.move_timer.tick(now, previous, !is_lost);
        match step {
            Alone::Step { to, by_detour } => {
                let Some(view) = views.get(proposal.key()) else {
                    return;
                };
                apply_step(Some(view.map), chaser, to, events);
                if by_detour {
                    chaser.cursor.detour(view.target.seen.position);
                }
                arrive_if_reached(view, chaser, events);
            }
            Alone::Ask => chaser.set_stands(),
            Alone::Blocked => chaser.note_wait(),
            Alone::Lost => lose_detour(chaser.reborrow(), now),
        }
    }
}
