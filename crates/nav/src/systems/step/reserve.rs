//! Giving out cells: no two solid bodies come to share one, and none go through each other.

use super::{
    around::{Around, BodiesOfMap, best_steps},
    choose::{Choice, choose, is_held},
    ground::StripGround,
    intent::StepParams,
    links::link_alone,
    outcomes::{Outcome, Outcomes},
    proposals::{Proposal, Proposals},
    push::{Push, PushMemory},
    strips::{StripList, Strips},
};
use crate::{
    links::Traffic,
    occupancy::{BodyPlaces, GateAsk, OccupancyRows},
    systems::{
        crowd::Crowd,
        storage::{targets::Targets, threads::Threads},
    },
};
use bevy_ecs::prelude::*;

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// [Strip](super::strips) by strip, and in a strip in the order of
/// [ranks](super::proposals::Proposal::rank): a cell is free for the next body as soon as it is
/// left. A body that finds none nearer goes round if that leads to a free one at once, or waits.
/// When all others are done, bodies that waited several times [push](Push). A waiting body sleeps
/// until a cell beside it becomes free, or its idle period is over.
pub(super) fn reserve_cells(
    params: StepParams,
    targets: Res<Targets>,
    crowd: Crowd,
    proposals: Res<Proposals>,
    (mut occupancy, mut traffic): (ResMut<BodyPlaces>, ResMut<Traffic>),
    mut outcomes: ResMut<Outcomes>,
    (mut strips, mut scratch): (Local<Strips>, Local<(Vec<StripScratch>, PushMemory)>),
) {
    outcomes.begin_tick(occupancy.agents());
    if proposals.list.is_empty() {
        return;
    }
    strips.sort(&mut occupancy, &proposals.list);
    let (scratch, memory) = &mut *scratch;
    let around = Around {
        params: &params,
        targets: &targets,
        crowd: &crowd,
        outcomes: &outcomes,
        proposals: &proposals.list,
    };
    let threads = Threads::for_work(proposals.list.len(), PROPOSALS_PER_TASK);
    for odd in [false, true] {
        let strips = strips.strips(occupancy.maps(), odd);
        threads.hand_out(strips, scratch, |(rows, list), scratch| {
            around.give_out(rows, list, scratch);
        });
    }
    around.take_links(&mut occupancy, &mut traffic, &mut strips.links);
    if strips.have_pushers() {
        for odd in [false, true] {
            let strips = strips.strips(occupancy.maps(), odd);
            threads.hand_out(strips, scratch, |(rows, list), scratch| {
                around.make_room(rows, list, &mut scratch.push);
            });
        }
    }
    let bodies = (&mut *occupancy, &mut *traffic);
    around.clear_links(bodies, &mut strips.links, memory);
    for scratch in scratch {
        occupancy.asks.append(&mut scratch.asks);
    }
}

/// Proposals that are worth a thread: each takes about a fifth of a microsecond, handing a task to
/// another thread some ten, which is no more than half of that.
const PROPOSALS_PER_TASK: usize = 128;

/// Scratch memory of a task that gives out cells.
#[derive(Default)]
pub(super) struct StripScratch {
    /// The proposals of a strip, in their order.
    proposals: Vec<Proposal>,
    asks: Vec<GateAsk>,
    push: PushMemory,
}

impl Around<'_> {
    /// Gives out the cells of a strip.
    fn give_out(&self, rows: OccupancyRows, list: &mut StripList, scratch: &mut StripScratch) {
        let StripList { ranked, pushers } = list;
        ranked.sort_unstable();
        let sorted = ranked.iter().map(|&(_, place)| *self.proposal(place));
        scratch.proposals.clear();
        scratch.proposals.extend(sorted);
        let outcomes = self.outcomes;
        let mut ground = StripGround { rows, outcomes };
        let mut views = self.views();
        pushers.clear();
        for (&(_, place), proposal) in ranked.iter().zip(&scratch.proposals) {
            let Proposal { agent, from, .. } = *proposal;
            match choose(&ground.rows, proposal, |at| {
                best_steps(&mut views, proposal, at)
            }) {
                Choice::Step(to) => ground.step(agent, proposal.body.footprint, from, to),
                Choice::Ask(to) => {
                    outcomes.ask(agent);
                    scratch.asks.push(GateAsk { agent, from, to });
                }
                Choice::Blocked => pushers.push(place),
            }
        }
        // When all others are done, so that a body in front wakes none of them.
        pushers.retain(|&place| {
            let proposal = self.proposal(place);
            let is_held = is_held(&ground.rows, proposal, |holder| {
                self.rests(holder, proposal)
            });
            outcomes.rest(proposal.agent, proposal.is_in_front, is_held);
            ground.rows.sleep(proposal.from);
            proposal.pushes
        });
    }

    /// Moves bodies that take a link, in their order. Leaves bodies that push.
    fn take_links(&self, occupancy: &mut BodyPlaces, traffic: &mut Traffic, links: &mut Vec<u32>) {
        links.sort_unstable_by_key(|&place| self.proposal(place).order());
        links.retain(|&place| {
            let proposal = self.proposal(place);
            if self.take_link(occupancy, traffic, proposal) {
                return false;
            }
            let (agent, from) = (proposal.agent, proposal.from);
            self.outcomes.rest(agent, proposal.is_in_front, false);
            if let Some(mut here) = occupancy.floor(proposal.map, from.floor) {
                here.sleep(from);
            }
            proposal.pushes
        });
    }

    /// Moves a body to the end of its link if that is free. Returns whether it waits for no body.
    fn take_link(
        &self,
        occupancy: &mut BodyPlaces,
        traffic: &mut Traffic,
        proposal: &Proposal,
    ) -> bool {
        let map = self.params.map(Some(proposal.map));
        match link_alone(occupancy, traffic, map, proposal) {
            Outcome::Step(to) => self.outcomes.step(proposal.agent, to),
            Outcome::Ask => self.outcomes.ask(proposal.agent),
            _ => return false,
        }
        true
    }

    /// Lets the bodies of a strip that waited long push, the longest wait first.
    fn make_room(&self, rows: OccupancyRows, list: &mut StripList, memory: &mut PushMemory) {
        list.pushers.sort_unstable_by_key(|&place| {
            let proposal = self.proposal(place);
            (u8::MAX - proposal.waits, proposal.id(), proposal.agent)
        });
        memory.begin(list.ranked.len());
        let outcomes = self.outcomes;
        let mut ground = StripGround { rows, outcomes };
        for &place in &list.pushers {
            let proposal = self.proposal(place);
            // It may have made room.
            if !outcomes.has_stepped(proposal.agent)
                && let Some(mut push) = self.push(&mut ground, proposal, memory)
                && push.make_room()
            {
                outcomes.fail(proposal.agent);
            }
        }
    }

    /// Clears the ends of links for bodies that waited long, and moves those.
    fn clear_links(
        &self,
        (bodies, traffic): (&mut BodyPlaces, &mut Traffic),
        links: &mut Vec<u32>,
        memory: &mut PushMemory,
    ) {
        for place in links.drain(..) {
            let proposal = self.proposal(place);
            // It may have made room.
            if self.outcomes.has_stepped(proposal.agent) {
                continue;
            }
            let mut is_stuck = false;
            if let Some(to) = proposal.ranked.link
                && let Some(rows) = bodies.floor(proposal.map, to.floor)
            {
                memory.begin(0);
                let outcomes = self.outcomes;
                let mut ground = StripGround { rows, outcomes };
                if let Some(mut push) = self.push(&mut ground, proposal, memory) {
                    is_stuck = push.clear_place(to);
                }
            }
            if !self.take_link(bodies, traffic, proposal) && is_stuck {
                self.outcomes.fail(proposal.agent);
            }
        }
    }

    /// Begins the push of a body; `None` if others make no room for it.
    fn push<'a, 'g>(
        &'a self,
        ground: &'a mut StripGround<'g>,
        proposal: &'a Proposal,
        memory: &'a mut PushMemory,
    ) -> Option<Push<'a, 'g, BodiesOfMap<'a>>> {
        if !memory.begin_attempt(proposal) {
            return None;
        }
        let (asker, path) = self.asker(proposal)?;
        let bystanders = BodiesOfMap {
            around: self,
            map: proposal.map,
            views: self.views(),
        };
        Some(Push {
            ground,
            bystanders,
            proposal,
            asker,
            path,
            memory,
        })
    }
}
