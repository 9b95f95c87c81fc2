//! What every body does in a tick, once cells are given out.

use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a body does in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepOutcome {
    /// Nothing that concerns others.
    Nothing,
    /// A step to this cell.
    Step {
        to: Cell,
        /// By a detour, which it follows from now on.
        by_detour: bool,
    },
    /// It wanted to step and found no cell.
    Rest {
        /// A cell beside it became free afterwards.
        woken: bool,
    },
    /// It followed a detour, and there is none any longer.
    Lost,
    /// It waits, and a cell beside it became free.
    Wake,
}

/// What all bodies do in a tick, by the index of an entity, a word each. Everybody takes its own
/// when it is done, so that nothing is left for the next tick.
#[derive(Resource, Default)]
pub(crate) struct Outcomes(Vec<AtomicU64>);

/// In the lowest byte; a cell is in the others.
const STEP: u64 = 1;
const REST: u64 = 2;
const REST_WOKEN: u64 = 3;
const WAKE: u64 = 4;
const DETOUR: u64 = 5;
const LOST: u64 = 6;

impl Outcomes {
    /// Makes room for so many agents: those with a lower index.
    pub(super) fn make_room(&mut self, agents: usize) {
        if self.0.len() < agents {
            self.0.resize_with(agents, AtomicU64::default);
        }
    }

    /// Has the outcome of an agent be another one, given the one there was. Nobody else does so at
    /// the same time: an agent is in one strip only.
    #[inline]
    fn turn(&self, agent: u32, turn: impl FnOnce(u64) -> u64) {
        if let Some(outcome) = self.0.get(agent as usize) {
            outcome.store(turn(outcome.load(Relaxed)), Relaxed);
        }
    }

    #[inline]
    pub(super) fn step(&self, agent: Entity, to: Cell) {
        let cell = u64::from(to.x) | u64::from(to.y) << 16 | u64::from(to.floor) << 32;
        if let Some(outcome) = self.0.get(agent.index_u32() as usize) {
            outcome.store(cell << 8 | STEP, Relaxed);
        }
    }

    /// Marks the step that an agent takes as one by a detour.
    pub(super) fn by_detour(&self, agent: Entity) {
        self.turn(agent.index_u32(), |outcome| outcome & !0xff | DETOUR);
    }

    /// Has an agent drop the detour that it followed.
    pub(super) fn lose_detour(&self, agent: Entity) {
        self.turn(agent.index_u32(), |_| LOST);
    }

    pub(super) fn rest(&self, agent: Entity) {
        self.turn(agent.index_u32(), |outcome| {
            if outcome == WAKE { REST_WOKEN } else { REST }
        });
    }

    pub(super) fn wake(&self, agent: EntityIndex) {
        self.turn(agent.index(), |outcome| match outcome {
            0 => WAKE,
            REST => REST_WOKEN,
            other => other,
        });
    }

    /// Whether a body has a step already.
    #[inline]
    pub(super) fn has_stepped(&self, agent: Entity) -> bool {
        let outcome = self.0.get(agent.index_u32() as usize);
        outcome.is_some_and(|outcome| matches!(outcome.load(Relaxed) & 0xff, STEP | DETOUR))
    }

    /// Whether there is something for a body to do.
    #[inline]
    pub(super) fn is_something(&self, agent: Entity) -> bool {
        let outcome = self.0.get(agent.index_u32() as usize);
        outcome.is_some_and(|outcome| outcome.load(Relaxed) != 0)
    }

    /// What a body does; from then on nothing.
    #[inline]
    pub(super) fn take(&self, agent: Entity) -> StepOutcome {
        let Some(outcome) = self.0.get(agent.index_u32() as usize) else {
            return StepOutcome::Nothing;
        };
        let word = outcome.load(Relaxed);
        outcome.store(0, Relaxed);
        match word & 0xff {
            0 => StepOutcome::Nothing,
            kind @ (STEP | DETOUR) => StepOutcome::Step {
                to: Cell {
                    x: (word >> 8) as u16,
                    y: (word >> 24) as u16,
                    floor: (word >> 40) as u8,
                },
                by_detour: kind == DETOUR,
            },
            WAKE => StepOutcome::Wake,
            LOST => StepOutcome::Lost,
            rest => StepOutcome::Rest {
                woken: rest == REST_WOKEN,
            },
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.capacity() * size_of::<AtomicU64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_taken_once() {
        let agent = Entity::from_raw_u32(7).expect("a valid index");
        let mut outcomes = Outcomes::default();
        outcomes.make_room(8);
        assert_eq!(outcomes.take(agent), StepOutcome::Nothing);
        let to = Cell::new(65_535, 300).on_floor(200);
        outcomes.step(agent, to);
        outcomes.wake(agent.index());
        assert!(outcomes.has_stepped(agent));
        let step = |by_detour| StepOutcome::Step { to, by_detour };
        assert_eq!(outcomes.take(agent), step(false));
        outcomes.step(agent, to);
        outcomes.by_detour(agent);
        assert_eq!(outcomes.take(agent), step(true));
        assert_eq!(outcomes.take(agent), StepOutcome::Nothing);
        outcomes.wake(agent.index());
        outcomes.rest(agent);
        assert_eq!(outcomes.take(agent), StepOutcome::Rest { woken: true });
        outcomes.rest(agent);
        outcomes.wake(agent.index());
        assert_eq!(outcomes.take(agent), StepOutcome::Rest { woken: true });
        outcomes.wake(agent.index());
        assert_eq!(outcomes.take(agent), StepOutcome::Wake);
    }
}
