//! Making room: a body that waited long moves the bodies in front of it aside.

use super::{crowd::Crowd, detours::Detour, proposals::Proposal, reserve::StripGround};
use crate::{
    Body, BodyKind,
    systems::guidance::{Ranked, TargetViews, nearest, without},
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell, Direction, Directions, Footprint};

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
/// to make room takes over the asker's priority, tries its own ways in the order in which it prefers
/// them, and asks the bodies that stand there in turn. Where one cannot move, the one before tries
/// another way.
///
/// A body is not asked if it waited longer than the first asker, or as long with a lower number, nor
/// between two move ticks of a walk. Two bodies never change places. A body that gets to no place
/// beside its own target counts as having just begun to wait. A body that chases the same
/// target is not asked to go further away from it, which helps no one unless one of them is large. A body within
/// reach of its target stays there: it moves along to another place from which it reaches it, if the asker's
/// [detour](super::detours) leads past it, and gives its place up only to a body under the target.
///
/// Unlike in the paper, only bodies that waited push, chains are bounded in depth and do not leave
/// the ground around a strip, and the work of a tick is bounded, too: the rest wait for the next one.
pub(super) struct Push<'a, 'g> {
    pub(super) ground: &'a mut StripGround<'g>,
    pub(super) crowd: &'a Crowd<'a>,
    /// The proposal of the first asker.
    pub(super) proposal: &'a Proposal,
    /// The detour that it takes, if it does.
    pub(super) detour: Option<&'a Detour>,
    memory: &'a mut PushMemory,
    /// The visits that are left when this attempt ends.
    visits_end: i32,
    /// Bodies in the way mostly chase the same target.
    pub(super) views: TargetViews<'a>,
}

/// Bodies that one attempt may ask. A jam of a hundred bodies is solved at once; one of thousands
/// gets another attempt in the next tick. A guess.
const VISITS_PER_PUSH: i32 = 192;

/// Bodies that may have to move for one: a queue across most of a default window. A guess.
const DEPTH_MAX: u32 = 64;

/// Bodies of a strip that may be asked in a tick, by its number of proposals: a share, so that a
/// crowd of a million stays within its tick, between bounds for small jams and for large ones. Each
/// takes about a fifth of a microsecond.
fn visits_max(proposals: usize) -> i32 {
    const VISITS_MIN: i32 = 32;
    const VISITS_MAX: i32 = 256;
    let share = i32::try_from(proposals / 16).unwrap_or(VISITS_MAX);
    VISITS_MIN.saturating_add(share).min(VISITS_MAX)
}

/// The common data of the attempts of a strip, and memory for them.
#[derive(Default)]
pub(super) struct PushMemory {
    /// Bodies that were asked to make room, each for bodies after a target, by the indices of both.
    /// If they did not, there is no use in asking again: later askers have waited less. Only looked
    /// up.
    asked: HashSet<u64>,
    /// Bodies that may still be asked.
    visits: i32,
    /// Places that bodies of several cells free cell by cell: no body may come back to one.
    claims: Vec<Area>,
    /// The steps of an attempt.
    steps: Vec<PushedStep>,
}

/// A body that moves.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) agent: Entity,
    pub(super) body: Body,
    /// Whether it was within reach of its target when it was asked.
    pub(super) is_beside: bool,
}

struct PushedStep {
    mover: Mover,
    from: Cell,
    to: Cell,
    was_asleep: bool,
}

impl PushMemory {
    /// Begins a strip with its number of proposals.
    pub(super) fn begin(&mut self, proposals: usize) {
        self.asked.clear();
        self.visits = visits_max(proposals);
    }

    fn go(&mut self, ground: &mut StripGround, mover: Mover, from: Cell, to: Cell) {
        self.steps.push(PushedStep {
            mover,
            from,
            to,
            was_asleep: ground.rows.is_asleep(from),
        });
        ground
            .rows
            .step(mover.agent, mover.body.footprint, from, to);
    }

    /// Takes all steps of an attempt.
    fn take_steps(&mut self, ground: &mut StripGround) {
        for step in self.steps.drain(..) {
            let Mover { agent, body, .. } = step.mover;
            ground.note_step(agent, body.footprint, step.from, step.to);
        }
    }

    /// Rolls back a failed attempt from its first step, of those from `from` on, that moved a body
    /// away from its target. Earlier steps stay: they may unblock the next tick. A body that came
    /// back may be asked again, since another way may be of use.
    fn fail(&mut self, ground: &mut StripGround, from: usize, target: Entity) {
        let mut failed = self.steps[from..].iter();
        let Some(first) = failed.position(|step| step.mover.is_beside) else {
            return;
        };
        for step in self.steps.drain(from + first..).rev() {
            let Mover { agent, body, .. } = step.mover;
            ground.rows.step(agent, body.footprint, step.to, step.from);
            if step.was_asleep {
                ground.rows.sleep(step.from);
            }
            self.asked.remove(&holder_and_target(agent.index(), target));
        }
    }
}

fn holder_and_target(holder: EntityIndex, target: Entity) -> u64 {
    u64::from(holder.index()) << 32 | u64::from(target.index_u32())
}

impl<'a, 'g> Push<'a, 'g> {
    pub(super) fn new(
        ground: &'a mut StripGround<'g>,
        crowd: &'a Crowd<'a>,
        proposal: &'a Proposal,
        detour: Option<&'a Detour>,
        memory: &'a mut PushMemory,
    ) -> Self {
        Self {
            ground,
            crowd,
            proposal,
            detour,
            visits_end: memory.visits - VISITS_PER_PUSH,
            memory,
            views: crowd.params.views(crowd.targets),
        }
    }

    /// Moves a body in front of the asker aside, by the moves that its guide ranks, and the asker
    /// there, if the asker presses and bodies of the strip may still be asked.
    pub(super) fn make_room(&mut self, ranked: Ranked) {
        let (agent, from, body) = (self.proposal.agent, self.proposal.from, self.proposal.body);
        let may_ask = self.proposal.presses && self.memory.visits > 0;
        if body.kind != BodyKind::Solid || !may_ask {
            return;
        }
        let mover = Mover {
            agent,
            body,
            is_beside: false,
        };
        // Without a detour, sides lead past bodies and not through them.
        let tiers = match self.detour {
            Some(_) => ranked.tiers,
            None => [ranked.tiers[0], Directions::NONE, Directions::NONE],
        };
        let has_gone = self.make_any_way(mover, from, Ranked { tiers, ..ranked }, 0);
        self.memory.take_steps(self.ground);
        if has_gone && self.detour.is_some() {
            self.crowd.outcomes.by_detour(agent);
        }
    }

    /// Moves the bodies aside that cover a place of the asker elsewhere, as the end of a link.
    pub(super) fn clear_place(&mut self, place: Cell) {
        let area = self.proposal.body.footprint.area(place);
        if !self.clear_all(area, area.cells(), 0) {
            self.memory.fail(self.ground, 0, self.proposal.target);
        }
        self.memory.take_steps(self.ground);
    }

    /// The moves from a cell by the asker's detour.
    pub(super) fn by_detour(&mut self, from: Cell) -> Option<Ranked> {
        let view = self.views.get(self.proposal.key())?;
        self.detour?.ranked_from(view, from, self.proposal.presses)
    }

    /// Moves a body one of the ways that are ranked, the best that it can. Returns whether it went.
    fn make_any_way(
        &mut self,
        mover: Mover,
        from: Cell,
        Ranked { tiers, toward, .. }: Ranked,
        depth: u32,
    ) -> bool {
        for mut tier in tiers {
            while let Some(way) = nearest(tier, toward) {
                tier = without(tier, way);
                if self.make_way(mover, from, way, depth) {
                    return true;
                }
            }
        }
        false
    }

    /// Moves a body one way once all bodies are out of it. Returns whether it went.
    fn make_way(&mut self, mover: Mover, from: Cell, way: Direction, depth: u32) -> bool {
        let Mover { agent, body, .. } = mover;
        let Some(to) = from.step(way) else {
            return false;
        };
        let footprint = body.footprint;
        if !self.ground.rows.is_open(agent, body, to) {
            return false;
        }
        let first = self.memory.steps.len();
        let is_clear = if footprint == Footprint::ONE {
            self.clear(to, depth)
        } else {
            let (here, there) = (footprint.area(from), footprint.area(to));
            let ahead = there.cells().filter(|&cell| !here.contains(cell));
            self.clear_all(there, ahead, depth)
        };
        if is_clear {
            self.memory.go(self.ground, mover, from, to);
        } else {
            self.memory.fail(self.ground, first, self.proposal.target);
        }
        is_clear
    }

    /// Frees some cells of a place, to which no body may come back meanwhile. Returns whether all are
    /// free.
    fn clear_all(
        &mut self,
        place: Area,
        mut cells: impl Iterator<Item = Cell>,
        depth: u32,
    ) -> bool {
        self.memory.claims.push(place);
        let are_clear = cells.all(|cell| self.clear(cell, depth));
        self.memory.claims.pop();
        are_clear
    }

    /// Frees a cell. Returns whether it is free. Several bodies may stand on it, as soft ones do.
    fn clear(&mut self, cell: Cell, depth: u32) -> bool {
        // Cells further away belong to another strip.
        if !self.ground.rows.sees(cell) {
            return false;
        }
        let (from, body, target) = (self.proposal.from, self.proposal.body, self.proposal.target);
        let is_asker = body.footprint.area(from).contains(cell);
        while let Some(holder) = self.ground.rows.holder(cell) {
            if is_asker || depth >= DEPTH_MAX || self.memory.visits <= self.visits_end {
                return false;
            }
            // Bodies in the chain were asked, too: no body moves onto their cells.
            if !self.memory.asked.insert(holder_and_target(holder, target)) {
                return false;
            }
            self.memory.visits -= 1;
            if !self.move_on(holder, cell, depth) {
                return false;
            }
        }
        true
    }

    /// Moves a body that stands in the way on, or out of the way.
    fn move_on(&mut self, holder: EntityIndex, cell: Cell, depth: u32) -> bool {
        let Some((mover, at, mut ranked)) = self.ask(holder, cell) else {
            return false;
        };
        let Mover { agent, body, .. } = mover;
        let footprint = body.footprint;
        if footprint != Footprint::ONE || !self.memory.claims.is_empty() {
            ranked.tiers = ranked
                .tiers
                .map(|tier| self.off_claims(tier, footprint, at, cell));
        }
        // Free cells before cells that a body would have to leave.
        let free = match body.kind {
            BodyKind::Solid => self.ground.rows.entries(agent, body, at, ranked.any()).free,
            BodyKind::Soft => ranked.any(),
        };
        for tier in ranked.tiers {
            if let Some(way) = nearest(free.intersection(tier), ranked.toward)
                && let Some(to) = at.step(way)
            {
                self.memory.go(self.ground, mover, at, to);
                return true;
            }
        }
        self.make_any_way(mover, at, ranked, depth + 1)
    }

    /// The ways of a body that lead off a cell, and onto none that is claimed.
    fn off_claims(
        &self,
        ways: Directions,
        footprint: Footprint,
        at: Cell,
        cell: Cell,
    ) -> Directions {
        let is_claimed =
            |one| one == cell || self.memory.claims.iter().any(|claim| claim.contains(one));
        let leads_off = |way: &Direction| {
            at.step(*way)
                .is_some_and(|to| !footprint.area(to).cells().any(is_claimed))
        };
        ways.into_iter().filter(leads_off).collect()
    }
}
