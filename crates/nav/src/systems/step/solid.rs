//! Steps of bodies that are in each other's way.

use super::{
    Course,
    outcomes::Outcomes,
    propose::{Aim, Proposal, Solids, Wants},
    push::{self, Push},
    strips::{PUSHES, Strip, Turn},
};
use crate::{
    AgentId, Body, BodyKind,
    systems::{
        compass::{nearest, without},
        standing::{Band, Moved, Standing},
        targets::Targets,
        threads::Threads,
    },
};
use bevy_ecs::{entity::Entities, prelude::*};
use bevy_platform::collections::HashSet;
use nav_grid::{Cell, Direction, Directions, Footprint};

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// [Strip](super::strips) by strip, and in a strip one by one, in the order of
/// [turns](Proposal::turn): a cell is free for the next as soon as it is left. Who finds none nearer
/// goes round if that leads to a free one at once, or else waits. Those who waited several times may
/// [push](Push) when all others have had their turn. Who waits sleeps until a cell beside it becomes
/// free, or its idle period is over.
pub(crate) fn give_out_cells(
    course: Course,
    targets: Res<Targets>,
    entities: &Entities,
    solids: Solids,
    mut standing: ResMut<Standing>,
    mut outcomes: ResMut<Outcomes>,
    mut wants: ResMut<Wants>,
) {
    let Wants {
        proposals,
        strips,
        hands,
        ..
    } = &mut *wants;
    outcomes.make_room(standing.agents());
    strips.sort(standing.stages(), proposals);
    if strips.is_empty() {
        return;
    }
    let order = Order {
        course: &course,
        targets: &targets,
        entities,
        solids: &solids,
        outcomes: &outcomes,
        proposals,
    };
    let threads = Threads::for_work(strips.len(), TURNS_PER_TASK);
    for odd in [false, true] {
        let strips = strips.strips(standing.stages(), odd);
        threads.hand_out(strips, hands, |strip, hand| order.give_out(strip, hand));
    }
    order.follow_links(&mut standing, hands);
    for odd in [false, true] {
        let strips = strips.strips(standing.stages(), odd);
        threads.hand_out(strips, hands, |strip, hand| order.make_room(strip, hand));
    }
    for hand in hands {
        for moved in hand.moved.drain(..) {
            standing.has_stepped(moved);
        }
    }
}

/// Turns that are worth a thread: each takes a fifth of a microsecond or so.
const TURNS_PER_TASK: usize = 128;

/// What cells are given out by.
pub(super) struct Order<'a> {
    pub(super) course: &'a Course<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    /// As they were before anybody stepped.
    pub(super) solids: &'a Solids<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
    proposals: &'a [Proposal],
}

/// What a task has in hand.
#[derive(Default)]
pub(super) struct Hand {
    /// What those of a strip want, in their order.
    proposals: Vec<Proposal>,
    moved: Vec<Moved>,
    /// Those who found no cell.
    blocked: Vec<(Entity, Cell)>,
    /// Turns of those who go elsewhere by a link.
    links: Vec<Turn>,
    /// Who may push, those first who waited longest, and places in the list of proposals.
    pushers: Vec<(u8, AgentId, Entity, u32)>,
    /// Bodies that were asked to make room, each for those after a target: if they did not, there
    /// is no use in asking again, since those who ask later have waited less. Only looked up.
    pub(super) asked: HashSet<(u32, Entity)>,
}

/// A strip of ground where bodies stand, while its cells are given out.
pub(super) struct Floor<'a, 's> {
    pub(super) map: Entity,
    pub(super) band: Band<'s>,
    outcomes: &'a Outcomes,
    moved: &'a mut Vec<Moved>,
}

impl Order<'_> {
    fn proposal(&self, turn: Turn) -> &Proposal {
        &self.proposals[turn as u32 as usize]
    }

    /// Puts turns in order.
    fn sort(&self, turns: &mut [Turn]) {
        turns.sort_unstable();
        // Numbers are unique unless the game gave one twice.
        for equals in turns.chunk_by_mut(|one, other| one >> 32 == other >> 32) {
            equals.sort_unstable_by_key(|&turn| self.proposal(turn).agent);
        }
    }

    /// Has everybody of a strip take their turn.
    fn give_out(&self, strip: Strip, hand: &mut Hand) {
        self.sort(strip.turns);
        let mut floor = Floor {
            map: strip.map,
            band: strip.band,
            outcomes: self.outcomes,
            moved: &mut hand.moved,
        };
        // Read in one go, and then looked at one by one: they lie anywhere in memory.
        hand.proposals.clear();
        let proposals = strip.turns.iter().map(|&turn| *self.proposal(turn));
        hand.proposals.extend(proposals);
        for (turn, proposal) in strip.turns.iter_mut().zip(&hand.proposals) {
            let Proposal { agent, from, .. } = *proposal;
            if let Aim::At(to) = proposal.aim
                && from.direction_to(to).is_none()
            {
                hand.links.push(*turn);
            } else if let Some(to) = self.choose(&floor.band, proposal) {
                floor.walk(agent, proposal.body.footprint, from, to);
            } else {
                hand.blocked.push((agent, from));
                if proposal.pushes {
                    *turn |= PUSHES;
                }
            }
        }
        // All of them when the others had their turn, so that none is woken by who stood in front.
        for (agent, from) in hand.blocked.drain(..) {
            self.outcomes.rest(agent);
            floor.band.sleep(from);
        }
    }

    /// Has those go who go elsewhere by a link.
    fn follow_links(&self, standing: &mut Standing, hands: &mut [Hand]) {
        let [first, others @ ..] = hands else {
            return;
        };
        let links = &mut first.links;
        for hand in others {
            links.append(&mut hand.links);
        }
        self.sort(links);
        for turn in links.drain(..) {
            let Proposal {
                agent,
                map,
                from,
                body: Body { footprint, kind },
                aim,
                ..
            } = *self.proposal(turn);
            let Aim::At(to) = aim else {
                continue;
            };
            let there = standing.floor(map, to.floor);
            let free = there.is_some_and(|floor| floor.is_free(agent, to, footprint));
            if free || kind == BodyKind::Soft {
                standing.step(agent, map, to);
                self.outcomes.step(agent, to);
            } else if let Some(mut here) = standing.floor(map, from.floor) {
                self.outcomes.rest(agent);
                here.sleep(from);
            }
        }
    }

    /// Has those of a strip push who waited long.
    fn make_room(&self, strip: Strip, hand: &mut Hand) {
        hand.pushers.clear();
        for &turn in strip.turns.iter().filter(|&turn| turn & PUSHES != 0) {
            let Proposal {
                waits, id, agent, ..
            } = *self.proposal(turn);
            hand.pushers.push((u8::MAX - waits, id, agent, turn as u32));
        }
        hand.pushers.sort_unstable();
        hand.asked.clear();
        let mut visits = push::visits(strip.turns.len());
        let mut floor = Floor {
            map: strip.map,
            band: strip.band,
            outcomes: self.outcomes,
            moved: &mut hand.moved,
        };
        for &(_, _, agent, place) in &hand.pushers {
            let proposal = &self.proposals[place as usize];
            if visits > 0 && !self.outcomes.has_stepped(agent) {
                Push::new(self, proposal, &mut hand.asked, &mut visits).make_room(&mut floor);
            }
        }
    }

    /// The cell beside it that a proposal gets, if there is one.
    fn choose(&self, band: &Band, proposal: &Proposal) -> Option<Cell> {
        let Proposal {
            agent,
            from,
            body: Body { footprint, kind },
            aim,
            ..
        } = *proposal;
        let soft = kind == BodyKind::Soft;
        match aim {
            Aim::At(to) => (soft || band.is_free(agent, to, footprint)).then_some(to),
            Aim::Along { nearer, wished, .. } => {
                let free = band.free(agent, footprint, from, nearer);
                let way = nearest(free, wished)
                    .or_else(|| self.round(band, proposal))
                    .or_else(|| nearest(nearer, wished).filter(|_| soft));
                from.step(way?)
            }
        }
    }

    /// A way to the side from which a free cell leads nearer.
    fn round(&self, band: &Band, proposal: &Proposal) -> Option<Direction> {
        let Proposal {
            agent,
            from,
            body: Body { footprint, .. },
            aim,
            ..
        } = *proposal;
        let Aim::Along {
            field,
            level,
            wished,
            ..
        } = aim
        else {
            return None;
        };
        let target = self.targets.at(field.slot());
        let place = target.seen.position.cell;
        let mut sides = band.free(agent, footprint, from, level);
        while let Some(way) = nearest(sides, wished) {
            sides = without(sides, way);
            let to = from.step(way)?;
            let lead = self.course.look(target, field, to);
            let leads_on = lead.is_some_and(|lead| {
                let ahead = band.free(agent, footprint, to, lead.nearer);
                !ahead.is_empty() && to.chebyshev(place) > 1
            });
            if leads_on {
                return Some(way);
            }
        }
        None
    }
}

impl Floor<'_, '_> {
    /// Has a body step to a cell beside it that is free for it.
    pub(super) fn walk(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        self.band.step(agent, footprint, from, to);
        self.outcomes.step(agent, to);
        self.moved.push(Moved {
            agent: agent.index_u32(),
            to,
        });
        // Those behind it, whom it kept from going the same way. Others who would like the cell see
        // it when their idle period is over.
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        let asleep = self.band.sleepers_at(from).intersection(behind);
        for way in asleep {
            if let Some(cell) = from.step(way) {
                if let Some(sleeper) = self.band.holder(cell) {
                    self.outcomes.wake(sleeper);
                }
                // Woken once is enough.
                self.band.rouse(cell);
            }
        }
    }
}
