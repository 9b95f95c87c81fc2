//! Everybody who is in somebody's view, and what was sent of them.

use bevy_ecs::prelude::*;
use nav_grid::Cell;
use nav_protocol::{AgentKind, Correct, PathAhead};

/// No tick.
pub(crate) const NEVER: u32 = u32::MAX;

/// A step of a path that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathStep {
    pub(crate) cell: Cell,
    /// The tick in which it is to be taken.
    pub(crate) tick: u32,
}

/// Somebody in view, and what was sent of it.
#[derive(Clone, Debug)]
pub(crate) struct ShownAgent {
    pub(crate) entity: Entity,
    pub(crate) id: u64,
    pub(crate) kind: AgentKind,
    /// In how many views it is.
    pub(crate) viewers: u32,
    /// The cell that it is in, and its place in the world.
    pub(crate) cell: Cell,
    pub(crate) at: [f32; 3],
    /// The tick in which it came there, as far as that was seen.
    pub(crate) arrived: u32,
    /// The steps that were sent, and the number of the next one: none for who stands.
    pub(crate) steps: Vec<PathStep>,
    pub(crate) next: usize,
    /// Whether there may be more steps after those.
    pub(crate) goes_on: bool,
    /// When the path was read, and where the target was when it was last looked at.
    pub(crate) read: u32,
    pub(crate) target: Option<Cell>,
    /// What was sent of it: the path of who walks, or where it stands.
    pub(crate) path: PathAhead,
    pub(crate) stand: Correct,
    /// The tick in which it began to wait to have its path read, if it does.
    pub(crate) waits: Option<u32>,
    /// The tick in which its place was sent last, for players.
    pub(crate) placed: u32,
}

impl ShownAgent {
    /// Whether what was sent is a path.
    pub(crate) const fn walks(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The next step that was sent.
    pub(crate) fn next_step(&self) -> Option<PathStep> {
        self.steps.get(self.next).copied()
    }

    /// It stands since a tick.
    pub(crate) fn stands(&mut self, tick: u32, jump: bool) {
        self.steps.clear();
        self.next = 0;
        self.stand.id = self.id;
        self.stand.at = self.at;
        (self.stand.tick, self.stand.jump) = (tick, jump);
    }
}

/// Everybody who is in a view, by slots.
#[derive(Resource, Debug, Default)]
pub(crate) struct Agents {
    /// The slot of an entity, by its index; [`NEVER`] for none.
    by_entity: Vec<u32>,
    slots: Vec<ShownAgent>,
    /// The tick in which what is sent of an agent changed last, by slot.
    pub(crate) changed: Vec<u32>,
    /// The tick in which an agent is to be looked at, by slot.
    pub(crate) due: Vec<u32>,
    free: Vec<u32>,
    /// Those whom nobody saw for a moment.
    unseen: Vec<u32>,
    /// The slots of those who wait to have their path read; some of them may not any more.
    pub(crate) waiting: Vec<u32>,
}

impl Agents {
    /// The slot of an entity in view.
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

    /// Slots there are, free ones included.
    pub(crate) fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Gives somebody a slot who comes into the first view.
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

    /// A chaser waits from a tick on to have its path read.
    pub(crate) fn wait(&mut self, slot: u32, tick: u32) {
        let agent = &mut self.slots[slot as usize];
        if agent.waits.is_none() {
            agent.waits = Some(tick);
            self.waiting.push(slot);
        }
    }

    /// Somebody came into a view.
    pub(crate) fn enter(&mut self, slot: u32) {
        self.slots[slot as usize].viewers += 1;
    }

    /// Somebody left a view.
    pub(crate) fn leave(&mut self, slot: u32) {
        let agent = &mut self.slots[slot as usize];
        agent.viewers -= 1;
        if agent.viewers == 0 {
            self.unseen.push(slot);
        }
    }

    /// Frees the slots of those who are in no view any more.
    pub(crate) fn free_unseen(&mut self) {
        while let Some(slot) = self.unseen.pop() {
            let agent = &mut self.slots[slot as usize];
            // Somebody saw it again, or it left two views and is free already.
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
