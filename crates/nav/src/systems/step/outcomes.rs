//! What every body does in a tick, once cells are given out.

use crate::occupancy::Footing;
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a body does in a tick: its [kind](Self::kind) in the lowest byte, and what belongs to that in
/// the others. Taken apart where it is looked at: whether it is a step or a rest is found only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepOutcome(u64);

/// Which sort of thing a body does in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum OutcomeKind {
    /// Nothing that concerns others.
    Nothing,
    /// A step [to](StepOutcome::to) a cell.
    Step,
    /// It wanted to step and found no cell. It may be one of those [in front](StepOutcome::is_in_front).
    Rest,
    /// The same, and a cell beside it became free afterwards.
    RestWoken,
    /// It waits, and a cell beside it became free.
    Wake,
    /// It wanted to step where a cell has to be lent first.
    Wish,
    /// A step by a detour, which it follows from now on.
    StepByDetour,
    /// It followed a detour, and there is none any longer.
    Lost,
}

impl OutcomeKind {
    /// All of them, in the order of their numbers.
    const ALL: [Self; 8] = [
        Self::Nothing,
        Self::Step,
        Self::Rest,
        Self::RestWoken,
        Self::Wake,
        Self::Wish,
        Self::StepByDetour,
        Self::Lost,
    ];
}

impl StepOutcome {
    #[inline]
    pub(super) const fn kind(self) -> OutcomeKind {
        OutcomeKind::ALL[(self.0 & KIND) as usize % OutcomeKind::ALL.len()]
    }

    /// Where a step leads.
    #[inline]
    pub(super) const fn to(self) -> Cell {
        self.footing().cell()
    }

    /// The same, and the footprint of who takes it.
    #[inline]
    pub(super) const fn footing(self) -> Footing {
        Footing::from_word(self.0 >> 8)
    }

    /// Whether no place is left for who rests, or none that it gets to.
    #[inline]
    pub(super) const fn has_no_place(self) -> bool {
        self.0 & NO_PLACE != 0
    }

    /// Whether who rests looks again after its chasing period.
    #[inline]
    pub(super) const fn is_in_front(self) -> bool {
        self.0 & IN_FRONT != 0
    }
}

/// What all bodies do in a tick, by the index of an entity, a word each. Everybody takes its own
/// when it is done, so that nothing is left for the next tick; only one that chases nobody and is woken, since
/// it holds the cell of a sleeper, takes none: its word is of that tick alone.
#[derive(Resource, Default)]
pub(crate) struct Outcomes {
    words: Vec<AtomicU64>,
    /// The word of one that is woken in this tick.
    woken: u64,
}

/// Set where there is an outcome: one bit is looked at without a branch, and whom something concerns follows
/// no pattern.
const SOMETHING: u64 = 1 << 63;

/// Where the kind is.
const KIND: u64 = SOMETHING | 0xff;

const STEP: u64 = SOMETHING | OutcomeKind::Step as u64;
const REST: u64 = SOMETHING | OutcomeKind::Rest as u64;
const REST_WOKEN: u64 = SOMETHING | OutcomeKind::RestWoken as u64;
const WAKE: u64 = SOMETHING | OutcomeKind::Wake as u64;
const DETOUR: u64 = SOMETHING | OutcomeKind::StepByDetour as u64;
const LOST: u64 = SOMETHING | OutcomeKind::Lost as u64;
const WISH: u64 = SOMETHING | OutcomeKind::Wish as u64;

const IN_FRONT: u64 = 1 << 8;
const NO_PLACE: u64 = 1 << 9;

const _: () = assert!(8 + Footing::BITS < 63, "a kind, a footing and a bit");

impl Outcomes {
    /// Begins a tick, with room for so many agents: those with a lower index.
    pub(super) fn begin_tick(&mut self, agents: usize) {
        if self.words.len() < agents {
            self.words.resize_with(agents, AtomicU64::default);
        }
        self.woken = self.woken.wrapping_add(1 << 8) & !KIND | WAKE;
    }

    /// Has the outcome of an agent be another one, given the one there was. Nobody else does so at
    /// the same time: an agent is in one strip only.
    #[inline]
    fn turn(&self, agent: u32, turn: impl FnOnce(u64) -> u64) {
        if let Some(outcome) = self.words.get(agent as usize) {
            outcome.store(turn(outcome.load(Relaxed)), Relaxed);
        }
    }

    #[inline]
    pub(super) fn step(&self, agent: Entity, to: Footing) {
        if let Some(outcome) = self.words.get(agent.index_u32() as usize) {
            outcome.store(to.word() << 8 | STEP, Relaxed);
        }
    }

    /// Marks the step that an agent takes as one by a detour.
    pub(super) fn by_detour(&self, agent: Entity) {
        self.turn(agent.index_u32(), |outcome| outcome & !KIND | DETOUR);
    }

    /// Has an agent drop the detour that it followed.
    pub(super) fn lose_detour(&self, agent: Entity) {
        self.turn(agent.index_u32(), |_| LOST);
    }

    /// Notes of an agent that rests that no place is left for it.
    pub(super) fn find_no_place(&self, agent: Entity) {
        self.turn(agent.index_u32(), |outcome| match outcome & KIND {
            REST | REST_WOKEN => outcome | NO_PLACE,
            _ => outcome,
        });
    }

    /// Has an agent wait until a cell is lent to it.
    pub(super) fn wish(&self, agent: Entity) {
        self.turn(agent.index_u32(), |_| WISH);
    }

    pub(super) fn rest(&self, agent: Entity, is_in_front: bool) {
        self.turn(agent.index_u32(), |outcome| {
            let is_woken = outcome == self.woken;
            let rest = if is_woken { REST_WOKEN } else { REST };
            rest | (u64::from(is_in_front) * IN_FRONT)
        });
    }

    pub(super) fn wake(&self, agent: EntityIndex) {
        self.turn(agent.index(), |outcome| match outcome & KIND {
            0 | WAKE => self.woken,
            REST => outcome & !KIND | REST_WOKEN,
            _ => outcome,
        });
    }

    /// The word of an agent.
    #[inline]
    fn word(&self, agent: Entity) -> u64 {
        let outcome = self.words.get(agent.index_u32() as usize);
        outcome.map_or(0, |outcome| outcome.load(Relaxed))
    }

    /// Whether a body has a step already.
    #[inline]
    pub(super) fn has_stepped(&self, agent: Entity) -> bool {
        matches!(self.word(agent) & KIND, STEP | DETOUR)
    }

    /// Whether there is something for a body to do.
    #[inline]
    pub(super) fn is_something(&self, agent: Entity) -> bool {
        self.word(agent) & SOMETHING != 0
    }

    /// What a body does; from then on nothing.
    #[inline]
    pub(super) fn take(&self, agent: Entity) -> StepOutcome {
        let Some(outcome) = self.words.get(agent.index_u32() as usize) else {
            return StepOutcome(0);
        };
        let word = outcome.load(Relaxed);
        outcome.store(0, Relaxed);
        StepOutcome(match word & KIND {
            WAKE if word == self.woken => WAKE,
            WAKE => 0,
            _ => word,
        })
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<AtomicU64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Footprint;

    #[test]
    fn an_outcome_is_taken_once() {
        let agent = Entity::from_raw_u32(7).expect("a valid index");
        let mut outcomes = Outcomes::default();
        outcomes.begin_tick(8);
        let nothing = (OutcomeKind::Nothing, false);
        let taken = |outcomes: &Outcomes| {
            let outcome = outcomes.take(agent);
            (outcome.kind(), outcome.is_in_front())
        };
        assert_eq!(taken(&outcomes), nothing);
        let to = Footing::new(Cell::new(65_535, 300).on_floor(200), Footprint::ONE);
        let step = |outcomes: &Outcomes| {
            let outcome = outcomes.take(agent);
            assert_eq!((outcome.footing(), outcome.to()), (to, to.cell()));
            outcome.kind()
        };
        outcomes.step(agent, to);
        outcomes.wake(agent.index());
        assert!(outcomes.has_stepped(agent));
        assert_eq!(step(&outcomes), OutcomeKind::Step);
        outcomes.step(agent, to);
        outcomes.by_detour(agent);
        assert_eq!(step(&outcomes), OutcomeKind::StepByDetour);
        assert_eq!(taken(&outcomes), nothing);
        outcomes.wake(agent.index());
        outcomes.rest(agent, false);
        assert_eq!(taken(&outcomes), (OutcomeKind::RestWoken, false));
        outcomes.rest(agent, true);
        assert_eq!(taken(&outcomes), (OutcomeKind::Rest, true));
        outcomes.rest(agent, true);
        outcomes.wake(agent.index());
        assert_eq!(taken(&outcomes), (OutcomeKind::RestWoken, true));
        outcomes.wake(agent.index());
        assert_eq!(taken(&outcomes), (OutcomeKind::Wake, false));
        outcomes.rest(agent, false);
        outcomes.wish(agent);
        outcomes.wake(agent.index());
        assert_eq!(taken(&outcomes), (OutcomeKind::Wish, false));
        outcomes.lose_detour(agent);
        assert_eq!(taken(&outcomes), (OutcomeKind::Lost, false));
    }

    #[test]
    fn who_was_woken_in_another_tick_is_not() {
        let agent = Entity::from_raw_u32(7).expect("a valid index");
        let mut outcomes = Outcomes::default();
        outcomes.begin_tick(8);
        for (wakes_again, kind) in [(false, OutcomeKind::Nothing), (true, OutcomeKind::Wake)] {
            outcomes.wake(agent.index());
            outcomes.begin_tick(8);
            if wakes_again {
                outcomes.wake(agent.index());
            }
            assert_eq!(outcomes.take(agent).kind(), kind);
        }
        outcomes.wake(agent.index());
        outcomes.begin_tick(8);
        outcomes.rest(agent, false);
        assert_eq!(outcomes.take(agent).kind(), OutcomeKind::Rest);
    }
}
