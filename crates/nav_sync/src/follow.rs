//! Compares agents in view with what was sent about them, and reads paths.

use crate::{
    agents::{Agents, NEVER, ShownAgent},
    clock::SyncClock,
    counts::SyncCounts,
    read::{Walker, WalkerColumns, is_jump, read_path, speed},
    settings::SyncSettings,
    sync_id::SyncId,
    views::place_of,
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav::{CellPosition, Chasing, NavMap, OnMap, UpcomingPath, WorldPosition};
use nav_grid::Cell;
use nav_protocol::AgentKind;

/// Queries about agents in view.
#[derive(SystemParam)]
pub(crate) struct Lookups<'w, 's> {
    upcoming: UpcomingPath<'w, 's>,
    walkers: Query<'w, 's, WalkerColumns>,
    places: Query<'w, 's, (&'static OnMap, Option<&'static WorldPosition>)>,
    chasing: Query<'w, 's, &'static Chasing>,
    targets: Query<'w, 's, (&'static CellPosition, Option<&'static SyncId>)>,
    ids: Query<'w, 's, &'static SyncId>,
    maps: Query<'w, 's, &'static NavMap>,
}

impl Lookups<'_, '_> {
    /// Returns the message id of the target of a chaser.
    fn chases(&self, entity: Entity) -> Option<u64> {
        let target = self.chasing.get(entity).ok()?.0;
        Some(SyncId::of(target, self.ids.get(target).ok().copied()).0)
    }

    /// Writes target and speed into the stand of an agent.
    fn note_chase(&self, agent: &mut ShownAgent) {
        agent.stand.chases = self.chases(agent.entity);
        if let Ok((_, timer, on_map, _)) = self.walkers.get(agent.entity)
            && let Ok(map) = self.maps.get(on_map.0)
        {
            agent.stand.speed = speed(map, timer);
        }
    }

    /// Returns the cell of the target of a chaser.
    fn target_cell(&self, entity: Entity) -> Option<Cell> {
        let target = self.chasing.get(entity).ok()?.0;
        self.targets.get(target).ok().map(|(place, _)| place.cell)
    }

    fn place(&self, agent: &ShownAgent, position: &CellPosition) -> Option<[f32; 3]> {
        let (on_map, world) = self.places.get(agent.entity).ok()?;
        let map = self.maps.get(on_map.0).ok()?;
        let last = Some((agent.cell, agent.at));
        Some(place_of(map.frame(), position, world, last))
    }
}

/// Scratch memory: agents to read or check in this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct ReadQueue {
    /// Waiting agents as (tick since which it waits, id, slot).
    paths: Vec<(u32, u64, u32)>,
    /// Agents that took the step that was due, as (id, slot).
    on_time: Vec<(u64, u32)>,
}

/// Finds agents that left what was sent, and reads paths.
pub(crate) fn follow_agents(
    clock: Res<SyncClock>,
    settings: Res<SyncSettings>,
    moved: Query<(Entity, &CellPosition), Changed<CellPosition>>,
    lookups: Lookups,
    mut agents: ResMut<Agents>,
    mut queue: ResMut<ReadQueue>,
    mut counts: ResMut<SyncCounts>,
) {
    let mut follow = Follow {
        clock: *clock,
        settings: *settings,
        lookups: &lookups,
        agents: &mut agents,
        counts: &mut counts,
        spent: 0,
    };
    let ReadQueue { paths, on_time } = &mut *queue;
    on_time.clear();
    for (entity, position) in &moved {
        if let Some(slot) = follow.agents.slot_of(entity) {
            follow.note_move(slot, position, on_time);
        }
    }
    for slot in 0..follow.agents.len() {
        if follow.agents.due[slot as usize] == clock.tick {
            follow.note_due(slot);
        }
    }
    follow.read_waiting(paths);
    // Sorted by id, because the budget may not reach all of them.
    on_time.sort_unstable();
    for &(_, slot) in &*on_time {
        follow.look_on(slot);
    }
    let steps = u64::from(follow.spent);
    counts.steps += steps;
    counts.steps_most = counts.steps_most.max(steps);
}

/// The work of one tick.
struct Follow<'a, 'w, 's> {
    clock: SyncClock,
    settings: SyncSettings,
    lookups: &'a Lookups<'w, 's>,
    agents: &'a mut Agents,
    counts: &'a mut SyncCounts,
    /// Steps read so far.
    spent: u32,
}

impl Follow<'_, '_, '_> {
    /// Returns whether the budget of this tick is used up.
    const fn is_spent(&self) -> bool {
        self.spent > 0 && self.spent >= self.settings.budget
    }

    /// Handles an agent in view that moved.
    fn note_move(&mut self, slot: u32, position: &CellPosition, on_time: &mut Vec<(u64, u32)>) {
        let tick = self.clock.tick;
        let agent = self.agents.get_mut(slot);
        if let Some(at) = self.lookups.place(agent, position) {
            agent.at = at;
        }
        let from = std::mem::replace(&mut agent.cell, position.cell);
        if agent.kind == AgentKind::Player {
            let next = agent.placed.saturating_add(self.settings.place_interval);
            self.agents.due[slot as usize] = next.max(tick);
            return;
        }
        if from == position.cell {
            return;
        }
        agent.arrived = tick;
        let step = agent.next_step();
        if step.is_some_and(|step| step.cell == position.cell && step.tick == tick) {
            agent.next += 1;
            let next = agent.next_step().map_or(NEVER, |step| step.tick);
            on_time.push((agent.id, slot));
            self.agents.due[slot as usize] = next;
        } else {
            self.lookups.note_chase(agent);
            agent.stands(tick, is_jump(from, position.cell));
            self.counts.strays += 1;
            self.agents.due[slot as usize] = NEVER;
            self.agents.changed[slot as usize] = tick;
            self.agents.wait(slot, tick);
        }
    }

    /// Handles a chaser that missed the step that was due, or a player whose place is due.
    fn note_due(&mut self, slot: u32) {
        let tick = self.clock.tick;
        let agent = self.agents.get_mut(slot);
        if agent.kind == AgentKind::Player {
            agent.placed = tick;
        } else {
            self.lookups.note_chase(agent);
            agent.stands(tick, false);
            self.counts.waits += 1;
        }
        self.agents.due[slot as usize] = NEVER;
        self.agents.changed[slot as usize] = tick;
    }

    /// Reads the paths of waiting chasers within the budget, longest wait first.
    fn read_waiting(&mut self, paths: &mut Vec<(u32, u64, u32)>) {
        paths.clear();
        for slot in self.agents.waiting.drain(..) {
            paths.push((0, 0, slot));
        }
        for entry in &mut *paths {
            let agent = self.agents.get(entry.2);
            (entry.0, entry.1) = (agent.waits.unwrap_or(NEVER), agent.id);
        }
        paths.sort_unstable();
        for &(_, _, slot) in &*paths {
            if self.agents.get(slot).waits.is_none() {
                // It left the view, or is listed twice.
            } else if self.is_spent() {
                self.agents.waiting.push(slot);
                self.counts.put_off += 1;
            } else {
                self.agents.get_mut(slot).waits = None;
                self.read(slot);
            }
        }
    }

    /// Checks a chaser that walks as sent.
    ///
    /// Reads more of the path when few steps are left. Reads it again when the target moved and the
    /// next step is another one.
    fn look_on(&mut self, slot: u32) {
        let is_spent = self.is_spent();
        let agent = self.agents.get_mut(slot);
        let left = agent.steps.len().saturating_sub(agent.next);
        if agent.goes_on && left < usize::from(self.settings.lead) {
            self.read(slot);
            return;
        }
        let is_early = self.clock.tick < agent.read.saturating_add(self.settings.interval);
        let target = self.lookups.target_cell(agent.entity);
        if is_early || is_spent || target == agent.target {
            return;
        }
        let Some(next) = agent.next_step() else {
            return;
        };
        agent.target = target;
        self.spent += 1;
        let point = self.lookups.upcoming.cells(agent.entity, 1).next();
        if point.is_some_and(|point| point.cell != next.cell) {
            self.read(slot);
        }
    }

    /// Reads the path of a chaser, if the budget allows.
    fn read(&mut self, slot: u32) {
        if self.is_spent() {
            return;
        }
        let agent = self.agents.get_mut(slot);
        let Ok((chaser, timer, on_map, _)) = self.lookups.walkers.get(agent.entity) else {
            return;
        };
        let Ok(map) = self.lookups.maps.get(on_map.0) else {
            return;
        };
        let walker = Walker {
            entity: agent.entity,
            chaser,
            timer: *timer,
            map,
            chases: self.lookups.chases(agent.entity),
        };
        let upcoming = &self.lookups.upcoming;
        let read = read_path(agent, walker, upcoming, &self.clock, &self.settings);
        agent.target = self.lookups.target_cell(agent.entity);
        self.spent += read.max(1);
        if read > 0 {
            let next = agent.next_step().map_or(NEVER, |step| step.tick);
            self.agents.due[slot as usize] = next;
            self.agents.changed[slot as usize] = self.clock.tick;
            self.counts.paths += 1;
        }
    }
}
