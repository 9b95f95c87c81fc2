//! Making room: a body that waited long moves the bodies in front of it aside.

use super::{around::Around, proposals::Proposal, reserve::StripGround};
use crate::{
    Body, BodyKind,
    systems::{
        crowd::{Asker, Neighbour, Relation, StandingBodyItem},
        guidance::{Guide, Ranked, TargetViews, heading, nearest, without},
        storage::columns::ChaseKey,
    },
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell, Direction, Directions, Footprint, Grid};

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
/// another way. Who makes room for the first asker is said by [`Relation::yields`].
///
/// Unlike in the paper, only bodies that waited push, chains are bounded in depth and do not leave
/// the ground around a strip, and the work of a tick is bounded, too: the rest wait for the next one.
/// Two bodies never change places.
pub(super) struct Push<'a, 'g> {
    ground: &'a mut StripGround<'g>,
    around: &'a Around<'a>,
    /// The proposal of the first asker.
    proposal: &'a Proposal,
    asker: Asker,
    memory: &'a mut PushMemory,
    /// The visits that are left when this attempt ends.
    visits_end: i32,
    /// Bodies in the way mostly chase the same target.
    views: TargetViews<'a>,
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
    /// The first waypoints of the asker, if it follows a path.
    along: Vec<Cell>,
}

/// A body that moves.
#[derive(Clone, Copy)]
struct Mover {
    agent: Entity,
    body: Body,
    /// Whether it was within reach of its target when it was asked.
    is_beside: bool,
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
    /// An attempt of a body with a proposal; `None` if nobody makes room for it.
    pub(super) fn new(
        ground: &'a mut StripGround<'g>,
        around: &'a Around<'a>,
        proposal: &'a Proposal,
        memory: &'a mut PushMemory,
    ) -> Option<Self> {
        let may_ask = proposal.presses && memory.visits > 0;
        if proposal.body.kind != BodyKind::Solid || !may_ask {
            return None;
        }
        let body = around.crowd.body(proposal.agent)?;
        memory.along.clear();
        memory
            .along
            .extend(body.cursor.path().iter().take(DEPTH_MAX as usize));
        Some(Self {
            ground,
            around,
            proposal,
            asker: body.asker(proposal.is_under),
            visits_end: memory.visits - VISITS_PER_PUSH,
            memory,
            views: around.views(),
        })
    }

    /// Moves a body in front of the asker aside, and the asker there: one of its best moves, since sides
    /// lead past bodies and not through them.
    pub(super) fn make_room(&mut self) {
        let Proposal {
            agent,
            from,
            body,
            ranked,
            ..
        } = *self.proposal;
        let mover = Mover {
            agent,
            body,
            is_beside: false,
        };
        let tiers = [ranked.tiers[0], Directions::NONE, Directions::NONE];
        self.make_any_way(mover, from, Ranked { tiers, ..ranked }, 0);
        self.memory.take_steps(self.ground);
    }

    /// Moves the bodies aside that cover a place of the asker elsewhere, as the end of a link.
    pub(super) fn clear_place(&mut self, place: Cell) {
        let area = self.proposal.body.footprint.area(place);
        if !self.clear_all(area, area.cells(), 0) {
            self.memory.fail(self.ground, 0, self.proposal.target);
        }
        self.memory.take_steps(self.ground);
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

    /// Asks the body that covers a cell. Returns the body, its place, and the moves by which it makes
    /// room; `None` if it makes no room for the asker.
    fn ask(&mut self, holder: EntityIndex, cell: Cell) -> Option<(Mover, Cell, Ranked)> {
        let agent = self.around.crowd.agent(holder);
        let other = self.around.crowd.neighbour(agent)?;
        let body = self.around.crowd.body(agent)?;
        if !other.may_step || body.on_map.0 != self.proposal.map {
            return None;
        }
        // Where it was before the tick, from which it may have stepped.
        let (at, footprint) = (other.at, other.body.footprint);
        let is_here = at == cell && footprint == Footprint::ONE
            || footprint.area(at).contains(cell)
                && !self.around.outcomes.has_stepped(agent)
                && self.ground.rows.sees(at)
                && self.ground.rows.sees(footprint.area(at).last());
        let relation = Relation::of(&self.asker, Some(&other));
        if !is_here || !relation.yields(&self.asker, &other) {
            return None;
        }
        let mover = Mover {
            agent,
            body: other.body,
            is_beside: body.cursor.is_reached(),
        };
        let grid = self.around.params.map(Some(self.proposal.map))?.grid();
        let ranked = self.ways(relation, &other, &body, grid)?;
        Some((mover, at, ranked))
    }

    /// The moves by which a body makes room.
    fn ways(
        &mut self,
        relation: Relation,
        other: &Neighbour,
        body: &StandingBodyItem,
        grid: &Grid,
    ) -> Option<Ranked> {
        let at = other.at;
        let all = grid.steps(at, other.rules);
        let along = self.along(other.body.footprint.area(at)).intersection(all);
        let key = ChaseKey::new(body.tuning, body.chasing, body.on_map);
        let view = self.views.get(key)?;
        let mut ranked = match relation {
            Relation::Beside | Relation::Outer | Relation::Settled => {
                let stays = |way: &Direction| {
                    let to = at.step(*way);
                    to.is_some_and(|to| view.is_within_reach(body.chaser.into(), body.cursor, to))
                };
                let stays: Directions = all.into_iter().filter(stays).collect();
                let leaves = relation == Relation::Settled || self.asker.is_under;
                Ranked {
                    tiers: [
                        along.intersection(stays),
                        stays,
                        if leaves { all } else { Directions::NONE },
                    ],
                    ..Ranked::default()
                }
            }
            _ => {
                // A far field is prepared around chasers whose move tick it is.
                let guide = Guide::of(body.cursor, body.cursor.path().peek(), view)
                    .filter(|guide| !matches!(guide, Guide::Far));
                let rules = view.rules().unwrap_or(other.rules);
                let own = guide.and_then(|guide| guide.next(view, at, || rules));
                let mut ranked = own.unwrap_or_default();
                let is_large = [other.body, self.proposal.body]
                    .iter()
                    .any(|body| body.footprint != Footprint::ONE);
                // Going further away helps no companion, unless both wedge each other before a door.
                let is_companion = other.target == self.proposal.target;
                let leaves = !is_companion || self.asker.is_under || is_large;
                let [best, sides, _] = ranked.tiers;
                ranked.tiers = [
                    Directions(best.0 | along.0),
                    sides,
                    if leaves { all } else { Directions::NONE },
                ];
                ranked
            }
        };
        let [best, sides, others] = ranked.tiers;
        ranked.tiers = [
            best,
            Directions(sides.0 & !best.0),
            Directions(others.0 & !best.0 & !sides.0),
        ];
        ranked.toward = along
            .into_iter()
            .next()
            .or_else(|| heading(at, view.cell()))
            .unwrap_or(Direction::North);
        Some(view.clear_of_target(ranked, at, other.rules))
    }

    /// The direction of the asker's path where it leads over an area, if it does and goes on.
    fn along(&self, area: Area) -> Directions {
        let footprint = self.proposal.body.footprint;
        let mut ahead = self
            .memory
            .along
            .iter()
            .skip_while(|&&cell| !footprint.area(cell).meets(area));
        let here = ahead.next().zip(ahead.next());
        let way = here.and_then(|(here, &next)| here.direction_to(next));
        way.map_or(Directions::NONE, Directions::from)
    }
}
