//! Making room: a body that waited long moves the bodies in front of it aside.

use super::{
    ground::StripGround,
    proposals::Proposal,
    room::{Request, along, onto},
};
use crate::{
    Body, BodyKind,
    occupancy::STRIP,
    systems::{
        crowd::{Asker, Neighbour, Pose, Relation},
        guidance::{Ranked, nearest, without},
    },
};
use bevy_ecs::entity::{Entity, EntityIndex};
use bevy_platform::collections::{HashMap, hash_map::Entry};
use nav_grid::{Area, Cell, Directions, Footprint, Path, Rules};

/// The bodies that an asker meets, as plain values.
pub(super) trait Bystanders {
    /// Returns the body with an index, as it was before the tick; `None` if it stays.
    fn body(&self, holder: EntityIndex) -> Option<(Entity, Neighbour)>;

    /// Returns the moves by which a body makes room; `None` if its target is gone.
    fn ways(&mut self, agent: Entity, request: &Request) -> Option<Ranked>;

    /// Returns the steps that the ground allows from a cell.
    fn steps(&self, from: Cell, rules: Rules) -> Directions;
}

/// One body's attempt to come forward.
///
/// ```text
///   A asks B, which stands where A wants to go:
///
///   A B C .        B's ways: C's cell (nearer to B's target), then the free cell below.
///     . #          C cannot move, so B steps down, and A takes B's cell.
/// ```
///
/// Priority inheritance with backtracking, after "Priority Inheritance with Backtracking for
/// Iterative Multi-agent Path Finding" by Okumura, Machida, Défago and Tamura. A body that is asked
/// to make room takes over the asker's priority, tries its own ways in the order in which it
/// prefers them, and asks the bodies that stand there in turn. Where one cannot move, the one
/// before tries another way. [`Relation::yields`] says which bodies make room for the first asker.
///
/// Unlike in the paper, only bodies that waited push, chains are bounded in depth and do not leave
/// the ground around a strip, and the work of a tick is bounded, too: the rest wait for the next
/// one. Two bodies never change places.
pub(super) struct Push<'a, 'g, B> {
    pub(super) ground: &'a mut StripGround<'g>,
    pub(super) bystanders: B,
    /// The proposal of the first asker, whose attempt the memory
    /// [began](PushMemory::begin_attempt).
    pub(super) proposal: &'a Proposal,
    pub(super) asker: Asker,
    /// The path of the first asker; empty if it follows none.
    pub(super) path: &'a Path,
    pub(super) memory: &'a mut PushMemory,
}

/// Bodies that may have to move for one: as many as the rows that a strip sees, its own and half as
/// many on either side. A longer queue winds, and its end need not move for the body at its head.
const DEPTH_MAX: u32 = 2 * STRIP as u32;

/// Bodies that one attempt may ask: a chain of the greatest depth for each best step, of which a
/// cell has three at most. Within it a jam of a hundred bodies is solved at once.
const VISITS_PER_PUSH: i32 = 3 * DEPTH_MAX as i32;

/// The common data of the attempts of a strip, and memory for them.
#[derive(Default)]
pub(super) struct PushMemory {
    /// Bodies that were asked to make room, each for bodies after a target, and in which attempt.
    /// If they did not, there is no use in asking again: later askers have waited less. Only looked
    /// up.
    asked: HashMap<(EntityIndex, Entity), usize>,
    /// The attempts of the strip: whether a body in the way may move for another asker, or in
    /// another tick.
    refused: Vec<bool>,
    /// Bodies that may still be asked; fewer than none if the last attempt asked more.
    visits: i32,
    /// The visits that are left when the attempt ends.
    visits_end: i32,
    /// Places that bodies of several cells free cell by cell: no body may come back to one.
    claims: Vec<Area>,
    /// The steps of an attempt.
    steps: Vec<(Mover, Cell)>,
}

/// A body that moves.
#[derive(Clone, Copy)]
struct Mover {
    agent: Entity,
    body: Body,
    from: Cell,
    /// Whether it was within reach of its target when it was asked.
    is_beside: bool,
    /// Whether it makes room for a body that goes elsewhere.
    makes_room: bool,
    was_asleep: bool,
}

impl PushMemory {
    /// Begins a strip with its number of proposals.
    ///
    /// A share of them may be asked before the last attempt begins, so that a crowd of a million
    /// stays within its tick, between bounds for small jams and for large ones: a visit takes a
    /// fifth of a microsecond, as a proposal.
    pub(super) fn begin(&mut self, proposals: usize) {
        self.asked.clear();
        self.refused.clear();
        self.visits = (32 + proposals / 16).min(256) as i32;
    }

    /// Begins the attempt of a proposal. Returns whether others make room for its body, and any may
    /// still be asked.
    pub(super) fn begin_attempt(&mut self, proposal: &Proposal) -> bool {
        self.refused.push(false);
        self.visits_end = self.visits - VISITS_PER_PUSH;
        proposal.presses && matches!(proposal.body.kind, BodyKind::Solid) && self.visits > 0
    }

    /// Records that a body may move for another asker or in another tick, if so.
    fn refuse(&mut self, may_move: bool) {
        if let Some(refused) = self.refused.last_mut() {
            *refused |= may_move;
        }
    }
}

impl<B: Bystanders> Push<'_, '_, B> {
    /// Moves a body in front of the asker aside, and the asker there: one of its best moves, since
    /// sides lead past bodies and not through them. Returns whether that failed because the body in
    /// front is in a dead end.
    pub(super) fn make_room(&mut self) -> bool {
        let Proposal { from, ranked, .. } = *self.proposal;
        let mover = Mover {
            agent: self.proposal.agent,
            body: self.proposal.body,
            from,
            is_beside: false,
            makes_room: false,
            was_asleep: self.ground.rows.is_asleep(from),
        };
        let best = Ranked::steps(ranked.tiers[0], ranked.toward);
        let has_moved = self.make_any_way(mover, best, 0);
        let ahead = nearest(ranked.tiers[0], ranked.toward).and_then(|way| from.step(way));
        let stuck = ahead
            .filter(|_| !has_moved)
            .and_then(|ahead| self.stuck(ahead));
        let is_stuck = stuck.is_some_and(|(other, ways)| !self.let_out(mover, other, ways));
        self.take_steps();
        is_stuck
    }

    /// Moves the bodies aside that cover a place of the asker elsewhere, as the end of a link.
    /// Returns whether that failed because the body there is in a dead end.
    pub(super) fn clear_place(&mut self, place: Cell) -> bool {
        let area = self.proposal.body.footprint.area(place);
        let is_clear = self.clear_all(area, area.cells(), 0);
        if !is_clear {
            self.fail(0);
        }
        self.take_steps();
        !is_clear && self.stuck(place).is_some()
    }

    /// Returns the body on a cell that goes elsewhere and makes room for the asker, but cannot:
    /// nobody refused.
    fn stuck(&mut self, at: Cell) -> Option<(Mover, Ranked)> {
        let holder = self.ground.rows.holder(at)?;
        let (_, other) = self.bystanders.body(holder)?;
        let is_refused = self.memory.refused.last() == Some(&true);
        let is_stuck = !is_refused && other.target != self.asker.target;
        is_stuck.then(|| self.ask(holder, at)).flatten()
    }

    /// Lets a body out of a dead end in front of the asker, which steps back for it. Returns
    /// whether both moved.
    ///
    /// The asker steps back until the other body finds a cell beside its path.
    fn let_out(&mut self, mover: Mover, other: Mover, ways: Ranked) -> bool {
        let are_small = [mover, other].map(|one| one.body.footprint) == [Footprint::ONE; 2];
        let Some(way) = mover.from.direction_to(other.from) else {
            return false;
        };
        if !self.asker.clears_path() || !are_small || !ways.any().contains(way.opposite()) {
            return false;
        }
        let steps = self.bystanders.steps(mover.from, self.asker.rules);
        let back = Ranked::steps(without(steps, way), way.opposite());
        // For a body that steps back all others make room.
        self.asker.is_under = true;
        let has_moved = self.make_any_way(mover, back, 0);
        if has_moved {
            self.go(other, mover.from);
        }
        has_moved
    }

    fn go(&mut self, mover: Mover, to: Cell) {
        let (rows, footprint) = (&mut self.ground.rows, mover.body.footprint);
        rows.step(mover.agent, footprint, mover.from, to);
        self.memory.steps.push((mover, to));
    }

    /// Takes all steps of the attempt.
    fn take_steps(&mut self) {
        for (mover, to) in self.memory.steps.drain(..) {
            let (ground, footprint) = (&mut *self.ground, mover.body.footprint);
            ground.note_step(mover.agent, footprint, mover.from, to);
            if mover.makes_room {
                ground.outcomes.mark_made_room(mover.agent);
            }
        }
    }

    /// Rolls back a failed attempt from its first step, of those from `from` on, that moved a body
    /// away from its target. Earlier steps stay: they may unblock the next tick. A body that came
    /// back may be asked again, since another way may be of use.
    fn fail(&mut self, from: usize) {
        let PushMemory { steps, asked, .. } = &mut *self.memory;
        let mut failed = steps[from..].iter();
        let Some(first) = failed.position(|(mover, _)| mover.is_beside) else {
            return;
        };
        for (mover, to) in steps.drain(from + first..).rev() {
            let (rows, footprint) = (&mut self.ground.rows, mover.body.footprint);
            rows.step(mover.agent, footprint, to, mover.from);
            if mover.was_asleep {
                rows.sleep(mover.from);
            }
            asked.remove(&(mover.agent.index(), self.proposal.target));
        }
    }

    /// Moves a body one of the ways that are ranked, the best that it can. Returns whether it went.
    fn make_any_way(&mut self, mover: Mover, ranked: Ranked, depth: u32) -> bool {
        for mut tier in ranked.tiers {
            while let Some(way) = nearest(tier, ranked.toward) {
                tier = without(tier, way);
                if let Some(to) = mover.from.step(way)
                    && self.make_way(mover, to, depth)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Moves a body to a place beside it once all bodies are out of it. Returns whether it went.
    fn make_way(&mut self, mover: Mover, to: Cell, depth: u32) -> bool {
        let (first, footprint) = (self.memory.steps.len(), mover.body.footprint);
        let is_open = self.ground.rows.is_open(mover.agent, mover.body, to);
        let is_clear = if footprint == Footprint::ONE {
            is_open && self.clear(to, depth)
        } else {
            let (here, there) = (footprint.area(mover.from), footprint.area(to));
            let ahead = there.cells().filter(|&cell| !here.contains(cell));
            is_open && self.clear_all(there, ahead, depth)
        };
        if is_clear {
            self.go(mover, to);
        } else {
            self.fail(first);
        }
        is_clear
    }

    /// Frees some cells of a place, to which no body may come back meanwhile. Returns whether all
    /// are free.
    fn clear_all(
        &mut self,
        place: Area,
        cells: impl IntoIterator<Item = Cell>,
        depth: u32,
    ) -> bool {
        self.memory.claims.push(place);
        let are_clear = cells.into_iter().all(|cell| self.clear(cell, depth));
        self.memory.claims.pop();
        are_clear
    }

    /// Frees a cell. Returns whether it is free. Several bodies may stand on it, as soft ones do.
    fn clear(&mut self, cell: Cell, depth: u32) -> bool {
        // Cells further away belong to another strip.
        if !self.ground.rows.sees(cell) {
            self.memory.refuse(true);
            return false;
        }
        let Proposal { from, body, .. } = *self.proposal;
        let is_asker = body.footprint.area(from).contains(cell);
        while let Some(holder) = self.ground.rows.holder(cell) {
            let memory = &mut *self.memory;
            let is_over = depth >= DEPTH_MAX || memory.visits <= memory.visits_end;
            if is_asker || is_over {
                memory.refuse(is_over);
                return false;
            }
            let attempt = memory.refused.len() - 1;
            match memory.asked.entry((holder, self.proposal.target)) {
                Entry::Vacant(entry) => entry.insert(attempt),
                // Bodies in the chain were asked, too: no body moves onto their cells.
                Entry::Occupied(entry) => {
                    let was_refused = memory.refused[*entry.get()];
                    memory.refuse(was_refused);
                    return false;
                }
            };
            memory.visits -= 1;
            if !self.move_on(holder, cell, depth) {
                return false;
            }
        }
        true
    }

    /// Moves a body that stands in the way on, or out of the way.
    fn move_on(&mut self, holder: EntityIndex, cell: Cell, depth: u32) -> bool {
        let Some((mover, mut ranked)) = self.ask(holder, cell) else {
            return false;
        };
        let (body, from, rows) = (mover.body, mover.from, &self.ground.rows);
        if body.footprint != Footprint::ONE || !self.memory.claims.is_empty() {
            ranked.tiers = ranked.tiers.map(|tier| self.off_claims(tier, mover, cell));
        }
        // Free cells before cells that a body would have to leave.
        let free = match body.kind {
            BodyKind::Solid => rows.entries(mover.agent, body, from, ranked.any()).free,
            BodyKind::Soft => ranked.any(),
        };
        let mut tiers = ranked.tiers.iter();
        let way = tiers.find_map(|tier| nearest(free.intersection(*tier), ranked.toward));
        if let Some(to) = way.and_then(|way| from.step(way)) {
            self.go(mover, to);
            return true;
        }
        self.make_any_way(mover, ranked, depth + 1)
    }

    /// The ways of a body that lead off a cell, and onto none that is claimed.
    fn off_claims(&self, ways: Directions, mover: Mover, cell: Cell) -> Directions {
        let is_claimed =
            |one| one == cell || self.memory.claims.iter().any(|claim| claim.contains(one));
        let leading = ways.into_iter().filter(|&way| {
            let to = mover.from.step(way);
            to.is_some_and(|to| !mover.body.footprint.area(to).cells().any(is_claimed))
        });
        leading.collect()
    }

    /// Asks the body that covers a cell. Returns it with the moves by which it makes room; `None`
    /// if it makes no room for the asker.
    fn ask(&mut self, holder: EntityIndex, cell: Cell) -> Option<(Mover, Ranked)> {
        let (agent, other) = self.bystanders.body(holder)?;
        // Where it was before the tick, from which it may have stepped.
        let (at, footprint) = (other.at, other.body.footprint);
        let area = footprint.area(at);
        let is_here = at == cell && footprint == Footprint::ONE
            || area.contains(cell)
                && !self.ground.outcomes.has_stepped(agent)
                && self.ground.rows.sees(at)
                && self.ground.rows.sees(area.last());
        let relation = Relation::of(&self.asker, Some(&other));
        if !other.may_step || !is_here || !relation.yields(&self.asker, &other) {
            self.memory.refuse(true);
            return None;
        }
        let own = self.proposal.body.footprint;
        let path = || self.path.iter().take(DEPTH_MAX as usize);
        let (along, onto) = if self.asker.clears_path() {
            (Directions::NONE, onto(path, own, &other))
        } else {
            (along(path(), own, area), Directions::NONE)
        };
        let request = Request {
            asker: &self.asker,
            body: &other,
            relation,
            along,
            onto,
            is_large: footprint != Footprint::ONE || own != Footprint::ONE,
        };
        let ranked = self.bystanders.ways(agent, &request)?;
        let mover = Mover {
            agent,
            body: other.body,
            from: at,
            is_beside: other.pose == Pose::Reached,
            makes_room: other.target != self.asker.target,
            was_asleep: self.ground.rows.is_asleep(at),
        };
        Some((mover, ranked))
    }
}

#[cfg(test)]
mod tests;
