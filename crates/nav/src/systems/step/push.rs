//! Making room: who waited long has those in front step aside.

use super::{
    Course,
    propose::{Aim, Proposal},
    solid::Floor,
};
use crate::{
    AgentId, BodyKind, MoveTimer, NavTime, NavTimer,
    systems::compass::{heading, nearest, without},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Direction, Directions, Footprint};

/// One body's attempt to come forward.
///
/// Priority inheritance with backtracking, after "Priority Inheritance with Backtracking for
/// Iterative Multi-agent Path Finding" by Okumura, Machida, Défago and Tamura: a body that is
/// asked to make room takes over the asker's priority, tries its own ways in the order in which
/// it likes them, and asks those who stand there in turn; where one cannot, the one before tries
/// another way. Nobody is asked who waited longer than the first asker, or as long with a
/// lower number, nor anybody between two move ticks of a walk, and two never change places. Who
/// chases the same target is not asked to go further away from it: that helps nobody.
///
/// Unlike there, only bodies that waited push, chains are bounded in depth, and so is the work
/// of a tick: the rest wait for the next one.
pub(super) struct Push<'v> {
    /// Who began it.
    waits: u8,
    id: AgentId,
    target: Entity,
    /// The cells of those in the chain: nobody moves onto them.
    chain: Vec<Cell>,
    visits: &'v mut u32,
    deepest: u32,
}

/// How many bodies may be asked in a tick. Each takes about a quarter of a microsecond.
pub(super) const VISITS_PER_TICK: u32 = 1024;

/// How many bodies one attempt may ask.
const VISITS_PER_PUSH: u32 = 192;

/// How many bodies may have to move for one.
const DEPTH_MAX: u32 = 64;

impl<'v> Push<'v> {
    /// Whether a body that finds no cell pushes: one that waited before in this chase and came on
    /// since does so at once, and so goes on as long as it finds those who make room; one that
    /// stood before pushes at one look in eight.
    pub(super) fn is_due(id: AgentId, timer: &NavTimer, beat: &MoveTimer, now: NavTime) -> bool {
        const WAITS_MIN: u8 = 2;
        const LOOKS_PER_PUSH: u64 = 8;
        let look = || now.0 / beat.idle.nanos().max(1);
        timer.waits() >= WAITS_MIN
            && (!timer.stands() || (look() + u64::from(id.0)).is_multiple_of(LOOKS_PER_PUSH))
    }

    pub(super) fn new(proposal: &Proposal, visits: &'v mut u32) -> Self {
        let floor = visits.saturating_sub(VISITS_PER_PUSH);
        Self {
            waits: proposal.waits,
            id: proposal.id,
            target: proposal.target,
            chain: vec![proposal.from],
            visits,
            deepest: floor,
        }
    }

    /// Has somebody in front of the body of a proposal step aside, and the body step there.
    pub(super) fn make_room(&mut self, floor: &mut Floor, proposal: &Proposal) {
        if proposal.body.footprint != Footprint::ONE || proposal.body.kind != BodyKind::Solid {
            return;
        }
        let (mut ways, wished) = match proposal.aim {
            Aim::At(to) => match proposal.from.direction_to(to) {
                Some(way) => (Directions::from(way), way),
                None => return,
            },
            Aim::Along { nearer, wished, .. } => (nearer, wished),
        };
        while let Some(way) = nearest(ways, wished) {
            ways = without(ways, way);
            let Some(to) = proposal.from.step(way) else {
                continue;
            };
            if self.clear(floor, proposal.map, to, 0) {
                floor.walk(proposal.agent, proposal.map, proposal.from, to);
                return;
            }
        }
    }

    /// Frees a cell, if it is not; says whether it is free now.
    fn clear(&mut self, floor: &mut Floor, map: Entity, cell: Cell, depth: u32) -> bool {
        let Some(stage) = floor.stage(map) else {
            return false;
        };
        let Some(holder) = stage.holder(cell) else {
            return true;
        };
        if depth >= DEPTH_MAX || *self.visits <= self.deepest || self.chain.contains(&cell) {
            return false;
        }
        let agent = floor.entities.resolve_from_index(holder);
        if floor.stuck.contains(&(agent, self.target)) {
            return false;
        }
        *self.visits -= 1;
        let made_room = self.move_on(floor, map, agent, cell, depth);
        if !made_room && *self.visits > self.deepest {
            floor.stuck.insert((agent, self.target));
        }
        made_room
    }

    /// Has a body that stands in the way go on, or out of the way.
    fn move_on(
        &mut self,
        floor: &mut Floor,
        map: Entity,
        agent: Entity,
        cell: Cell,
        depth: u32,
    ) -> bool {
        let Some((mut ways, wished)) = self.ways(floor, agent, cell) else {
            return false;
        };
        self.chain.push(cell);
        // Free cells before those that somebody would have to leave.
        let taken = floor
            .stage(map)
            .map_or(Directions::NONE, |stage| stage.taken_around(cell));
        for ways_of_a_kind in &mut ways {
            let free = Directions(ways_of_a_kind.0 & !taken.0);
            if let Some(way) = nearest(free, wished)
                && let Some(to) = cell.step(way)
            {
                floor.walk(agent, map, cell, to);
                return true;
            }
        }
        for ways_of_a_kind in ways {
            let mut ways = ways_of_a_kind;
            while let Some(way) = nearest(ways, wished) {
                ways = without(ways, way);
                if let Some(to) = cell.step(way)
                    && self.clear(floor, map, to, depth + 1)
                {
                    floor.walk(agent, map, cell, to);
                    return true;
                }
            }
        }
        false
    }

    /// The ways of somebody who may be asked to make room, those it likes first: nearer to its
    /// target, no further from it, any other.
    fn ways(
        &self,
        floor: &Floor,
        agent: Entity,
        cell: Cell,
    ) -> Option<([Directions; 3], Direction)> {
        let walker = floor.solids.get(agent).ok()?;
        let now = floor.course.clock.now();
        let body = walker.body?;
        let ready = walker.beat.next_step <= now || walker.timer.stands();
        let yields = (walker.timer.waits(), std::cmp::Reverse(*walker.id))
            < (self.waits, std::cmp::Reverse(self.id))
            || walker.cursor.is_reached();
        if !ready || !yields || body.footprint != Footprint::ONE || walker.position.cell != cell {
            return None;
        }
        let (map, rules) = (walker.on_map?.0, walker.chaser.rules);
        let scene = floor
            .course
            .scene_of(floor.targets, agent, walker.chasing.0, map);
        let legal = || {
            let grid = floor.course.grid(map);
            grid.map_or(Directions::NONE, |grid| grid.steps(cell, rules))
        };
        // A far field knows the ground around those whose move tick it is.
        let on_field = walker.cursor.shares_near() || walker.cursor.is_reached();
        let lead = scene.as_ref().filter(|_| on_field).and_then(|scene| {
            let field = Course::field(scene, walker.cursor)?;
            floor.course.look(floor.targets, field, cell)
        });
        let (nearer, level) = match (lead, walker.cursor.path().peek()) {
            (Some(lead), _) => (lead.nearer, lead.level),
            (None, Some(to)) => {
                let ahead = cell.direction_to(to).map(Directions::from);
                let ahead = ahead.map_or(Directions::NONE, |ahead| ahead.intersection(legal()));
                (ahead, Directions::NONE)
            }
            (None, None) => (Directions::NONE, Directions::NONE),
        };
        let others = if walker.chasing.0 == self.target {
            Directions::NONE
        } else {
            Directions(legal().0 & !nearer.0 & !level.0)
        };
        let off_target = |ways| match &scene {
            Some(scene) => scene.off_target(ways, cell, rules),
            None => ways,
        };
        let [nearer, level, others] = [nearer, level, others].map(off_target);
        let place = scene.map_or(cell, |scene| scene.seen.position.cell);
        let wished = heading(cell, place).unwrap_or(Direction::North);
        Some(([nearer, level, others], wished))
    }
}
