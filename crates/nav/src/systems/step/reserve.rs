//! Giving out cells: no two solid bodies come to share one, and none go through each other.

use super::{
    around::Around,
    intent::StepParams,
    outcomes::Outcomes,
    proposals::{Proposal, Proposals},
    push::{Push, PushMemory},
    strips::{Strip, Strips},
};
use crate::{
    AgentId, Body, BodyKind,
    occupancy::{BodyPlaces, Entries, Entry, Footing, GateAsk, OccupancyRows},
    systems::{
        crowd::{Crowd, Relation},
        guidance::{TargetViews, nearest, without},
        storage::{targets::Targets, threads::Threads},
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Direction, Directions, Footprint};

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// [Strip](super::strips) by strip, and in a strip in the order of
/// [ranks](super::proposals::Proposal::rank): a cell is free for the next body as soon as it is left.
/// A body that finds none nearer goes round if that leads to a free one at once, or waits. When all
/// others are done, bodies that waited several times [push](Push). A waiting body sleeps until a cell beside it
/// becomes free, or its idle period is over.
pub(super) fn reserve_cells(
    params: StepParams,
    targets: Res<Targets>,
    crowd: Crowd,
    proposals: Res<Proposals>,
    mut occupancy: ResMut<BodyPlaces>,
    mut outcomes: ResMut<Outcomes>,
    (mut strips, mut scratch): (Local<Strips>, Local<Vec<StripScratch>>),
) {
    outcomes.begin_tick(occupancy.agents());
    strips.sort(&mut occupancy, &proposals.list);
    if strips.len() == 0 {
        return;
    }
    let reservation = Reservation {
        around: Around {
            params: &params,
            targets: &targets,
            crowd: &crowd,
            outcomes: &outcomes,
        },
        proposals: &proposals.list,
    };
    let threads = Threads::for_work(strips.len(), PROPOSALS_PER_TASK);
    for odd in [false, true] {
        let strips = strips.strips(occupancy.maps(), odd);
        threads.hand_out(strips, &mut scratch, |strip, scratch| {
            reservation.give_out(strip, scratch);
        });
    }
    reservation.take_links(&mut occupancy, &mut scratch);
    let pushers = scratch.iter_mut();
    let pushers = pushers.map(|scratch| std::mem::take(&mut scratch.pushers_max));
    let pushers: usize = pushers.sum();
    if pushers > 0 {
        let threads = Threads::for_work(pushers, PUSHERS_PER_TASK);
        for odd in [false, true] {
            let strips = strips.strips(occupancy.maps(), odd);
            threads.hand_out(strips, &mut scratch, |strip, scratch| {
                reservation.make_room(strip, scratch);
            });
        }
    }
    reservation.clear_links(&mut occupancy, &mut scratch);
    for scratch in &mut scratch[..] {
        occupancy.asks.append(&mut scratch.asks);
    }
}

/// Proposals that are worth a thread: each takes about a fifth of a microsecond, handing a task to
/// another thread some ten.
const PROPOSALS_PER_TASK: usize = 128;

/// Bodies without a cell that are worth a thread: each may ask many others to make room.
const PUSHERS_PER_TASK: usize = 16;

/// The result for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Step(Cell),
    /// A cell that the gate has to admit first.
    Ask(Cell),
    Blocked,
}

impl Choice {
    /// Returns the result for a body that goes to a cell by a link.
    pub(super) const fn by_link(entry: Entry, body: Body, to: Cell) -> Self {
        match (entry, body.kind) {
            (Entry::Free, _) | (_, BodyKind::Soft) => Self::Step(to),
            (Entry::Closed, _) => Self::Ask(to),
            (Entry::Taken, _) => Self::Blocked,
        }
    }
}

/// The bodies of a tick, and what they want.
struct Reservation<'a> {
    around: Around<'a>,
    proposals: &'a [Proposal],
}

/// Scratch memory of a task that gives out cells.
#[derive(Default)]
pub(super) struct StripScratch {
    /// The proposals of a strip, in their order.
    proposals: Vec<Proposal>,
    /// Bodies that found no cell: places in the list of proposals.
    blocked: Vec<u32>,
    /// Bodies that take a link: places in the list of proposals.
    links: Vec<u32>,
    /// Bodies that take a link on which others stand, and push: places in the list of proposals.
    link_pushers: Vec<u32>,
    /// Bodies that found no cell and may push.
    pushers_max: usize,
    /// Bodies that may push, the longest wait first, and their places in the list of proposals.
    pushers: Vec<(u8, AgentId, Entity, u32)>,
    asks: Vec<GateAsk>,
    push: PushMemory,
}

/// A strip of ground where bodies stand, while its cells are given out.
pub(super) struct StripGround<'a> {
    pub(super) rows: OccupancyRows<'a>,
    pub(super) outcomes: &'a Outcomes,
}

impl StripGround<'_> {
    /// Moves a body to a cell beside it that is free for it.
    fn step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.rows.step(agent, footprint, from, to);
        self.note_step(agent, footprint, from, to);
    }

    /// Records the step of a body that was moved, and wakes the bodies behind it that it kept from
    /// going the same way. Others see the free cell when their idle period is over.
    pub(super) fn note_step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.outcomes.step(agent, Footing::new(to, footprint));
        self.rows.note_move();
        let asleep = self.rows.sleepers_at(from);
        if asleep.is_empty() {
            return;
        }
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        for way in asleep.intersection(behind) {
            if let Some(cell) = from.step(way) {
                if let Some(sleeper) = self.rows.holder(cell) {
                    self.outcomes.wake(sleeper);
                }
                // Woken once is enough.
                self.rows.wake(cell);
            }
        }
    }
}

/// Returns the cell that a body gets by one of its ranked steps: the best that is free, a side by which it goes
/// round the bodies on those, or any other. A soft body goes through where none is free.
pub(super) fn choose(rows: &OccupancyRows, proposal: &Proposal, views: &mut TargetViews) -> Choice {
    let Proposal {
        agent,
        from,
        body,
        ranked,
        ..
    } = *proposal;
    let [best, sides, others] = ranked.tiers;
    let Entries { free, closed } = rows.entries(agent, body, from, ranked.any());
    let of = |steps: Directions, tier| nearest(steps.intersection(tier), ranked.toward);
    // Straight on as soon as the gate admits it.
    let waits = !closed.intersection(best).is_empty();
    let mut step = of(free, best);
    if step.is_none() && !waits {
        step = go_round(rows, proposal, free.intersection(sides), views);
        step = step.or_else(|| of(free, others));
    }
    if step.is_none() && body.kind == BodyKind::Soft {
        step = nearest(best, ranked.toward);
    }
    if let Some(to) = step.and_then(|step| from.step(step)) {
        return Choice::Step(to);
    }
    if closed.is_empty() {
        return Choice::Blocked;
    }
    let mut ask = of(closed, best);
    ask = ask.or_else(|| go_round(rows, proposal, closed.intersection(sides), views));
    ask = ask.or_else(|| of(closed, others));
    match ask.and_then(|ask| from.step(ask)) {
        Some(to) => Choice::Ask(to),
        None => Choice::Blocked,
    }
}

/// A step to the side, by preference toward the target, from which a best step is free or may be admitted: a body
/// that comes nearer by two steps does not go to and fro.
fn go_round(
    rows: &OccupancyRows,
    proposal: &Proposal,
    mut sides: Directions,
    views: &mut TargetViews,
) -> Option<Direction> {
    // In a crowd there is mostly none.
    if sides.is_empty() {
        return None;
    }
    let (agent, from, body) = (proposal.agent, proposal.from, proposal.body);
    let view = views.get(proposal.key())?;
    let guide = proposal.field?.guide(view)?;
    while let Some(side) = nearest(sides, proposal.ranked.toward) {
        sides = without(sides, side);
        let to = from.step(side)?;
        if to.chebyshev(view.cell()) > 1 {
            let rules = || view.rules().unwrap_or_default();
            let ahead = guide.next(view, to, rules).unwrap_or_default().tiers[0];
            let Entries { free, closed } = rows.entries(agent, body, to, ahead);
            if !free.is_empty() || !closed.is_empty() {
                return Some(side);
            }
        }
    }
    None
}

impl Reservation<'_> {
    /// Gives out the cells of a strip.
    fn give_out(&self, strip: Strip, scratch: &mut StripScratch) {
        strip.ranked.sort_unstable();
        let sorted = strip.ranked.iter();
        let sorted = sorted.map(|ranked| self.proposals[ranked.place as usize]);
        scratch.proposals.clear();
        scratch.proposals.extend(sorted);
        let outcomes = self.around.outcomes;
        let rows = strip.rows;
        let mut ground = StripGround { rows, outcomes };
        let mut views = self.around.views();
        for (ranked, proposal) in strip.ranked.iter_mut().zip(&scratch.proposals) {
            let Proposal { agent, from, .. } = *proposal;
            if proposal.ranked.link.is_some() {
                scratch.links.push(ranked.place);
                continue;
            }
            match choose(&ground.rows, proposal, &mut views) {
                Choice::Step(to) => ground.step(agent, proposal.body.footprint, from, to),
                Choice::Ask(to) => {
                    outcomes.ask(agent);
                    scratch.asks.push(GateAsk { agent, from, to });
                }
                Choice::Blocked => {
                    ranked.pushes = proposal.pushes;
                    scratch.pushers_max += usize::from(proposal.pushes);
                    scratch.blocked.push(ranked.place);
                }
            }
        }
        // When all others are done, so that a body in front wakes none of them.
        for place in scratch.blocked.drain(..) {
            let proposal = &self.proposals[place as usize];
            let is_held = self.is_held(&ground.rows, proposal);
            outcomes.rest(proposal.agent, proposal.is_in_front, is_held);
            ground.rows.sleep(proposal.from);
        }
    }

    /// Whether a body stands where a proposal leads first that stays there. Looked up only where it counts: bodies
    /// in the way to a target that stands are passed whatever they are.
    fn is_held(&self, rows: &OccupancyRows, proposal: &Proposal) -> bool {
        if !proposal.minds_stayers {
            return false;
        }
        let Proposal {
            agent,
            from,
            body,
            ranked,
            ..
        } = *proposal;
        let Some(to) = ranked.first(from) else {
            return false;
        };
        // A sleeper waits in a chase of its own. In a crowd most sleep, and need no look-up.
        let holders = body
            .footprint
            .area(to)
            .cells()
            .filter_map(|cell| rows.holder(cell).filter(|_| !rows.is_asleep(cell)));
        for holder in holders {
            let other = self.around.crowd.agent(holder);
            if other == agent {
                continue;
            }
            let other = self.around.crowd.neighbour(other);
            let asker = self.around.crowd.body(agent).map(|body| body.asker(false));
            if asker.is_some_and(|asker| Relation::of(&asker, other.as_ref()).rests()) {
                return true;
            }
        }
        false
    }

    /// Moves bodies that take a link, in their order.
    fn take_links(&self, occupancy: &mut BodyPlaces, scratch: &mut [StripScratch]) {
        let [first, others @ ..] = scratch else {
            return;
        };
        for scratch in others {
            first.links.append(&mut scratch.links);
        }
        let mut links = std::mem::take(&mut first.links);
        links.sort_unstable_by_key(|&place| self.proposals[place as usize].order());
        for place in links.drain(..) {
            let proposal = &self.proposals[place as usize];
            if self.takes_link(occupancy, proposal, first) {
                continue;
            }
            self.around
                .outcomes
                .rest(proposal.agent, proposal.is_in_front, false);
            if let Some(mut here) = occupancy.floor(proposal.map, proposal.from.floor) {
                here.sleep(proposal.from);
            }
            if proposal.pushes {
                first.link_pushers.push(place);
            }
        }
        first.links = links;
    }

    /// Clears the ends of links for bodies that waited long, and moves those.
    fn clear_links(&self, occupancy: &mut BodyPlaces, scratch: &mut [StripScratch]) {
        let [first, ..] = scratch else {
            return;
        };
        let outcomes = self.around.outcomes;
        let mut pushers = std::mem::take(&mut first.link_pushers);
        for place in pushers.drain(..) {
            let proposal = &self.proposals[place as usize];
            // It may have made room.
            if outcomes.has_stepped(proposal.agent) {
                continue;
            }
            if let Some(to) = proposal.ranked.link
                && let Some(rows) = occupancy.floor(proposal.map, to.floor)
            {
                first.push.begin(0);
                let mut ground = StripGround { rows, outcomes };
                if let Some(mut push) =
                    Push::new(&mut ground, &self.around, proposal, &mut first.push)
                {
                    push.clear_place(to);
                }
                self.takes_link(occupancy, proposal, first);
            }
        }
        first.link_pushers = pushers;
    }

    /// Moves a body to the end of its link if that is free. Returns whether it waits for no body.
    fn takes_link(
        &self,
        occupancy: &mut BodyPlaces,
        proposal: &Proposal,
        scratch: &mut StripScratch,
    ) -> bool {
        let Proposal {
            agent,
            map,
            from,
            body,
            ..
        } = *proposal;
        let Some(to) = proposal.ranked.link else {
            return true;
        };
        match Choice::by_link(occupancy.entry(map, agent, body, to), body, to) {
            Choice::Step(to) => {
                occupancy.step(agent, map, to);
                self.around
                    .outcomes
                    .step(agent, Footing::new(to, body.footprint));
                true
            }
            Choice::Ask(to) => {
                self.around.outcomes.ask(agent);
                scratch.asks.push(GateAsk { agent, from, to });
                true
            }
            Choice::Blocked => false,
        }
    }

    /// Lets the bodies of a strip that waited long push.
    fn make_room(&self, strip: Strip, scratch: &mut StripScratch) {
        let outcomes = self.around.outcomes;
        scratch.pushers.clear();
        for &ranked in strip.ranked.iter().filter(|ranked| ranked.pushes) {
            let proposal = &self.proposals[ranked.place as usize];
            let Proposal { waits, agent, .. } = *proposal;
            let pusher = (u8::MAX - waits, proposal.id(), agent, ranked.place);
            scratch.pushers.push(pusher);
        }
        scratch.pushers.sort_unstable();
        scratch.push.begin(strip.ranked.len());
        let rows = strip.rows;
        let mut ground = StripGround { rows, outcomes };
        for &(_, _, agent, place) in &scratch.pushers {
            let proposal = &self.proposals[place as usize];
            if outcomes.has_stepped(agent) {
                continue;
            }
            let push = Push::new(&mut ground, &self.around, proposal, &mut scratch.push);
            if let Some(mut push) = push {
                push.make_room();
            }
        }
    }
}
