//! Making room: who waited long has those in front step aside.

use super::{
    Course,
    propose::{Aim, Proposal},
    solid::{Floor, Order},
};
use crate::{
    AgentId, BodyKind, MoveTimer, NavTime, NavTimer,
    systems::{
        compass::{heading, nearest, without},
        scene::{Chase, Scene},
    },
};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell, Direction, Directions, Footprint};
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
pub(super) struct Push<'a> {
    order: &'a Order<'a>,
    /// That of who began it.
    proposal: &'a Proposal,
    asked: &'a mut HashSet<(u32, Entity)>,
    visits: &'a mut i32,
    deepest: i32,
    /// What bodies of several cells have freed cell by cell: nobody may come back to one.
    claims: Vec<Area>,
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

impl<'a> Push<'a> {
    pub(super) fn new(
        order: &'a Order<'a>,
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
            claims: Vec::new(),
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
        if body.kind != BodyKind::Solid {
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
            if self.make_way(floor, (agent, body.footprint), from, way, 0) {
                return;
            }
        }
    }

    /// Has a body go one way once all are out of it; says whether it went.
    fn make_way(
        &mut self,
        floor: &mut Floor,
        (agent, footprint): (Entity, Footprint),
        from: Cell,
        way: Direction,
        depth: u32,
    ) -> bool {
        let Some(to) = from.step(way) else {
            return false;
        };
        let clear = if footprint == Footprint::ONE {
            self.clear(floor, to, depth)
        } else {
            let (here, there) = (footprint.area(from), footprint.area(to));
            self.claims.push(there);
            let mut ahead = there.cells().filter(|&cell| !here.contains(cell));
            let clear = ahead.all(|cell| self.clear(floor, cell, depth));
            self.claims.pop();
            clear
        };
        if clear {
            floor.walk(agent, footprint, from, to);
        }
        clear
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
        let Proposal {
            from, body, target, ..
        } = *self.proposal;
        let is_asker = body.footprint.area(from).contains(cell);
        if is_asker || depth >= DEPTH_MAX || *self.visits <= self.deepest {
            return false;
        }
        // Those in the chain were asked, too: nobody moves onto their cells.
        if !self.asked.insert((holder.index(), target)) {
            return false;
        }
        *self.visits -= 1;
        let agent = self.order.entities.resolve_from_index(holder);
        // Where the game put two on one cell, the other one is still there.
        self.move_on(floor, agent, cell, depth) && floor.band.holder(cell).is_none()
    }

    /// Has a body that stands in the way go on, or out of the way.
    fn move_on(&mut self, floor: &mut Floor, agent: Entity, cell: Cell, depth: u32) -> bool {
        let Some(asked) = self.ask(floor, agent, cell) else {
            return false;
        };
        let Asked {
            at,
            footprint,
            mut ways,
            wished,
        } = asked;
        if footprint != Footprint::ONE || !self.claims.is_empty() {
            for ways_of_a_kind in &mut ways {
                *ways_of_a_kind = self.off_claims(*ways_of_a_kind, footprint, at, cell);
            }
        }
        // Free cells before those that somebody would have to leave.
        for ways_of_a_kind in ways {
            let free = floor.band.free(agent, footprint, at, ways_of_a_kind);
            if let Some(way) = nearest(free, wished)
                && let Some(to) = at.step(way)
            {
                floor.walk(agent, footprint, at, to);
                return true;
            }
        }
        for mut ways in ways {
            while let Some(way) = nearest(ways, wished) {
                ways = without(ways, way);
                if self.make_way(floor, (agent, footprint), at, way, depth + 1) {
                    return true;
                }
            }
        }
        false
    }

    /// Those of some ways of a body that lead off a cell, and onto none that others freed.
    fn off_claims(
        &self,
        ways: Directions,
        footprint: Footprint,
        at: Cell,
        cell: Cell,
    ) -> Directions {
        let is_claimed = |one| one == cell || self.claims.iter().any(|claim| claim.contains(one));
        let leads_off = |way: &Direction| {
            at.step(*way)
                .is_some_and(|to| !footprint.area(to).cells().any(is_claimed))
        };
        ways.into_iter().filter(leads_off).collect()
    }

    /// Asks who covers a cell; `None` if nobody may ask it to make room.
    fn ask(&self, floor: &Floor, agent: Entity, cell: Cell) -> Option<Asked> {
        let Order {
            course,
            targets,
            solids,
            outcomes,
            ..
        } = *self.order;
        let Proposal {
            waits, id, target, ..
        } = *self.proposal;
        let walker = solids.get(agent).ok()?;
        let now = course.clock.now();
        let (footprint, at) = (walker.body?.footprint, walker.position.cell);
        let ready = walker.beat.next_step <= now || walker.timer.stands();
        let yields = (walker.timer.waits(), Reverse(*walker.id)) < (waits, Reverse(id))
            || walker.cursor.is_reached();
        // Where it was before the tick, from which it may have stepped.
        let is_here = at == cell
            || footprint.area(at).contains(cell)
                && !outcomes.has_stepped(agent)
                && floor.band.sees(at)
                && floor.band.sees(footprint.area(at).last());
        if !ready || !yields || !is_here || walker.on_map?.0 != floor.map {
            return None;
        }
        let rules = walker.chaser.rules;
        let mut scenes = course.scenes(targets);
        let scene = scenes.see(Chase {
            tuning: *walker.tuning,
            target: walker.chasing.0,
            map: floor.map,
        });
        let legal = || {
            let map = course.map(Some(floor.map));
            map.map_or(Directions::NONE, |map| map.grid().steps(at, rules))
        };
        // A far field knows the ground around those whose move tick it is.
        let on_field = walker.cursor.shares_near() || walker.cursor.is_reached();
        let lead = scene.filter(|_| on_field).and_then(|scene| {
            let field = Course::field(scene, walker.cursor)?;
            course.look(scene.target, field, at)
        });
        let (nearer, level) = match (lead, walker.cursor.path().peek()) {
            (Some(lead), _) => (lead.nearer, lead.level),
            (None, Some(to)) => {
                let ahead = at.direction_to(to).map(Directions::from);
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
        let off_target = |ways| match scene {
            Some(scene) => scene.off_target(ways, at, rules),
            None => ways,
        };
        let place = scene.map_or(at, Scene::place);
        Some(Asked {
            at,
            footprint,
            ways: [nearer, level, others].map(off_target),
            wished: heading(at, place).unwrap_or(Direction::North),
        })
    }
}

/// Somebody who was asked to make room.
struct Asked {
    at: Cell,
    footprint: Footprint,
    /// The ways that it likes first: nearer to its target, no further from it, any other.
    ways: [Directions; 3],
    wished: Direction,
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
