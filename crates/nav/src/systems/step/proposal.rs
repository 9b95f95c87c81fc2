//! What bodies want, and in which order they get it.

use super::next_step::FieldRef;
use crate::{
    AgentId, Body, MoveTimer, NavTime, NavTimer,
    systems::storage::{tick_events::StepEvents, visit::VisitPool},
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Direction, Directions};

/// A step that a body wants to take. As large as a line of the cache, and in one: they are read in the order of
/// strips, which is none in memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Proposal {
    /// It gets a cell before all with a higher number. The lowest 32 bits are the number of the agent.
    pub(super) rank: u64,
    pub(super) waits: u8,
    /// Whether it has others make room if it has to.
    pub(super) pushes: bool,
    /// Whether it looks for a detour if it finds no cell.
    pub(super) detours: bool,
    /// Whether it does so if somebody is in its way who stays.
    pub(super) looks_who_stays: bool,
    /// Whether it looks again after its chasing period if it finds no cell: one of those in front of a
    /// pack whose target goes on.
    pub(super) is_in_front: bool,
    /// Whether others make room for it: see [`FieldAnchor::is_pressed`](crate::FieldAnchor).
    pub(super) presses: bool,
    /// How many cells away a target of one cell is at most that it may reach; at most 255.
    pub(super) near: u8,
    pub(super) agent: Entity,
    pub(super) target: Entity,
    pub(super) map: Entity,
    pub(super) from: Cell,
    pub(super) body: Body,
    pub(super) step: ProposedStep,
}

impl Proposal {
    /// What proposals are put in order by: numbers of agents, which are part of the rank, are unique unless the
    /// game gave one twice.
    pub(super) const fn order(&self) -> (u64, Entity) {
        (self.rank, self.agent)
    }

    /// The number of the agent.
    pub(super) const fn id(&self) -> AgentId {
        AgentId(self.rank as u32)
    }
}

const _: () = assert!(size_of::<Proposal>() == 64, "two lines of the cache each");

/// Where a proposal leads.
#[derive(Clone, Copy)]
pub(super) enum ProposedStep {
    /// To one cell.
    To(Cell),
    /// On by the detour that it follows.
    Detour,
    /// Along with the target that it is beside.
    Along(Cell),
    /// Any way off the cells of the target, which came onto its own, back where that came from first.
    Aside { ways: Directions, wished: Direction },
    /// To any that a field ranks, those in a wished direction first.
    Ranked {
        field: FieldRef,
        best: Directions,
        sides: Directions,
        wished: Direction,
    },
}

/// What the bodies want in a tick.
#[derive(Resource, Default)]
pub(crate) struct Proposals {
    pub(super) list: Vec<Proposal>,
    pub(super) pool: VisitPool<ProposeScratch>,
}

/// What a task that asks bodies collects.
#[derive(Default)]
pub(crate) struct ProposeScratch {
    pub(super) proposals: Vec<Proposal>,
    pub(super) events: StepEvents,
}

/// The rank of a body whose target is in a cell so far away. Of those after one target, or after targets near each other, those who go
/// along beside it come first, then those in front, so that those behind them can follow; of equals
/// who waited longer, then by number. What is near each other in memory, a target's surroundings, is
/// so visited in one go.
pub(super) fn rank(
    (target, away): (Cell, u16),
    from: Cell,
    step: ProposedStep,
    waits: u8,
    id: AgentId,
) -> u64 {
    const SQUARE: u16 = 32;
    let (row, column) = (target.y / SQUARE, target.x / SQUARE);
    let (distance, waits) = match step {
        ProposedStep::Aside { .. } => (0, NavTimer::WAITS_MAX),
        ProposedStep::Along(to) => (0, turn_along(target, from, to)),
        _ => (away.clamp(1, 511), waits),
    };
    let waits = NavTimer::WAITS_MAX - waits;
    u64::from(row) << 54
        | u64::from(column) << 44
        | u64::from(distance) << 35
        | u64::from(waits) << 32
        | u64::from(id.0)
}

/// In which order bodies that go along with their target do so, as waits: those in front, seen from
/// where it goes, make room for the others.
fn turn_along(target: Cell, from: Cell, to: Cell) -> u8 {
    let delta = |one: u16, other: u16| (i32::from(one) - i32::from(other)).clamp(-1, 1);
    let ahead = delta(from.x, target.x) * delta(to.x, from.x)
        + delta(from.y, target.y) * delta(to.y, from.y);
    (4 + ahead) as u8
}

/// How many cells away from their target those in front of a pack are at most.
pub(super) const FRONT: u16 = 3;

/// How often before it takes those for ground who stay while its target moves: most who wait behind a pack
/// that moves wait for those of it who rest a moment.
pub(super) const WAITS_LONG: u8 = NavTimer::WAITS_MAX;

/// Whether a body that finds no cell pushes: one that waited before in this chase and came on since
/// does so at once, and so goes on as long as it finds those who make room; one that stood before
/// pushes [in its turn](periods_until_push).
pub(super) fn pushes(id: AgentId, timer: &NavTimer, moves: &MoveTimer, now: NavTime) -> bool {
    // Without a branch: who stands and whose turn it is follows no pattern.
    timer.has_waited() & (!timer.stands() | (periods_until_push(id, moves, now) == 0))
}

/// In how many idle periods it is a standing body's turn to push: it pushes in one of eight.
pub(super) fn periods_until_push(id: AgentId, moves: &MoveTimer, now: NavTime) -> u64 {
    const PERIODS_PER_PUSH: u64 = 8;
    let period = now.0 / moves.idle.nanos().max(1);
    (period + u64::from(id.0)).wrapping_neg() % PERIODS_PER_PUSH
}
