//! Steps of bodies that are in each other's way.

use super::{
    Course,
    outcomes::Outcomes,
    propose::{Aim, Proposal, Solids, Wants},
    push::{Push, VISITS_PER_TICK},
};
use crate::{
    Body, BodyKind,
    systems::{
        compass::{nearest, without},
        standing::{Stage, Standing},
        targets::Targets,
    },
};
use bevy_ecs::{entity::Entities, prelude::*};
use bevy_platform::collections::HashSet;
use nav_grid::{Cell, Direction, Directions, Footprint};

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
        stuck,
        ..
    } = &mut *wants;
    let mut floor = Floor {
        course: &course,
        targets: &targets,
        entities,
        standing: &mut standing,
        solids: &solids,
        outcomes: &mut outcomes,
        stuck,
    };
    floor.stuck.clear();
    blocked.clear();
    for &turn in &*order {
        let place = turn as u32;
        let proposal = &proposals[place as usize];
        match floor.choose(proposal) {
            Some(to) => floor.walk(proposal.agent, proposal.map, proposal.from, to),
            None => blocked.push(place),
        }
    }
    // All of them before anybody is pushed, so that the cells that frees wake them.
    for &place in &*blocked {
        floor.rest(&proposals[place as usize]);
    }
    blocked.retain(|&place| proposals[place as usize].pushes);
    blocked.sort_unstable_by_key(|&place| {
        let Proposal {
            waits, id, agent, ..
        } = proposals[place as usize];
        (u8::MAX - waits, id, agent)
    });
    let mut visits = VISITS_PER_TICK;
    for &place in &*blocked {
        let proposal = &proposals[place as usize];
        if visits > 0 && !floor.outcomes.has_stepped(proposal.agent) {
            Push::new(proposal, &mut visits).make_room(&mut floor, proposal);
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
    pub(super) stuck: &'a mut HashSet<(Entity, Entity)>,
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
            field,
            level,
            wished,
            ..
        } = proposal.aim
        else {
            return None;
        };
        let place = self.targets.at(field.slot()).seen.position.cell;
        let mut sides = Self::free(stage, proposal, level);
        while let Some(way) = nearest(sides, wished) {
            sides = without(sides, way);
            let to = proposal.from.step(way)?;
            let lead = self.course.look(self.targets, field, to);
            let leads_on = lead.is_some_and(|lead| {
                let ahead = lead.nearer.0 & !stage.taken_around(to).0;
                ahead != 0 && to.chebyshev(place) > 1
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

    /// Has a body wait that found no cell.
    fn rest(&mut self, proposal: &Proposal) {
        self.outcomes.rest(proposal.agent);
        self.standing.sleep(proposal.map, proposal.from);
    }
}
