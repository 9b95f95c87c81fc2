//! Giving out cells: no two solid bodies come to share one, and none go through each other.

use super::{
    crowd::{Crowd, Standing},
    detours::{Detour, Detours},
    intent::StepParams,
    outcomes::Outcomes,
    proposals::{DetourWish, Proposal, Proposals},
    push::{Push, PushMemory},
    strips::{Strip, Strips},
};
use crate::{
    AgentId, Body, BodyKind,
    occupancy::{BodyPlaces, Entries, Entry, Footing, GateAsk, OccupancyRows},
    systems::{
        guidance::{Guide, Ranked, nearest, without},
        storage::{targets::Targets, threads::Threads},
    },
};
use bevy_ecs::{entity::Entities, prelude::*};
use nav_grid::{Cell, Direction, Directions, Footprint};

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// [Strip](super::strips) by strip, and in a strip in the order of
/// [ranks](super::proposals::Proposal::rank): a cell is free for the next body as soon as it is left.
/// A body that finds none nearer goes round if that leads to a free one at once, or waits. When all
/// others are done, bodies that waited several times take a [detour](super::detours) to a free place
/// beside their target, and may [push](Push) on the way. A waiting body sleeps until a cell beside it
/// becomes free, or its idle period is over.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn reserve_cells(
    params: StepParams,
    targets: Res<Targets>,
    entities: &Entities,
    solids: Standing,
    proposals: Res<Proposals>,
    mut occupancy: ResMut<BodyPlaces>,
    mut outcomes: ResMut<Outcomes>,
    (mut strips, mut scratch, mut detours): (
        Local<Strips>,
        Local<Vec<StripScratch>>,
        Local<Detours>,
    ),
) {
    outcomes.begin_tick(occupancy.agents());
    strips.sort(&mut occupancy, &proposals.list);
    if strips.len() == 0 {
        return;
    }
    let reservation = Reservation {
        crowd: Crowd {
            params: &params,
            targets: &targets,
            entities,
            solids: &solids,
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
    reservation.follow_links(&mut occupancy, &mut scratch, None);
    let askers = scratch
        .iter_mut()
        .flat_map(|scratch| scratch.askers.drain(..));
    detours.make(&reservation, &occupancy, askers);
    let pushers = scratch.iter_mut();
    let pushers = pushers.map(|scratch| std::mem::take(&mut scratch.pushers_max));
    let pushers: usize = pushers.sum();
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

/// The crowd, and what its bodies want.
pub(super) struct Reservation<'a> {
    pub(super) crowd: Crowd<'a>,
    pub(super) proposals: &'a [Proposal],
}

/// Scratch memory of a task that gives out cells.
#[derive(Default)]
pub(super) struct StripScratch {
    /// The proposals of a strip, in their order.
    proposals: Vec<Proposal>,
    /// Bodies that found no cell, and whether they are in front of a pack.
    blocked: Vec<(Entity, Cell, bool)>,
    /// Bodies that take a link: places in the list of proposals.
    links: Vec<u32>,
    /// Bodies that look for a detour: places in the list of proposals.
    askers: Vec<u32>,
    /// Bodies that found no cell and may push, or look for a detour.
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

impl Crowd<'_> {
    /// The cell that a body gets of the moves that its guide ranks: the best free one, or one past
    /// bodies on those. A soft body goes through where none is free.
    pub(super) fn choose(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        ranked: &Ranked,
    ) -> Choice {
        let (agent, from, body) = (proposal.agent, proposal.from, proposal.body);
        let [best, sides, others] = ranked.tiers;
        let Entries { free, closed } = rows.entries(agent, body, from, ranked.any());
        let of = |steps: Directions, tier| nearest(steps.intersection(tier), ranked.toward);
        let waits = || !closed.intersection(best).is_empty();
        let round = |steps: Directions| {
            let sides = steps.intersection(sides);
            // In a crowd there is mostly none.
            let any = (!sides.is_empty()).then_some(sides)?;
            self.go_round(rows, proposal, any, ranked.toward)
        };
        let step = of(free, best)
            // Straight on as soon as the gate admits it.
            .or_else(|| (!waits()).then(|| round(free).or_else(|| of(free, others)))?)
            .or_else(|| nearest(best, ranked.toward).filter(|_| body.kind == BodyKind::Soft));
        if let Some(to) = step.and_then(|step| from.step(step)) {
            return Choice::Step(to);
        }
        if closed.is_empty() {
            return Choice::Blocked;
        }
        let ask = of(closed, best).or_else(|| round(closed));
        let ask = ask.or_else(|| of(closed, others));
        ask.and_then(|ask| from.step(ask))
            .map_or(Choice::Blocked, Choice::Ask)
    }

    /// A step to the side, by preference toward the target, that leads nearer, or from which a best step is free or
    /// may be admitted: a body that comes nearer by one step or by two does not go to and fro.
    #[inline(never)]
    fn go_round(
        &self,
        rows: &OccupancyRows,
        proposal: &Proposal,
        mut sides: Directions,
        toward: Direction,
    ) -> Option<Direction> {
        let (agent, from, body) = (proposal.agent, proposal.from, proposal.body);
        let mut views = self.params.views(self.targets);
        let view = views.get(proposal.key())?;
        let guide = match self.solids.get(agent) {
            Ok(body) => Guide::of(body.cursor, None, view)?,
            // A target itself: it is moved before all others.
            Err(_) => Guide::Near(view.field?),
        };
        while let Some(side) = nearest(sides, toward) {
            sides = without(sides, side);
            let to = from.step(side)?;
            let is_nearer = match guide {
                Guide::Near(field) => field.is_nearer(to, from),
                _ => false,
            };
            let leads_on = || {
                let rules = || view.rules().unwrap_or_default();
                let ahead = guide.next(view, to, rules).unwrap_or_default().tiers[0];
                let Entries { free, closed } = rows.entries(agent, body, to, ahead);
                !(free.is_empty() && closed.is_empty())
            };
            if is_nearer || to.chebyshev(view.cell()) > 1 && leads_on() {
                return Some(side);
            }
        }
        None
    }
}

impl Reservation<'_> {
    /// Gives out the cells of a strip.
    fn give_out(&self, strip: Strip, scratch: &mut StripScratch) {
        strip.ranked.sort_unstable();
        let sorted = strip.ranked.iter();
        let sorted = sorted.map(|ranked| self.proposals[ranked.place as usize]);
        scratch.proposals.clear();
        scratch.proposals.extend(sorted);
        let outcomes = self.crowd.outcomes;
        let rows = strip.rows;
        let mut ground = StripGround { rows, outcomes };
        for (ranked, proposal) in strip.ranked.iter_mut().zip(&scratch.proposals) {
            let Proposal { agent, from, .. } = *proposal;
            let place = ranked.place;
            let choice = match proposal.ranked.link {
                Some(_) => Choice::Blocked,
                None => self.crowd.choose(&ground.rows, proposal, &proposal.ranked),
            };
            match choice {
                Choice::Step(to) => {
                    ground.step(agent, proposal.body.footprint, from, to);
                    continue;
                }
                Choice::Ask(to) => {
                    outcomes.ask(agent);
                    scratch.asks.push(GateAsk { agent, from, to });
                    continue;
                }
                Choice::Blocked => {}
            }
            let is_link = proposal.ranked.link.is_some();
            let asks = match proposal.detours {
                DetourWish::Never => false,
                DetourWish::PastStayers => {
                    !is_link && self.crowd.is_held_up(&ground.rows, proposal)
                }
                DetourWish::IfBlocked | DetourWish::Follows => true,
            };
            if proposal.pushes || asks {
                ranked.pushes = true;
                scratch.pushers_max += 1;
            }
            if is_link {
                scratch.links.push(place);
                continue;
            }
            scratch.blocked.push((agent, from, proposal.is_in_front));
            if asks {
                scratch.askers.push(place);
            }
        }
        // When all others are done, so that a body in front wakes none of them.
        for (agent, from, is_in_front) in scratch.blocked.drain(..) {
            outcomes.rest(agent, is_in_front);
            ground.rows.sleep(from);
        }
    }

    /// Moves bodies that take a link: as they want to, or, after that, by their detours, for which
    /// others make room.
    fn follow_links(
        &self,
        occupancy: &mut BodyPlaces,
        scratch: &mut [StripScratch],
        detours: Option<&Detours>,
    ) {
        let outcomes = self.crowd.outcomes;
        let [first, others @ ..] = scratch else {
            return;
        };
        for scratch in others {
            first.links.append(&mut scratch.links);
        }
        let links = &mut first.links;
        links.sort_unstable_by_key(|&place| self.proposals[place as usize].order());
        for place in links.drain(..) {
            let proposal = &self.proposals[place as usize];
            let (agent, map, from, body) =
                (proposal.agent, proposal.map, proposal.from, proposal.body);
            if outcomes.has_stepped(agent) {
                // It made room.
                continue;
            }
            let detour = detours.and_then(|detours| detours.of(place));
            let link = match detour {
                Some(detour) => detour.ranked(&self.crowd, proposal).and_then(|to| to.link),
                None => proposal.ranked.link,
            };
            let Some(to) = link else {
                continue;
            };
            if detour.is_some()
                && occupancy.entry(map, agent, body, to) != Entry::Free
                && let Some(rows) = occupancy.floor(map, to.floor)
            {
                first.push.begin(0);
                let mut ground = StripGround { rows, outcomes };
                Push::new(&mut ground, &self.crowd, proposal, detour, &mut first.push)
                    .clear_place(to);
            }
            match Choice::by_link(occupancy.entry(map, agent, body, to), body, to) {
                Choice::Step(to) => {
                    occupancy.step(agent, map, to);
                    outcomes.step(agent, Footing::new(to, body.footprint));
                    if detour.is_some() {
                        outcomes.by_detour(agent);
                    }
                }
                Choice::Ask(to) => {
                    outcomes.ask(agent);
                    first.asks.push(GateAsk { agent, from, to });
                }
                Choice::Blocked if detours.is_none() => {
                    outcomes.rest(agent, proposal.is_in_front);
                    if let Some(mut here) = occupancy.floor(map, from.floor) {
                        here.sleep(from);
                    }
                    if proposal.detours >= DetourWish::IfBlocked {
                        first.askers.push(place);
                    }
                }
                Choice::Blocked => {}
            }
        }
    }

    /// Lets the bodies of a strip that waited long take detours, and push.
    fn make_room(&self, strip: Strip, scratch: &mut StripScratch, detours: &Detours) {
        let (crowd, outcomes) = (&self.crowd, self.crowd.outcomes);
        scratch.pushers.clear();
        for &ranked in strip.ranked.iter().filter(|ranked| ranked.pushes) {
            let proposal = &self.proposals[ranked.place as usize];
            let Proposal { waits, agent, .. } = *proposal;
            if !outcomes.has_stepped(agent) {
                let pusher = (u8::MAX - waits, proposal.id(), agent, ranked.place);
                scratch.pushers.push(pusher);
            }
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
            let detour: Option<(&Detour, Ranked)> = detours
                .of(place)
                .and_then(|detour| Some((detour, detour.ranked(crowd, proposal)?)));
            let Some((detour, ranked)) = detour else {
                if proposal.detours == DetourWish::Follows {
                    outcomes.lose_detour(agent);
                } else if proposal.detours == DetourWish::IfBlocked {
                    outcomes.find_no_place(agent);
                } else if proposal.pushes {
                    Push::new(&mut ground, crowd, proposal, None, &mut scratch.push)
                        .make_room(proposal.ranked);
                }
                continue;
            };
            if ranked.link.is_some() {
                scratch.links.push(place);
                continue;
            }
            if !detour.waits_for(crowd, &ground.rows, proposal, &ranked) {
                match crowd.choose(&ground.rows, proposal, &ranked) {
                    Choice::Step(to) => {
                        ground.step(agent, proposal.body.footprint, proposal.from, to);
                        outcomes.by_detour(agent);
                        continue;
                    }
                    Choice::Ask(to) => {
                        let from = proposal.from;
                        outcomes.ask(agent);
                        ground.rows.wake(from);
                        scratch.asks.push(GateAsk { agent, from, to });
                        continue;
                    }
                    Choice::Blocked => {}
                }
            }
            Push::new(
                &mut ground,
                crowd,
                proposal,
                Some(detour),
                &mut scratch.push,
            )
            .make_room(ranked);
        }
    }
}
