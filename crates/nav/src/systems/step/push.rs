//! Making room: who waited long has those in front step aside.

use super::{
    Course,
    propose::{Aim, Proposal},
    solid::{Floor, Order},
};
use crate::{
    AgentId, BodyKind, MoveTimer, NavTime, NavTimer,
    systems::compass::{heading, nearest, without},
};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashSet;
use nav_grid::{Cell, Direction, Directions, Footprint};
use std::cmp::Reverse;

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
/// Unlike there, only bodies that waited push, chains are bounded in depth and do not leave the
/// ground around a strip, and the work of a tick is bounded, too: the rest wait for the next one.
pub(super) struct Push<'a, 'o, 'w, 's, 'x, 'y> {
    order: &'a Order<'o, 'w, 's, 'x, 'y>,
    /// That of who began it.
    proposal: &'a Proposal,
    asked: &'a mut HashSet<(u32, Entity)>,
    visits: &'a mut i32,
    deepest: i32,
}

/// After how many bodies of a strip that were asked in a tick nobody else pushes, where so many have
/// a turn. Each takes about a fifth of a microsecond.
pub(super) fn visits(turns: usize) -> i32 {
    const VISITS_MIN: i32 = 32;
    const VISITS_MAX: i32 = 256;
    i32::try_from(turns / 8).map_or(VISITS_MAX, |share| (VISITS_MIN + share).min(VISITS_MAX))
}

/// How many bodies one attempt may ask, be they more than the strip has left.
const VISITS_PER_PUSH: i32 = 192;

/// How many bodies may have to move for one.
const DEPTH_MAX: u32 = 64;

impl<'a, 'o, 'w, 's, 'x, 'y> Push<'a, 'o, 'w, 's, 'x, 'y> {
    pub(super) fn new(
        order: &'a Order<'o, 'w, 's, 'x, 'y>,
        proposal: &'a Proposal,
        asked: &'a mut HashSet<(u32, Entity)>,
        visits: &'a mut i32,
    ) -> Self {
        let deepest = *visits - VISITS_PER_PUSH;
        Self {
            order,
            proposal,
            asked,
            visits,
            deepest,
        }
    }

    /// Has somebody in front of the body of the proposal step aside, and the body step there.
    pub(super) fn make_room(&mut self, floor: &mut Floor) {
        let Proposal {
            agent,
            from,
            body,
            aim,
            ..
        } = *self.proposal;
        if body.footprint != Footprint::ONE || body.kind != BodyKind::Solid {
            return;
        }
        let (mut ways, wished) = match aim {
            Aim::At(to) => match from.direction_to(to) {
                Some(way) => (Directions::from(way), way),
                None => return,
            },
            Aim::Along { nearer, wished, .. } => (nearer, wished),
        };
        while let Some(way) = nearest(ways, wished) {
            ways = without(ways, way);
            let Some(to) = from.step(way) else {
                continue;
            };
            if self.clear(floor, to, 0) {
                floor.walk(agent, Footprint::ONE, from, to);
                return;
            }
        }
    }

    /// Frees a cell, if it is not; says whether it is free now.
    fn clear(&mut self, floor: &mut Floor, cell: Cell, depth: u32) -> bool {
        // What lies further away is another strip's.
        if !floor.band.sees(cell) {
            return false;
        }
        let Some(holder) = floor.band.holder(cell) else {
            return true;
        };
        let Proposal { from, target, .. } = *self.proposal;
        if cell == from || depth >= DEPTH_MAX || *self.visits <= self.deepest {
            return false;
        }
        // Those in the chain were asked, too: nobody moves onto their cells.
        if !self.asked.insert((holder.index(), target)) {
            return false;
        }
        *self.visits -= 1;
        let agent = self.order.entities.resolve_from_index(holder);
        self.move_on(floor, agent, cell, depth)
    }

    /// Has a body that stands in the way go on, or out of the way.
    fn move_on(&mut self, floor: &mut Floor, agent: Entity, cell: Cell, depth: u32) -> bool {
        let Some((mut ways, wished)) = self.ways(floor.map, agent, cell) else {
            return false;
        };
        // Free cells before those that somebody would have to leave.
        let taken = floor.band.taken_around(cell);
        for ways_of_a_kind in &mut ways {
            let free = Directions(ways_of_a_kind.0 & !taken.0);
            if let Some(way) = nearest(free, wished)
                && let Some(to) = cell.step(way)
            {
                floor.walk(agent, Footprint::ONE, cell, to);
                return true;
            }
        }
        for ways_of_a_kind in ways {
            let mut ways = ways_of_a_kind;
            while let Some(way) = nearest(ways, wished) {
                ways = without(ways, way);
                if let Some(to) = cell.step(way)
                    && self.clear(floor, to, depth + 1)
                {
                    floor.walk(agent, Footprint::ONE, cell, to);
                    return true;
                }
            }
        }
        false
    }

    /// The ways of somebody who may be asked to make room, those it likes first: nearer to its
    /// target, no further from it, any other.
    fn ways(&self, map: Entity, agent: Entity, cell: Cell) -> Option<([Directions; 3], Direction)> {
        let Order {
            course,
            targets,
            solids,
            ..
        } = *self.order;
        let Proposal {
            waits, id, target, ..
        } = *self.proposal;
        let walker = solids.get(agent).ok()?;
        let now = course.clock.now();
        let body = walker.body?;
        let ready = walker.beat.next_step <= now || walker.timer.stands();
        let yields = (walker.timer.waits(), Reverse(*walker.id)) < (waits, Reverse(id))
            || walker.cursor.is_reached();
        let here = walker.position.cell == cell && walker.on_map?.0 == map;
        if !ready || !yields || body.footprint != Footprint::ONE || !here {
            return None;
        }
        let rules = walker.chaser.rules;
        let scene = course.scene_of(targets, agent, walker.chasing.0, map);
        let legal = || {
            let grid = course.grid(map);
            grid.map_or(Directions::NONE, |grid| grid.steps(cell, rules))
        };
        // A far field knows the ground around those whose move tick it is.
        let on_field = walker.cursor.shares_near() || walker.cursor.is_reached();
        let lead = scene.as_ref().filter(|_| on_field).and_then(|scene| {
            let field = Course::field(scene, walker.cursor)?;
            course.look(targets, field, cell)
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
        let others = if walker.chasing.0 == target {
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

/// Whether a body that finds no cell pushes: one that waited before in this chase and came on since
/// does so at once, and so goes on as long as it finds those who make room; one that stood before
/// pushes at one look in eight.
pub(super) fn is_due(id: AgentId, timer: &NavTimer, beat: &MoveTimer, now: NavTime) -> bool {
    const WAITS_MIN: u8 = 2;
    const LOOKS_PER_PUSH: u64 = 8;
    let look = || now.0 / beat.idle.nanos().max(1);
    timer.waits() >= WAITS_MIN
        && (!timer.stands() || (look() + u64::from(id.0)).is_multiple_of(LOOKS_PER_PUSH))
}
