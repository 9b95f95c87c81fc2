//! What must hold in every tick of every chase.

use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    AgentId, Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Destination, MoveTimer,
    NavClock, NavDiagnostics, NavMap, NavTime, NavTimer, OnMap, PathCursor, Paused,
};
use nav_grid::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Where everybody was when a tick began.
pub(super) struct Snapshot {
    places: BTreeMap<Entity, Cell>,
    next_steps: BTreeMap<Entity, NavTime>,
    targets: BTreeMap<Entity, Entity>,
    /// Those who stood at their last move tick: they may be asked to make room at any time, and go on
    /// when their target does. Also those whose pause may end.
    standing: BTreeSet<Entity>,
    /// How often the plugin had run.
    ticks: u64,
}

/// A rule that a step broke.
pub(super) struct Breach {
    /// Whose step it was.
    pub(super) agent: Entity,
    /// What it did.
    pub(super) what: String,
}

impl Snapshot {
    pub(super) fn take(world: &mut World) -> Self {
        let mut places = world.query::<(Entity, &CellPosition)>();
        let mut timers = world.query::<(Entity, &MoveTimer)>();
        let mut chases = world.query::<(Entity, &Chasing)>();
        let mut stood = world.query::<(Entity, &NavTimer, &PathCursor, Has<Paused>)>();
        Self {
            places: places
                .iter(world)
                .map(|(entity, position)| (entity, position.cell))
                .collect(),
            next_steps: timers
                .iter(world)
                .map(|(entity, timer)| (entity, timer.next_step))
                .collect(),
            targets: chases
                .iter(world)
                .map(|(entity, chasing)| (entity, chasing.0))
                .collect(),
            standing: stood
                .iter(world)
                .filter(|(_, timer, cursor, is_paused)| {
                    *is_paused || timer.stands() || cursor.state() == ChaseState::Reached
                })
                .map(|(entity, ..)| entity)
                .collect(),
            ticks: ticks(world),
        }
    }

    /// Judges the moves of all chasers since then, if the plugin ran once.
    pub(super) fn check(&self, world: &mut World) -> Result<(), Breach> {
        if ticks(world) != self.ticks + 1 {
            return Ok(());
        }
        let now = world.resource::<NavClock>().now();
        let mut chasers =
            world.query::<(Entity, &Chaser, &CellPosition, Option<&OnMap>, &MoveTimer)>();
        for (agent, chaser, position, on_map, timer) in chasers.iter(world) {
            let (Some(&from), to) = (self.places.get(&agent), position.cell) else {
                continue;
            };
            if from == to {
                continue;
            }
            let breach = |what: String| Err(Breach { agent, what });
            let Some(map) = on_map.and_then(|on_map| world.get::<NavMap>(on_map.0)) else {
                return breach(format!("went from {from} to {to}, and is on no map"));
            };
            let grid = map.grid();
            let footprint = chaser.rules.footprint;
            if !grid.fits(to, footprint) {
                return breach(format!("went into the wall at {to}"));
            }
            if !grid.allows_move(from, to, chaser.rules) {
                return breach(format!(
                    "went from {from} to {to}, which is neither step nor link"
                ));
            }
            let was_due = self.next_steps.get(&agent).is_some_and(|&next| next <= now);
            if !(was_due || self.standing.contains(&agent)) || now >= timer.next_step {
                return breach(format!("stepped at {now:?}, between its move ticks"));
            }
            let before = self.targets.get(&agent).copied();
            let after = world.get::<Chasing>(agent).map(|chasing| chasing.0);
            if before.is_none() && after.is_none() {
                return breach(format!("went from {from} to {to}, and chases nobody"));
            }
            // One that the game took away or exchanged in this tick is not judged.
            if let Some(target) = after
                && before.is_none_or(|before| before == target)
                && world.get::<Destination>(target).is_none()
                && let Some(cell) = self.seen_by(agent, target, world)
                && footprint.area(to).contains(cell)
            {
                // A large body onto which its target came needs several steps to get off.
                let body = world.get::<Body>(target).map(|body| body.footprint);
                let covered = body.unwrap_or_default().area(cell);
                let mut held = footprint.area(from).cells();
                if !held.any(|cell| covered.contains(cell)) {
                    return breach(format!("stepped from {from} to {to}, onto its target"));
                }
            }
        }
        Ok(())
    }

    /// Where a target was when a chaser made its step: chased chasers go first, by number.
    fn seen_by(&self, chaser: Entity, target: Entity, world: &World) -> Option<Cell> {
        let is_there = world.get::<Disabled>(target).is_none()
            && world.get::<OnMap>(target) == world.get::<OnMap>(chaser);
        if !is_there {
            return None;
        }
        let turn = |entity| {
            let chased = world.get::<ChasedBy>(entity).is_some();
            (!chased, world.get::<AgentId>(entity).copied())
        };
        let goes_later = world.get::<Chaser>(target).is_some() && turn(chaser) < turn(target);
        if goes_later {
            self.places.get(&target).copied()
        } else {
            world.get::<CellPosition>(target).map(|place| place.cell)
        }
    }
}

/// How often the plugin has run.
fn ticks(world: &World) -> u64 {
    world
        .get_resource::<NavDiagnostics>()
        .map_or(0, |diagnostics| diagnostics.ticks)
}
