//! Steps of chasers that are targets themselves.

use super::{
    crowd::{Crowd, Standing},
    detours::Detour,
    ghosts::SharedSteps,
    intent::StepParams,
    outcomes::{Outcome, Outcomes},
    proposals::{DetourWish, Proposal},
    reserve::Choice,
};
use crate::{
    AgentId, ChasedBy, OnMap,
    occupancy::{BodyPlaces, Footing, GateAsk},
    systems::{
        guidance::Ranked,
        storage::{
            columns::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::TickEvents,
        },
    },
};
use bevy_ecs::{entity::Entities, prelude::*, system::SystemChangeTick};

/// Moves chasers that are targets themselves, in the order of their numbers and before all others:
/// no body steps onto the cell of its own target, so chasers must see where that went. A body that
/// found no cell several times takes a [detour](super::detours); no other body makes room for it.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn step_chased(
    params: StepParams,
    mut targets: ResMut<Targets>,
    mut occupancy: ResMut<BodyPlaces>,
    mut chased: Query<ChaserData, (With<OnMap>, With<ChasedBy>)>,
    mut events: ResMut<TickEvents>,
    mut order: Local<Vec<(AgentId, Entity)>>,
    (entities, solids, outcomes): (&Entities, Standing, Res<Outcomes>),
    mut detour: Local<Detour>,
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
                let crowd = Crowd {
                    params: &params,
                    targets: &targets,
                    entities,
                    solids: &solids,
                    outcomes: &outcomes,
                };
                let outcome = crowd.step_alone(&mut occupancy, &proposal, &chaser, &mut detour);
                params.finish(outcome, &mut chaser, &mut views, &mut events);
            }
        });
        if chaser.position.is_changed() {
            targets.set_position(entity, *chaser.position);
        }
    }
}

impl Crowd<'_> {
    /// Puts a body onto the cell that it gets, if any, before all other bodies.
    fn step_alone(
        &self,
        occupancy: &mut BodyPlaces,
        proposal: &Proposal,
        chaser: &ChaserView,
        detour: &mut Detour,
    ) -> Outcome {
        let (agent, map, from, body) = (proposal.agent, proposal.map, proposal.from, proposal.body);
        let mut choice = self.choose_on(occupancy, proposal, &proposal.ranked);
        let (mut by_detour, mut has_no_place) = (false, false);
        if choice == Choice::Blocked && proposal.detours >= DetourWish::IfBlocked {
            let bodies = occupancy.of(map);
            let next = bodies.and_then(|bodies| detour.next_of_one(self, bodies, chaser));
            match next {
                Some(ranked) => {
                    choice = self.choose_on(occupancy, proposal, &ranked);
                    by_detour = true;
                }
                None if proposal.detours == DetourWish::Follows => return Outcome::Lost,
                None => has_no_place = true,
            }
        }
        match choice {
            Choice::Step(to) => {
                occupancy.step(agent, map, to);
                let to = Footing::new(to, body.footprint);
                Outcome::Step { to, by_detour }
            }
            Choice::Ask(to) => {
                occupancy.asks.push(GateAsk { agent, from, to });
                Outcome::Ask
            }
            // It looks again after its chasing period: no body makes room for it, and none wakes it.
            Choice::Blocked => Outcome::Rest {
                is_in_front: true,
                has_no_place,
                is_woken: false,
            },
        }
    }

    /// The cell that a body gets, by a step or a link.
    fn choose_on(
        &self,
        occupancy: &mut BodyPlaces,
        proposal: &Proposal,
        ranked: &Ranked,
    ) -> Choice {
        let (agent, map, from, body) = (proposal.agent, proposal.map, proposal.from, proposal.body);
        if let Some(to) = ranked.link {
            return Choice::by_link(occupancy.entry(map, agent, body, to), body, to);
        }
        let rows = occupancy.floor(map, from.floor);
        rows.map_or(Choice::Blocked, |rows| self.choose(&rows, proposal, ranked))
    }
}
