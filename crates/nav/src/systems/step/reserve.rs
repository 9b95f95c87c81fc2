//! Giving out cells: no two solid bodies come to share one, and none go through each other.

use super::{
    detours::{Detour, Detours},
    next_step::StepParams,
    outcomes::Outcomes,
    proposal::{Proposal, Proposals, ProposedStep},
    push::Push,
    push_memory::PushMemory,
    strip_ground::{Reservation, Standing, StripGround},
    strips::{Strip, Strips},
};
use crate::{
    AgentId, BodyKind,
    occupancy::{Footing, Occupancy},
    systems::storage::{targets::Targets, threads::Threads},
};
use bevy_ecs::{entity::Entities, prelude::*};
use nav_grid::Cell;

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// [Strip](super::strips) by strip, and in a strip one by one, in the order of
/// [ranks](Proposal::rank): a cell is free for the next as soon as it is left. Who finds none nearer
/// goes round if that leads to a free one at once, or else waits. When all others are done, those who
/// waited several times take a [detour](super::detours) to a free place beside their target, and may
/// [push](Push) on the way. Who waits sleeps until a cell beside it becomes free, or its idle period
/// is over.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn reserve_cells(
    params: StepParams,
    targets: Res<Targets>,
    entities: &Entities,
    solids: Standing,
    proposals: Res<Proposals>,
    mut occupancy: ResMut<Occupancy>,
    mut outcomes: ResMut<Outcomes>,
    (mut strips, mut scratch, mut detours): (
        Local<Strips>,
        Local<Vec<StripScratch>>,
        Local<Detours>,
    ),
) {
    outcomes.begin_tick(occupancy.agents());
    strips.sort(&mut occupancy, &proposals.list);
    if strips.is_empty() {
        return;
    }
    let reservation = Reservation {
        params: &params,
        targets: &targets,
        entities,
        solids: &solids,
        outcomes: &outcomes,
        proposals: &proposals.list,
    };
    let threads = Threads::for_work(strips.len(), PROPOSALS_PER_TASK);
    for odd in [false, true] {
        let strips = strips.strips(occupancy.maps(), odd);
        threads.hand_out(strips, &mut scratch, |strip, scratch| {
            reservation.give_out(strip, scratch);
        });
    }
    reservation.follow_links(&mut occupancy, &mut scratch, None);
    let askers = scratch
        .iter_mut()
        .flat_map(|scratch| scratch.askers.drain(..));
    detours.make(&reservation, &occupancy, askers);
    let pushers = scratch
        .iter_mut()
        .map(|scratch| std::mem::take(&mut scratch.may_push))
        .sum();
    if pushers > 0 {
        let threads = Threads::for_work(pushers, PUSHERS_PER_TASK);
        for odd in [false, true] {
            let strips = strips.strips(occupancy.maps(), odd);
            threads.hand_out(strips, &mut scratch, |strip, scratch| {
                reservation.make_room(strip, scratch, &detours);
            });
        }
    }
    reservation.follow_links(&mut occupancy, &mut scratch, Some(&detours));
    for scratch in &mut scratch[..] {
        occupancy.kept_from.append(&mut scratch.kept_from);
    }
}

/// Proposals that are worth a thread: each takes a fifth of a microsecond or so.
const PROPOSALS_PER_TASK: usize = 128;

/// Bodies without a cell that are worth a thread: each may ask many others to make room.
const PUSHERS_PER_TASK: usize = 16;

/// Scratch memory of a task that gives out cells.
#[derive(Default)]
pub(super) struct StripScratch {
    /// The proposals of a strip, in their order.
    proposals: Vec<Proposal>,
    /// Those who found no cell, and whether they are in front of a pack.
    blocked: Vec<(Entity, Cell, bool)>,
    /// Those who go elsewhere by a link: places in the list of proposals.
    links: Vec<u32>,
    /// Those who look for a detour: places in the list of proposals.
    askers: Vec<u32>,
    /// How many found no cell and may push, or look for a detour.
    may_push: usize,
    /// Who may push, those first who waited longest, and places in the list of proposals.
    pushers: Vec<(u8, AgentId, Entity, u32)>,
    /// Those whom closed cells keep from a step: from where to where.
    kept_from: Vec<(Entity, Cell, Cell)>,
    push: PushMemory,
}

impl Reservation<'_> {
    /// Gives out the cells of a strip.
    fn give_out(&self, strip: Strip, scratch: &mut StripScratch) {
        self.sort(strip.ranked, &mut scratch.proposals);
        let mut ground = StripGround {
            map: strip.map,
            rows: strip.rows,
            outcomes: self.outcomes,
        };
        for (ranked, proposal) in strip.ranked.iter_mut().zip(&scratch.proposals) {
            let Proposal { agent, from, .. } = *proposal;
            let place = ranked.place();
            let mut note_pusher = || {
                if proposal.pushes || proposal.detours {
                    ranked.push();
                    scratch.may_push += 1;
                }
            };
            if let ProposedStep::To(to) = proposal.step
                && from.direction_to(to).is_none()
            {
                note_pusher();
                scratch.links.push(place);
            } else if let Some(to) = self.choose(&ground.rows, proposal) {
                ground.step(agent, proposal.body.footprint, from, to);
            } else if let Some(to) = self.choose_if_lent(&ground.rows, proposal) {
                self.outcomes.wish(agent);
                scratch.kept_from.push((agent, from, to));
            } else {
                note_pusher();
                let blocked = (agent, from, proposal.is_in_front);
                scratch.blocked.push(blocked);
                if proposal.detours
                    || proposal.looks_who_stays && self.is_held_up(&ground.rows, proposal)
                {
                    scratch.askers.push(place);
                }
            }
        }
        // All of them when the others are done, so that none is woken by who stood in front.
        for (agent, from, is_in_front) in scratch.blocked.drain(..) {
            self.outcomes.rest(agent, is_in_front);
            ground.rows.sleep(from);
        }
    }

    /// Moves those who go elsewhere by a link: as they want to, or when that is over by their
    /// detours, for which others make room.
    fn follow_links(
        &self,
        occupancy: &mut Occupancy,
        scratch: &mut [StripScratch],
        detours: Option<&Detours>,
    ) {
        let [first, others @ ..] = scratch else {
            return;
        };
        let links = &mut first.links;
        for scratch in others {
            links.append(&mut scratch.links);
        }
        links.sort_unstable_by_key(|&place| self.proposals[place as usize].order());
        for place in links.drain(..) {
            let proposal = &self.proposals[place as usize];
            let Proposal {
                agent,
                map,
                from,
                body,
                ..
            } = *proposal;
            if self.outcomes.has_stepped(agent) {
                // It made room.
                continue;
            }
            let detour = detours.and_then(|detours| detours.of(place));
            let Some(to) = self.link_of(proposal, detour) else {
                continue;
            };
            let is_free = |occupancy: &mut Occupancy| {
                let there = occupancy.floor(map, to.floor);
                there.is_some_and(|floor| floor.is_free(agent, to, body.into()))
            };
            if detour.is_some()
                && !is_free(occupancy)
                && let Some(rows) = occupancy.floor(map, to.floor)
            {
                first.push.begin(0);
                let mut ground = StripGround {
                    map,
                    rows,
                    outcomes: self.outcomes,
                };
                Push::new(self, proposal, detour, &mut first.push).clear_place(&mut ground, to);
            }
            if is_free(occupancy) || body.kind == BodyKind::Soft {
                occupancy.step(agent, map, to);
                self.outcomes.step(agent, Footing::new(to, body.footprint));
                if detour.is_some() {
                    self.outcomes.by_detour(agent);
                }
            } else if occupancy
                .floor(map, to.floor)
                .is_some_and(|there| there.is_free_if_lent(agent, to, body.into()))
            {
                self.outcomes.wish(agent);
                first.kept_from.push((agent, from, to));
            } else if detours.is_none()
                && let Some(mut here) = occupancy.floor(map, from.floor)
            {
                self.outcomes.rest(agent, proposal.is_in_front);
                here.sleep(from);
                if proposal.detours {
                    first.askers.push(place);
                }
            }
        }
    }

    /// The end of the link that a body takes.
    fn link_of(&self, proposal: &Proposal, detour: Option<&Detour>) -> Option<Cell> {
        let Some(detour) = detour else {
            return match proposal.step {
                ProposedStep::To(to) => Some(to),
                _ => None,
            };
        };
        let map = self.params.map(Some(proposal.map))?;
        let ground = (map.grid(), detour.approach.rules);
        detour.field(proposal)?.best_link(ground, proposal.from)
    }

    /// Has those of a strip who waited long take detours, and push.
    fn make_room(&self, strip: Strip, scratch: &mut StripScratch, detours: &Detours) {
        scratch.pushers.clear();
        for &ranked in strip.ranked.iter().filter(|ranked| ranked.pushes()) {
            let proposal = self.proposal(ranked);
            let Proposal { waits, agent, .. } = *proposal;
            if !self.outcomes.has_stepped(agent) {
                let pusher = (u8::MAX - waits, proposal.id(), agent, ranked.place());
                scratch.pushers.push(pusher);
            }
        }
        scratch.pushers.sort_unstable();
        scratch.push.begin(strip.ranked.len());
        let mut ground = StripGround {
            map: strip.map,
            rows: strip.rows,
            outcomes: self.outcomes,
        };
        for &(_, _, agent, place) in &scratch.pushers {
            let proposal = &self.proposals[place as usize];
            if self.outcomes.has_stepped(agent) {
                continue;
            }
            let leads_on = |detour: &&Detour| detour.field(proposal).is_some();
            let detour = detours.of(place).filter(leads_on);
            if detour.is_none() && proposal.detours {
                // Nobody can come nearer: it lies still.
                if matches!(proposal.step, ProposedStep::Detour) {
                    self.outcomes.lose_detour(agent);
                } else {
                    self.outcomes.find_no_place(agent);
                }
                continue;
            }
            if let Some(detour) = detour {
                if let Some(to) = self.choose_detour(&ground.rows, proposal, detour) {
                    ground.step(agent, proposal.body.footprint, proposal.from, to);
                    self.outcomes.by_detour(agent);
                    continue;
                }
                if let Some(to) = self.choose_detour_if_lent(&ground.rows, proposal, detour) {
                    self.outcomes.wish(agent);
                    ground.rows.wake(proposal.from);
                    scratch.kept_from.push((agent, proposal.from, to));
                    continue;
                }
                if self.link_of(proposal, Some(detour)).is_some() {
                    scratch.links.push(place);
                    continue;
                }
            }
            let may_push = proposal.presses && (detour.is_some() || proposal.pushes);
            if may_push && scratch.push.visits() > 0 {
                Push::new(self, proposal, detour, &mut scratch.push).make_room(&mut ground);
            }
        }
    }
}
