//! Steps of bodies that are in each other's way.

use super::{
    Course, Steps, Walker, WalkerItem,
    push::{Push, VISITS_PER_TICK},
    wish::Wish,
};
use crate::{
    AgentId, Body, BodyKind, ChasedBy,
    systems::{
        bags::Bags,
        compass::nearest,
        fields::Lead,
        standing::{Stage, Standing},
        targets::Targets,
        threads::Threads,
    },
};
use bevy_ecs::{batching::BatchingStrategy, entity::Entities, prelude::*};
use nav_grid::{Cell, Direction, Directions, Footprint};

/// Chasers with a body that nobody chases.
pub(super) type Solids<'w, 's> = Query<'w, 's, Walker, (With<Body>, Without<ChasedBy>)>;

/// A step that a body wants to take.
#[derive(Clone, Copy)]
pub(crate) struct Proposal {
    /// How far the target is, in columns or rows.
    distance: u16,
    pub(super) waits: u8,
    pub(super) id: AgentId,
    pub(super) agent: Entity,
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) from: Cell,
    pub(super) body: Body,
    pub(super) aim: Aim,
}

/// Where a proposal leads.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// To one cell.
    At(Cell),
    /// To any that a field leads to, those in a wished direction first.
    Along {
        shape: usize,
        slot: usize,
        nearer: Directions,
        level: Directions,
        wished: Direction,
    },
}

impl Proposal {
    /// Those in front go first, so that those behind them can follow; of equals who waited
    /// longer, then by number.
    fn turn(&self) -> (u16, u8, AgentId, Entity) {
        (self.distance, u8::MAX - self.waits, self.id, self.agent)
    }
}

/// Advances chasers that have a body, and keeps them apart: no two solid ones come to share a
/// cell, and none go through each other.
///
/// What each wants is found in parallel. Cells are then given out one by one, in the order of
/// [`Proposal::turn`]: a cell is free for the next as soon as it is left. Who finds none nearer
/// goes round if that leads to a free one at once, or else waits. Those who waited several times
/// may [push](Push). Who waits sleeps until a cell beside it becomes free, or its idle period is
/// over.
pub(crate) fn step_solids(
    course: Course,
    targets: Res<Targets>,
    entities: &Entities,
    mut standing: ResMut<Standing>,
    mut solids: Solids,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Vec<Proposal>>>,
    mut proposals: Local<Vec<Proposal>>,
    mut blocked: Local<Vec<Proposal>>,
) {
    let propose = |proposals: &mut Vec<Proposal>, mut walker: WalkerItem| {
        proposals.extend(course.propose(&targets, &mut walker));
    };
    if Threads::has_pool() {
        let batches = BatchingStrategy::new().batches_per_thread(16);
        let solids = solids.par_iter_mut().batching_strategy(batches);
        solids.for_each_init(|| bags.take(), |bag, walker| propose(bag, walker));
    } else {
        let mut bag = bags.take();
        solids
            .iter_mut()
            .for_each(|walker| propose(&mut bag, walker));
    }
    proposals.clear();
    for bag in bags.iter_mut() {
        proposals.append(bag);
    }
    proposals.sort_unstable_by_key(Proposal::turn);

    let mut floor = Floor {
        course: &course,
        targets: &targets,
        entities,
        standing: &mut standing,
        solids: solids.reborrow(),
        steps: &mut steps,
    };
    blocked.clear();
    for proposal in &*proposals {
        match floor.choose(proposal) {
            Some(to) => floor.walk(proposal.agent, to),
            None => blocked.push(*proposal),
        }
    }
    let mut visits = VISITS_PER_TICK;
    blocked
        .sort_unstable_by_key(|proposal| (u8::MAX - proposal.waits, proposal.id, proposal.agent));
    for proposal in &*blocked {
        if proposal.waits >= Push::WAITS_MIN && visits > 0 {
            Push::new(proposal, &mut visits).make_room(&mut floor, proposal);
        }
        floor.rest(proposal);
    }
}

impl Course<'_, '_> {
    /// What a body wants at its move tick. Keeps the beat of those who want nothing; that of the
    /// others is kept when it is known whether they step.
    fn propose(&self, targets: &Targets, walker: &mut WalkerItem) -> Option<Proposal> {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if now < walker.beat.next_step {
            return None;
        }
        let from = walker.position.cell;
        let aim = match self.wish(targets, walker) {
            Wish::Wait => return None,
            Wish::Rest => {
                walker.beat.tick(now, previous, false);
                if !walker.timer.stands() {
                    walker.timer.set_stands(true);
                }
                return None;
            }
            Wish::Waypoint(to) => Aim::At(to),
            Wish::Lead {
                lead: Lead { link: Some(to), .. },
                ..
            } => Aim::At(to),
            Wish::Lead {
                shape,
                slot,
                lead,
                wished,
            } => {
                let seen = targets.at(slot).seen;
                let off_target = |ways| Self::off_target(ways, from, &seen, walker.chaser);
                Aim::Along {
                    shape,
                    slot,
                    nearer: off_target(lead.nearer),
                    level: off_target(lead.level),
                    wished,
                }
            }
        };
        if let Aim::At(to) = aim
            && !self.allows(targets, walker, to)
        {
            walker.beat.tick(now, previous, true);
            return None;
        }
        let slot = self.slot(targets, walker)?;
        Some(Proposal {
            distance: targets.at(slot).seen.position.cell.chebyshev(from),
            waits: walker.timer.waits(),
            id: *walker.id,
            agent: walker.entity,
            target: walker.chasing.0,
            map: walker.on_map.0,
            from,
            body: walker.body.copied().unwrap_or_default(),
            aim,
        })
    }
}

/// Where bodies stand while cells are given out.
pub(super) struct Floor<'a, 'w, 's, 'q> {
    pub(super) course: &'a Course<'w, 's>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    pub(super) standing: &'a mut Standing,
    pub(super) solids: Solids<'a, 'q>,
    steps: &'a mut Steps,
}

impl Floor<'_, '_, '_, '_> {
    pub(super) fn stage(&self, map: Entity) -> Option<&Stage> {
        self.standing.stage(map)
    }

    /// The cell that a proposal gets, if there is one.
    fn choose(&self, proposal: &Proposal) -> Option<Cell> {
        let Proposal {
            agent,
            map,
            from,
            body: Body { footprint, kind },
            aim,
            ..
        } = *proposal;
        let stage = self.stage(map)?;
        let soft = kind == BodyKind::Soft;
        match aim {
            Aim::At(to) => (soft || stage.is_free(agent, to, footprint)).then_some(to),
            Aim::Along { nearer, wished, .. } => {
                let free = self.free(stage, proposal, nearer);
                let way = nearest(free, wished)
                    .or_else(|| self.round(stage, proposal))
                    .or_else(|| nearest(nearer, wished).filter(|_| soft));
                from.step(way?)
            }
        }
    }

    /// Those of some ways on which nobody stands.
    fn free(&self, stage: &Stage, proposal: &Proposal, ways: Directions) -> Directions {
        if proposal.body.footprint == Footprint::ONE {
            return Directions(ways.0 & !stage.taken_around(proposal.from).0);
        }
        ways.into_iter().fold(Directions::NONE, |free, way| {
            let to = proposal.from.step(way);
            let fits = |to| stage.is_free(proposal.agent, to, proposal.body.footprint);
            Directions(free.0 | u8::from(to.is_some_and(fits)) << way as u8)
        })
    }

    /// A way to the side from which a free cell leads nearer.
    fn round(&self, stage: &Stage, proposal: &Proposal) -> Option<Direction> {
        let Aim::Along {
            shape,
            slot,
            level,
            wished,
            ..
        } = proposal.aim
        else {
            return None;
        };
        let mut sides = self.free(stage, proposal, level);
        while let Some(way) = nearest(sides, wished) {
            sides = super::super::compass::without(sides, way);
            let to = proposal.from.step(way)?;
            let lead = self.course.fields.look(shape, self.targets, slot, to);
            let leads_on = lead.is_some_and(|lead| {
                let chaser_target = &self.targets.at(slot).seen;
                let ahead = lead.nearer.0 & !stage.taken_around(to).0;
                ahead != 0 && to.chebyshev(chaser_target.position.cell) > 1
            });
            if leads_on {
                return Some(way);
            }
        }
        None
    }

    /// Has a body step to a cell that is free for it.
    pub(super) fn walk(&mut self, agent: Entity, to: Cell) {
        let Ok(mut walker) = self.solids.get_mut(agent) else {
            return;
        };
        let (from, map) = (walker.position.cell, walker.on_map.0);
        let (now, previous) = (self.course.clock.now(), self.course.clock.previous());
        if !walker.beat.tick(now, previous, true) {
            // It stood, and was asked to make room between its move ticks.
            walker.beat.next_step = now.after(walker.beat.chasing);
        }
        if walker.cursor.is_reached() {
            walker.cursor.set_reached(false);
        }
        walker.go(to, self.course, self.targets, self.steps);
        self.standing.step(agent, map, to);
        let Some(stage) = self.standing.stage(map) else {
            return;
        };
        for cell in stage.sleepers_around(from) {
            let sleeper = stage.holder(cell);
            let sleeper = sleeper.map(|index| self.entities.resolve_from_index(index));
            if let Some(mut sleeper) = sleeper.and_then(|sleeper| self.solids.get_mut(sleeper).ok())
            {
                sleeper.beat.next_step = sleeper.beat.next_step.min(now);
            }
        }
        // Woken once is enough.
        let woken: Directions = stage.sleepers_at(from);
        for way in woken {
            if let Some(cell) = from.step(way) {
                self.standing.rouse(map, cell);
            }
        }
    }

    /// Has a body wait that found no cell, unless it was pushed on meanwhile.
    fn rest(&mut self, proposal: &Proposal) {
        let Ok(mut walker) = self.solids.get_mut(proposal.agent) else {
            return;
        };
        if walker.position.cell != proposal.from {
            return;
        }
        let (now, previous) = (self.course.clock.now(), self.course.clock.previous());
        walker.beat.tick(now, previous, false);
        let waits = walker.timer.waits();
        walker.timer.set_waits(waits.saturating_add(1));
        walker.timer.set_stands(true);
        self.standing.sleep(proposal.map, proposal.from);
    }
}
