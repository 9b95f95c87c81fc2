//! Agents in at least one view, and what was sent about each.

use bevy_ecs::prelude::*;
use nav_grid::Cell;
use nav_protocol::{AgentKind, Correct, PathAhead};

/// The tick number that means "never".
pub(crate) const NEVER: u32 = u32::MAX;

/// One step of a path that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathStep {
    pub(crate) cell: Cell,
    /// Tick in which the step is due.
    pub(crate) tick: u32,
}

/// An agent in view, and what was sent about it.
#[derive(Clone, Debug)]
pub(crate) struct ShownAgent {
    pub(crate) entity: Entity,
    pub(crate) id: u64,
    pub(crate) kind: AgentKind,
    /// Number of views that contain the agent.
    pub(crate) viewers: u32,
    /// Current cell, and position in the world.
    pub(crate) cell: Cell,
    pub(crate) at: [f32; 3],
    /// Tick in which the agent entered its cell, if that was observed.
    pub(crate) arrived: u32,
    /// Steps that were sent, and the index of the next one. Empty while the agent stays.
    pub(crate) steps: Vec<PathStep>,
    pub(crate) next: usize,
    /// Whether the path may continue after the last step.
    pub(crate) goes_on: bool,
    /// Tick of the last path reading, and the target's cell when it was last checked.
    pub(crate) read: u32,
    pub(crate) target: Option<Cell>,
    /// The sent path: `path` while the agent walks, `stand` while it stays.
    pub(crate) path: PathAhead,
    pub(crate) stand: Correct,
    /// Tick since which the agent waits for a path reading, if it does.
    pub(crate) waits: Option<u32>,
    /// Tick in which a player's place was last sent.
    pub(crate) placed: u32,
}

impl ShownAgent {
    /// Whether a path was sent last.
    pub(crate) const fn walks(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns the next step that was sent.
    pub(crate) fn next_step(&self) -> Option<PathStep> {
        self.steps.get(self.next).copied()
    }

    /// Replaces the path with a stand at the current place since `tick`.
    pub(crate) fn stands(&mut self, tick: u32, jump: bool) {
        self.steps.clear();
        self.next = 0;
        self.stand.id = self.id;
        self.stand.at = self.at;
        (self.stand.tick, self.stand.jump) = (tick, jump);
    }
}

/// All agents in view, by slot.
#[derive(Resource, Debug, Default)]
pub(crate) struct Agents {
    /// Slot by entity index; [`NEVER`] for none.
    by_entity: Vec<u32>,
    slots: Vec<ShownAgent>,
    /// Tick of the last change to what is sent about an agent, by slot.
    pub(crate) changed: Vec<u32>,
    /// Tick in which an agent must be checked, by slot.
    pub(crate) due: Vec<u32>,
    free: Vec<u32>,
    /// Slots that left their last view in this tick.
    unseen: Vec<u32>,
    /// Slots that wait for a path reading. Entries may be stale.
    pub(crate) waiting: Vec<u32>,
}

impl Agents {
    /// Returns the slot of an entity in view.
    pub(crate) fn slot_of(&self, entity: Entity) -> Option<u32> {
        let slot = *self.by_entity.get(entity.index_u32() as usize)?;
        let agent = self.slots.get(slot as usize)?;
        (agent.entity == entity).then_some(slot)
    }

    pub(crate) fn get(&self, slot: u32) -> &ShownAgent {
        &self.slots[slot as usize]
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> &mut ShownAgent {
        &mut self.slots[slot as usize]
    }

    /// Returns the number of slots, including free ones.
    pub(crate) fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Assigns a slot to an agent that enters its first view.
    pub(crate) fn add(&mut self, entity: Entity, id: u64, kind: AgentKind, tick: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(ShownAgent {
                entity,
                id,
                kind,
                viewers: 0,
                cell: Cell::default(),
                at: [0.0; 3],
                arrived: 0,
                steps: Vec::new(),
                next: 0,
                goes_on: false,
                read: 0,
                target: None,
                path: PathAhead::default(),
                stand: Correct::default(),
                waits: None,
                placed: 0,
            });
            self.changed.push(0);
            self.due.push(NEVER);
            self.slots.len() as u32 - 1
        });
        let index = entity.index_u32() as usize;
        if self.by_entity.len() <= index {
            self.by_entity.resize(index + 1, NEVER);
        }
        self.by_entity[index] = slot;
        let agent = &mut self.slots[slot as usize];
        (agent.entity, agent.id, agent.kind) = (entity, id, kind);
        (agent.arrived, agent.read, agent.placed) = (0, 0, tick);
        (agent.target, agent.goes_on) = (None, false);
        agent.waits = None;
        self.changed[slot as usize] = tick;
        self.due[slot as usize] = NEVER;
        if kind == AgentKind::Chaser {
            self.wait(slot, tick);
        }
        slot
    }

    /// Queues a chaser for a path reading.
    pub(crate) fn wait(&mut self, slot: u32, tick: u32) {
        let agent = &mut self.slots[slot as usize];
        if agent.waits.is_none() {
            agent.waits = Some(tick);
            self.waiting.push(slot);
        }
    }

    /// Counts one more view of an agent.
    pub(crate) fn enter(&mut self, slot: u32) {
        self.slots[slot as usize].viewers += 1;
    }

    /// Counts one view of an agent less.
    pub(crate) fn leave(&mut self, slot: u32) {
        let agent = &mut self.slots[slot as usize];
        agent.viewers -= 1;
        if agent.viewers == 0 {
            self.unseen.push(slot);
        }
    }

    /// Frees the slots of agents that are in no view.
    pub(crate) fn free_unseen(&mut self) {
        while let Some(slot) = self.unseen.pop() {
            let agent = &mut self.slots[slot as usize];
            // The agent is in a view again, or left two views and was freed already.
            if agent.viewers > 0 || agent.entity == Entity::PLACEHOLDER {
                continue;
            }
            let index = agent.entity.index_u32() as usize;
            agent.entity = Entity::PLACEHOLDER;
            agent.steps.clear();
            agent.waits = None;
            self.due[slot as usize] = NEVER;
            // Another entity may have the index by now.
            if self.by_entity[index] == slot {
                self.by_entity[index] = NEVER;
            }
            self.free.push(slot);
        }
    }
}
