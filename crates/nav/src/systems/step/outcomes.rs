//! The outcome of every body in a tick, once cells are handed out, and its effects.

use super::{
    apply::{apply_step, arrive_if_reached, leave_if_out_of_reach},
    intent::StepParams,
};
use crate::{
    Body, OnMap,
    occupancy::{BodyPlaces, Footing},
    systems::{
        guidance::TargetViews,
        storage::{
            columns::{ChaserData, ChaserView},
            targets::Targets,
            tick_events::TickEvents,
            visit::{VisitPool, visit_due},
        },
    },
};
use bevy_ecs::{entity::EntityIndex, prelude::*, system::SystemChangeTick};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The outcome of a body in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing that concerns others.
    Nothing,
    Step(Footing),
    /// It made room for a body that goes elsewhere.
    MadeRoom(Footing),
    /// It wanted to step and found no cell.
    Rest(Rest),
    /// It sleeps, and a cell beside it became free.
    Wake,
    /// It wanted a step that the gate has to admit first.
    Ask,
}

/// How a body waits that found no cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that are found one by one"
)]
pub(super) struct Rest {
    /// Whether it looks again after its chasing period.
    pub(super) is_in_front: bool,
    /// Whether a body stands in its way that stays there.
    pub(super) is_held: bool,
    /// Whether a cell beside it became free afterwards.
    pub(super) is_woken: bool,
    /// Whether the body in its way is in a dead end, and makes no room however often it is asked.
    pub(super) has_failed: bool,
}

/// The outcomes of all bodies in a tick, by the index of an entity, a word each.
///
/// Each body takes its own word, so that nothing is left for the next tick. Only a body that chases
/// no target and is woken, since it holds the cell of a sleeper, takes none: its word carries the
/// tick.
#[derive(Resource, Default)]
pub(crate) struct Outcomes {
    words: Vec<AtomicU64>,
    /// The word of a body that is woken in this tick.
    woken: u64,
}

/// Set where there is an outcome: one bit is tested without a branch, since which bodies have one
/// follows no pattern.
const SOMETHING: u64 = 1 << 63;

const KIND: u64 = SOMETHING | 0xff;
const STEP: u64 = SOMETHING | 1;
const REST: u64 = SOMETHING | 2;
const WAKE: u64 = SOMETHING | 3;
const ASK: u64 = SOMETHING | 4;

/// Of a step.
const MADE_ROOM: u64 = 1 << 62;
const _: () = assert!(8 + Footing::BITS < 62, "a kind, a footing and two bits");

/// Of a rest.
const IN_FRONT: u64 = 1 << 8;
const HELD: u64 = 1 << 9;
const WOKEN: u64 = 1 << 10;
const FAILED: u64 = 1 << 11;

impl Outcomes {
    /// Begins a tick with room for agents of lower indices than this.
    pub(super) fn begin_tick(&mut self, agents: usize) {
        if self.words.len() < agents {
            self.words.resize_with(agents, AtomicU64::default);
        }
        self.woken = self.woken.wrapping_add(1 << 8) & !KIND | WAKE;
    }

    /// Replaces an agent's word with `f(old)`. No other thread does at the same time: an agent is
    /// in one strip only.
    #[inline]
    fn replace(&self, agent: u32, f: impl FnOnce(u64) -> u64) {
        if let Some(word) = self.words.get(agent as usize) {
            word.store(f(word.load(Relaxed)), Relaxed);
        }
    }

    #[inline]
    pub(super) fn step(&self, agent: Entity, to: Footing) {
        self.replace(agent.index_u32(), |_| to.0 << 8 | STEP);
    }

    /// Records for a body that steps that it makes room for a body with another target.
    pub(super) fn mark_made_room(&self, agent: Entity) {
        self.replace(agent.index_u32(), |word| word | MADE_ROOM);
    }

    pub(super) fn ask(&self, agent: Entity) {
        self.replace(agent.index_u32(), |_| ASK);
    }

    pub(super) fn rest(&self, agent: Entity, is_in_front: bool, is_held: bool) {
        let flags = (u64::from(is_in_front) * IN_FRONT) | (u64::from(is_held) * HELD);
        self.replace(agent.index_u32(), |word| {
            REST | flags | (u64::from(word == self.woken) * WOKEN)
        });
    }

    /// Records for a body that rests that the body in its way is in a dead end.
    pub(super) fn fail(&self, agent: Entity) {
        self.replace(agent.index_u32(), |word| match word & KIND {
            REST => word | FAILED,
            _ => word,
        });
    }

    pub(super) fn wake(&self, agent: EntityIndex) {
        self.replace(agent.index(), |word| match word & KIND {
            0 | WAKE => self.woken,
            REST => word | WOKEN,
            _ => word,
        });
    }

    #[inline]
    fn word(&self, agent: Entity) -> u64 {
        let word = self.words.get(agent.index_u32() as usize);
        word.map_or(0, |word| word.load(Relaxed))
    }

    pub(super) fn has_stepped(&self, agent: Entity) -> bool {
        self.word(agent) & KIND == STEP
    }

    /// Takes what a body does; nothing is left.
    #[inline]
    fn take(&self, agent: Entity) -> Outcome {
        let Some(word) = self.words.get(agent.index_u32() as usize) else {
            return Outcome::Nothing;
        };
        let outcome = word.load(Relaxed);
        word.store(0, Relaxed);
        let has = |flag| outcome & flag != 0;
        match outcome & KIND {
            STEP if has(MADE_ROOM) => Outcome::MadeRoom(Footing::from_word(outcome >> 8)),
            STEP => Outcome::Step(Footing::from_word(outcome >> 8)),
            REST => Outcome::Rest(Rest {
                is_in_front: has(IN_FRONT),
                is_held: has(HELD),
                is_woken: has(WOKEN),
                has_failed: has(FAILED),
            }),
            WAKE if outcome == self.woken => Outcome::Wake,
            ASK => Outcome::Ask,
            _ => Outcome::Nothing,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<AtomicU64>()
    }
}

/// Moves every body that got a cell, and lets the others wait.
#[expect(clippy::too_many_arguments, reason = "the parameters of a system")]
pub(super) fn finish_steps(
    params: StepParams,
    targets: Res<Targets>,
    outcomes: Res<Outcomes>,
    solids: Query<ChaserData, (With<OnMap>, With<Body>)>,
    mut occupancy: ResMut<BodyPlaces>,
    mut events: ResMut<TickEvents>,
    mut pool: Local<VisitPool<TickEvents>>,
    ticks: SystemChangeTick,
) {
    occupancy.moved_at[1] = Some(ticks.this_run());
    let occupancy = &*occupancy;
    visit_due(
        solids,
        |body, _| outcomes.word(body) & SOMETHING != 0,
        &mut pool,
        || params.views(&targets),
        |mut body, views, events| {
            let outcome = outcomes.take(*body.entity);
            if let Outcome::Step(to) | Outcome::MadeRoom(to) = outcome {
                occupancy.has_stepped(*body.entity, to);
            }
            params.finish(outcome, &mut body, views, events);
        },
    );
    for scratch in pool.iter_mut() {
        events.append(scratch);
    }
}

impl StepParams<'_, '_> {
    /// Moves a body to the cell that it got.
    #[inline]
    fn finish_step(
        &self,
        (to, has_made_room): (Footing, bool),
        body: &mut ChaserView,
        views: &mut TargetViews,
        events: &mut TickEvents,
    ) {
        if !self.tick(body, true) {
            // It stood, and was asked to make room between its move ticks.
            let period = body.move_timer.chasing;
            body.move_timer.keep_phase(self.now(), period);
        }
        let view = views.of(body);
        let map = match view {
            Some(view) => Some(view.map),
            None => self.map(body.on_map.map(|of| of.0)),
        };
        apply_step(map, body, to.cell(), events);
        if has_made_room && let Some(crowding) = &mut body.crowding {
            crowding.made_room = !crowding.has_waited();
        }
        if let Some(view) = view {
            arrive_if_reached(view, body, events);
            // Read first: writing marks the component as changed.
            if !view.is_standing
                && let Some(crowding) = body.crowding.as_mut().filter(|body| body.arrived)
            {
                crowding.arrived = false;
            }
        }
    }

    /// Does what came out for a body.
    #[inline]
    pub(super) fn finish(
        &self,
        outcome: Outcome,
        body: &mut ChaserView,
        views: &mut TargetViews,
        events: &mut TickEvents,
    ) {
        let now = self.now();
        if matches!(outcome, Outcome::Rest(_) | Outcome::Ask)
            // Read first: no other body needs a view of the target.
            && body.cursor.is_beside()
            && let Some(view) = views.of(body)
        {
            leave_if_out_of_reach(view, body);
        }
        match outcome {
            Outcome::Step(to) => self.finish_step((to, false), body, views, events),
            Outcome::MadeRoom(to) => self.finish_step((to, true), body, views, events),
            Outcome::Rest(rest) => {
                // Bodies in front follow a target that goes on, and wake the others.
                self.tick(body, rest.is_in_front);
                body.note_wait();
                if rest.is_woken {
                    body.move_timer.wake(now, body.cursor.stands());
                }
                if let Some(crowding) = &mut body.crowding
                    && (crowding.held != rest.is_held || rest.has_failed)
                {
                    crowding.held = rest.is_held;
                    let failed = u8::from(rest.has_failed);
                    crowding.failed_pushes = crowding.failed_pushes.saturating_add(failed);
                }
            }
            // No body kept it from its step: it counts no wait, and looks again soon.
            Outcome::Ask => self.stand(body, true),
            Outcome::Wake => {
                if !body.move_timer.is_due(now) {
                    body.move_timer.wake(now, body.cursor.stands());
                }
            }
            Outcome::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Cell, Footprint};

    fn outcomes() -> (Entity, Outcomes) {
        let agent = Entity::from_raw_u32(7).expect("a valid index");
        let mut outcomes = Outcomes::default();
        outcomes.begin_tick(8);
        (agent, outcomes)
    }

    fn rest(is_in_front: bool, is_held: bool, is_woken: bool) -> Outcome {
        Outcome::Rest(Rest {
            is_in_front,
            is_held,
            is_woken,
            has_failed: false,
        })
    }

    #[test]
    fn outcome_is_taken_once() {
        let (agent, outcomes) = outcomes();
        assert_eq!(outcomes.take(agent), Outcome::Nothing);
        let to = Footing::new(Cell::new(65_535, 300).on_floor(200), Footprint::ONE);
        outcomes.step(agent, to);
        outcomes.wake(agent.index());
        assert!(outcomes.has_stepped(agent));
        assert_eq!(outcomes.take(agent), Outcome::Step(to));
        assert_eq!(outcomes.take(agent), Outcome::Nothing);
        outcomes.rest(agent, false, true);
        assert_eq!(outcomes.take(agent), rest(false, true, false));
        outcomes.rest(agent, false, false);
        outcomes.ask(agent);
        outcomes.wake(agent.index());
        assert_eq!(outcomes.take(agent), Outcome::Ask);
    }

    #[test]
    fn rest_keeps_wake() {
        let (agent, outcomes) = outcomes();
        outcomes.wake(agent.index());
        outcomes.rest(agent, false, false);
        assert_eq!(outcomes.take(agent), rest(false, false, true));
        outcomes.rest(agent, true, false);
        outcomes.wake(agent.index());
        assert_eq!(outcomes.take(agent), rest(true, false, true));
        outcomes.wake(agent.index());
        assert_eq!(outcomes.take(agent), Outcome::Wake);
    }

    #[test]
    fn wake_of_another_tick() {
        let (agent, mut outcomes) = outcomes();
        for ticks in 1..9 {
            outcomes.wake(agent.index());
            (0..ticks).for_each(|_| outcomes.begin_tick(8));
            assert_eq!(
                outcomes.take(agent),
                Outcome::Nothing,
                "{ticks} ticks later"
            );
        }
        outcomes.wake(agent.index());
        outcomes.begin_tick(8);
        outcomes.rest(agent, false, false);
        assert_eq!(outcomes.take(agent), rest(false, false, false));
    }
}
