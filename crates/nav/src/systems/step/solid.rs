//! Steps of bodies that are in each other's way.

use super::{
    Course, Steps,
    outcomes::{Outcome, Outcomes},
    push::{Push, VISITS_PER_TICK},
    wish::{Ride, Wish, is_near},
};
use crate::{
    AgentId, Body, BodyKind, CellPosition, ChasedBy, NavTimer, OnMap,
    systems::{
        bags::Bags,
        compass::{nearest, without},
        fields::Lead,
        pursuers::{Pursuer, PursuerItem, look_at_all},
        rows::Rows,
        standing::{Stage, Standing},
        targets::Targets,
    },
};
use bevy_ecs::{entity::Entities, prelude::*};
use nav_grid::{Cell, Direction, Directions, Footprint};

/// Chasers with a body that nobody chases.
pub(super) type Solids<'w, 's> =
    Query<'w, 's, Pursuer, (With<OnMap>, With<Body>, Without<ChasedBy>)>;

/// A step that a body wants to take.
#[derive(Clone, Copy)]
pub(crate) struct Proposal {
    /// Whose turn it is, before that of all with a higher number.
    turn: u64,
    pub(super) waits: u8,
    /// Whether it has others make room if it has to.
    pushes: bool,
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
        shape: u32,
        slot: u32,
        nearer: Directions,
        level: Directions,
        wished: Direction,
    },
}

/// The turn of a body. Of those after one target, or after targets near each other, those in front
/// come first, so that those behind them can follow; of equals who waited longer, then by number.
/// What is near each other in memory, a target's surroundings, is so looked at in one go.
fn turn(target: Cell, from: Cell, waits: u8, id: AgentId) -> u64 {
    const SQUARE: u16 = 32;
    let (row, column) = (target.y / SQUARE, target.x / SQUARE);
    let distance = target.chebyshev(from).min(511);
    let waits = NavTimer::WAITS_MAX - waits;
    u64::from(row) << 54
        | u64::from(column) << 44
        | u64::from(distance) << 35
        | u64::from(waits) << 32
        | u64::from(id.0)
}

/// What bodies want in a tick, and whose turn it is.
#[derive(Resource, Default)]
pub(crate) struct Wants {
    bags: Bags<(Vec<Proposal>, Steps)>,
    proposals: Vec<Proposal>,
    /// Turns and places in the list.
    order: Vec<(u64, Entity, u32)>,
    /// Places in the list of those that found no cell.
    blocked: Vec<u32>,
}

/// Finds what each chaser with a body wants.
pub(crate) fn propose_steps(
    course: Course,
    targets: Res<Targets>,
    solids: Solids,
    mut wants: ResMut<Wants>,
    mut steps: ResMut<Steps>,
) {
    let Wants {
        bags,
        proposals,
        order,
        ..
    } = &mut *wants;
    let now = course.clock.now();
    look_at_all(
        solids,
        bags,
        |(proposals, _), rows, row| {
            if now < rows.beats.at(row).next_step {
                return true;
            }
            let ride = course.ride(&targets, rows, row);
            if let Some(ride) = &ride {
                proposals.push(course.propose_ride(&targets, rows, row, ride));
            }
            ride.is_some()
        },
        |(proposals, steps), mut pursuer| {
            if now >= pursuer.beat.next_step {
                proposals.extend(course.propose(&targets, &mut pursuer, steps));
            }
        },
    );
    proposals.clear();
    for (bag, arrivals) in bags.iter_mut() {
        proposals.append(bag);
        steps.take_up(arrivals);
    }
    order.clear();
    let turns = proposals.iter().zip(0..);
    order.extend(turns.map(|(proposal, place)| (proposal.turn, proposal.agent, place)));
    order.sort_unstable();
}

/// Gives out cells: no two solid bodies come to share one, and none go through each other.
///
/// One by one, in the order of [turns](Proposal::turn): a cell is free for the next as soon as it
/// is left. Who finds none nearer goes round if that leads to a free one at once, or else waits.
/// Those who waited several times may [push](Push). Who waits sleeps until a cell beside it
/// becomes free, or its idle period is over.
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
        order,
        blocked,
        ..
    } = &mut *wants;
    let mut floor = Floor {
        course: &course,
        targets: &targets,
        entities,
        standing: &mut standing,
        solids: &solids,
        outcomes: &mut outcomes,
    };
    blocked.clear();
    for &(_, _, place) in &*order {
        let proposal = &proposals[place as usize];
        match floor.choose(proposal) {
            Some(to) => floor.walk(proposal.agent, proposal.map, proposal.from, to),
            None => blocked.push(place),
        }
    }
    let mut visits = VISITS_PER_TICK;
    blocked.sort_unstable_by_key(|&place| {
        let Proposal {
            waits, id, agent, ..
        } = proposals[place as usize];
        (u8::MAX - waits, id, agent)
    });
    for &place in &*blocked {
        let proposal = &proposals[place as usize];
        if proposal.pushes && visits > 0 && !floor.outcomes.has_stepped(proposal.agent) {
            Push::new(proposal, &mut visits).make_room(&mut floor, proposal);
        }
        floor.rest(proposal);
    }
}

/// Has everybody do as was found.
pub(crate) fn step_solids(
    course: Course,
    targets: Res<Targets>,
    outcomes: Res<Outcomes>,
    solids: Solids,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Steps>>,
) {
    look_at_all(
        solids,
        &bags,
        |steps, rows, row| match outcomes.at(rows.entities[row]) {
            Outcome::Nothing => true,
            Outcome::Step(to) => {
                let settled = course.settle_ride(&targets, to, rows, row, steps);
                if settled {
                    outcomes.take(rows.entities[row]);
                }
                settled
            }
            Outcome::Rest { .. } | Outcome::Wake => false,
        },
        |steps, mut pursuer| {
            let outcome = outcomes.take(pursuer.entity);
            course.settle(&targets, outcome, &mut pursuer, steps);
        },
    );
    for bag in bags.iter_mut() {
        steps.take_up(bag);
    }
}

impl Course<'_, '_> {
    /// What a body wants at its move tick. Keeps the beat of those who want nothing; that of the
    /// others is kept when it is known whether they step.
    fn propose(
        &self,
        targets: &Targets,
        walker: &mut PursuerItem,
        steps: &mut Steps,
    ) -> Option<Proposal> {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let from = walker.position.cell;
        let Some(scene) = self.scene(targets, walker) else {
            walker.beat.tick(now, previous, false);
            return None;
        };
        let aim = match self.wish(targets, &scene, walker) {
            Wish::Wait => return None,
            wish @ (Wish::Rest | Wish::Arrive) => {
                if matches!(wish, Wish::Arrive) {
                    walker.arrive(steps);
                }
                walker.beat.tick(now, previous, false);
                if !walker.timer.stands() {
                    walker.timer.set_stands(true);
                }
                return None;
            }
            Wish::Waypoint(to)
            | Wish::Lead {
                lead: Lead { link: Some(to), .. },
                ..
            } => Aim::At(to),
            Wish::Lead {
                shape,
                lead,
                wished,
            } => {
                let off_target = |ways| Self::off_target(ways, from, scene.seen, &walker.chaser);
                Aim::Along {
                    shape: shape as u32,
                    slot: scene.slot as u32,
                    nearer: off_target(lead.nearer),
                    level: off_target(lead.level),
                    wished,
                }
            }
        };
        if let Aim::At(to) = aim
            && !Self::allows(&scene, walker, to)
        {
            walker.beat.tick(now, previous, true);
            return None;
        }
        Some(Proposal {
            turn: turn(
                scene.seen.position.cell,
                from,
                walker.timer.waits(),
                *walker.id,
            ),
            waits: walker.timer.waits(),
            pushes: Push::is_due(*walker.id, &walker.timer, &walker.beat, now),
            id: *walker.id,
            agent: walker.entity,
            target: walker.chasing.0,
            map: scene.seen.map,
            from,
            body: walker.body.copied().unwrap_or_default(),
            aim,
        })
    }

    /// What the body in a row wants that follows a field.
    #[inline]
    fn propose_ride(&self, targets: &Targets, rows: &Rows, row: usize, ride: &Ride) -> Proposal {
        let Ride { slot, from, .. } = *ride;
        let (id, timer, beat) = (rows.ids[row], rows.timers.at(row), rows.beats.at(row));
        let seen = &targets.at(slot).seen;
        Proposal {
            turn: turn(seen.position.cell, from, timer.waits(), id),
            waits: timer.waits(),
            pushes: Push::is_due(id, timer, beat, self.clock.now()),
            id,
            agent: rows.entities[row],
            target: rows.chasing.at(row).0,
            map: seen.map,
            from,
            body: rows.body(row).unwrap_or_default(),
            aim: Aim::Along {
                shape: ride.shape as u32,
                slot: slot as u32,
                nearer: ride.lead.nearer,
                level: ride.lead.level,
                wished: ride.wished,
            },
        }
    }

    /// Has the body in a row step to a cell, if it follows a field and does not come within reach
    /// by that.
    #[inline]
    fn settle_ride(
        &self,
        targets: &Targets,
        to: Cell,
        rows: &mut Rows,
        row: usize,
        steps: &mut Steps,
    ) -> bool {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        if !rows.cursors.at(row).is_sharing()
            || rows.worlds.is_some()
            || rows.beats.at(row).next_step > now
        {
            return false;
        }
        let slot = targets.slot(rows.chasing.at(row).0);
        let far = slot.is_some_and(|slot| {
            let seen = &targets.at(slot).seen;
            rows.map(row) == Some(seen.map) && !is_near(rows.chasers.at(row), to, seen, 0)
        });
        if far {
            rows.beats.change(row).tick(now, previous, true);
            *rows.positions.change(row) = CellPosition::at(to);
            if rows.timers.at(row).stands() {
                rows.timers.change(row).set_stands(false);
            }
            steps.taken += 1;
        }
        far
    }

    fn settle(
        &self,
        targets: &Targets,
        outcome: Outcome,
        walker: &mut PursuerItem,
        steps: &mut Steps,
    ) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        match outcome {
            Outcome::Nothing => {}
            Outcome::Step(to) => {
                if !walker.beat.tick(now, previous, true) {
                    // It stood, and was asked to make room between its move ticks.
                    walker.beat.next_step = now.after(walker.beat.chasing);
                }
                if walker.cursor.is_reached() {
                    walker.cursor.set_reached(false);
                }
                if let Some(scene) = self.scene(targets, walker) {
                    walker.go(to, self, targets, &scene, steps);
                } else {
                    walker.put(to, self, steps);
                }
            }
            Outcome::Rest { woken } => {
                walker.beat.tick(now, previous, false);
                let waits = walker.timer.waits();
                walker.timer.set_waits(waits.saturating_add(1));
                walker.timer.set_stands(true);
                if woken {
                    walker.beat.next_step = now;
                }
            }
            Outcome::Wake => {
                if walker.beat.next_step > now {
                    walker.beat.next_step = now;
                }
            }
        }
    }
}

/// Where bodies stand while cells are given out.
pub(super) struct Floor<'a, 'w, 's, 'x, 'y> {
    pub(super) course: &'a Course<'w, 's>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    pub(super) standing: &'a mut Standing,
    /// As they were before anybody stepped.
    pub(super) solids: &'a Solids<'x, 'y>,
    pub(super) outcomes: &'a mut Outcomes,
}

impl Floor<'_, '_, '_, '_, '_> {
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
                let free = Self::free(stage, proposal, nearer);
                let way = nearest(free, wished)
                    .or_else(|| self.round(stage, proposal))
                    .or_else(|| nearest(nearer, wished).filter(|_| soft));
                from.step(way?)
            }
        }
    }

    /// Those of some ways on which nobody stands.
    fn free(stage: &Stage, proposal: &Proposal, ways: Directions) -> Directions {
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
        let (shape, slot) = (shape as usize, slot as usize);
        let mut sides = Self::free(stage, proposal, level);
        while let Some(way) = nearest(sides, wished) {
            sides = without(sides, way);
            let to = proposal.from.step(way)?;
            let lead = self.course.fields.look(shape, slot, to);
            let leads_on = lead.is_some_and(|lead| {
                let ahead = lead.nearer.0 & !stage.taken_around(to).0;
                ahead != 0 && to.chebyshev(self.targets.at(slot).seen.position.cell) > 1
            });
            if leads_on {
                return Some(way);
            }
        }
        None
    }

    /// Has a body step to a cell that is free for it.
    pub(super) fn walk(&mut self, agent: Entity, map: Entity, from: Cell, to: Cell) {
        self.standing.step(agent, map, to);
        self.outcomes.step(agent, to);
        let Some(stage) = self.stage(map) else {
            return;
        };
        // Those behind it, whom it kept from going the same way. Others who would like the cell see
        // it when their idle period is over.
        let behind = from.direction_to(to).map_or(Directions::NONE, |way| {
            let back = way.opposite() as u32;
            Directions(0b1000_0011_u8.rotate_left(back))
        });
        let asleep = stage.sleepers_at(from).intersection(behind);
        for way in asleep {
            if let Some(cell) = from.step(way) {
                if let Some(sleeper) = self.stage(map).and_then(|stage| stage.holder(cell)) {
                    self.outcomes.wake(sleeper);
                }
                // Woken once is enough.
                self.standing.rouse(map, cell);
            }
        }
    }

    /// Has a body wait that found no cell, unless it was pushed on meanwhile.
    fn rest(&mut self, proposal: &Proposal) {
        if !self.outcomes.has_stepped(proposal.agent) {
            self.outcomes.rest(proposal.agent);
            self.standing.sleep(proposal.map, proposal.from);
        }
    }
}
