//! What pushes of a strip share: whom they asked, and the steps of an attempt until it succeeds or fails.

use super::strip_ground::StripGround;
use crate::Body;
use bevy_ecs::{entity::EntityIndex, prelude::*};
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell};

/// What the attempts of a strip share, and memory for them.
#[derive(Default)]
pub(super) struct PushMemory {
    /// Bodies that were asked to make room, each for those after a target, by the indices of both: if
    /// they did not, there is no use in asking again, since those who ask later have waited less. Only
    /// looked up.
    asked: HashSet<u64>,
    /// How many bodies may still be asked.
    visits: i32,
    /// What bodies of several cells free cell by cell: nobody may come back to one.
    pub(super) claims: Vec<Area>,
    /// The steps of an attempt.
    steps: Vec<PushedStep>,
}

/// Somebody who makes room, or for whom others do.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) agent: Entity,
    pub(super) body: Body,
    /// Whether it was asked where it is within reach of its target.
    pub(super) is_beside: bool,
}

impl Mover {
    pub(super) const fn new(agent: Entity, body: Body, is_beside: bool) -> Self {
        Self {
            agent,
            body,
            is_beside,
        }
    }
}

/// A step of somebody who makes room.
struct PushedStep {
    mover: Mover,
    from: Cell,
    to: Cell,
    was_asleep: bool,
}

impl PushMemory {
    /// Begins with a strip on which so many want something.
    pub(super) fn begin(&mut self, proposals: usize) {
        self.asked.clear();
        self.visits = visits_max(proposals);
    }

    /// How many bodies may still be asked; none below one.
    pub(super) const fn visits(&self) -> i32 {
        self.visits
    }

    /// Counts that somebody is asked for those after a target, unless that was before.
    pub(super) fn asks(&mut self, holder: EntityIndex, target: Entity) -> bool {
        let is_new = self.asked.insert(holder_and_target(holder, target));
        self.visits -= i32::from(is_new);
        is_new
    }

    /// Moves a body to a place beside it.
    pub(super) fn go(&mut self, ground: &mut StripGround, mover: Mover, from: Cell, to: Cell) {
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

    /// Has everybody take the steps of an attempt.
    pub(super) fn take_steps(&mut self, ground: &mut StripGround) {
        for step in self.steps.drain(..) {
            let Mover { agent, body, .. } = step.mover;
            ground.note_step(agent, body.footprint, step.from, step.to);
        }
    }

    /// How many steps an attempt consists of so far.
    pub(super) const fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Takes back what of a failed attempt, from one step on, had somebody leave its target for nothing, and all
    /// that came after. Others who made room do so all the same: what is in the way yet may be out of it
    /// in the next tick. Who came back may be asked again, since another way may be of use.
    pub(super) fn fail(&mut self, ground: &mut StripGround, from: usize, target: Entity) {
        let mut failed = self.steps[from..].iter();
        let Some(first) = failed.position(|step| step.mover.is_beside) else {
            return;
        };
        for step in self.steps.drain(from + first..).rev() {
            let PushedStep {
                mover: Mover { agent, body, .. },
                from,
                to,
                was_asleep,
            } = step;
            ground.rows.step(agent, body.footprint, to, from);
            if was_asleep {
                ground.rows.sleep(from);
            }
            self.asked.remove(&holder_and_target(agent.index(), target));
        }
    }
}

fn holder_and_target(holder: EntityIndex, target: Entity) -> u64 {
    u64::from(holder.index()) << 32 | u64::from(target.index_u32())
}

/// After how many bodies of a strip were asked in a tick nobody else pushes, by how many want
/// something there. Each takes about a fifth of a microsecond.
fn visits_max(proposals: usize) -> i32 {
    const VISITS_MIN: i32 = 32;
    const VISITS_MAX: i32 = 256;
    i32::try_from(proposals / 16).map_or(VISITS_MAX, |share| (VISITS_MIN + share).min(VISITS_MAX))
}
