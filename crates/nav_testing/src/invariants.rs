//! Rules of movement that hold in every tick of every chase.

use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use nav::{
    AgentId, Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding, Destination,
    MoveTimer, NavClock, NavDiagnostics, NavMap, NavTime, OnMap, PathCursor, Paused,
    stepping::SteppedByGame,
};
use nav_grid::Cell;
use std::collections::BTreeMap;

/// Runs one update of an app that is not in a [`Scene`](crate::Scene), and judges the steps of its
/// chasers as [`Scene::tick`](crate::Scene::tick) does.
///
/// # Panics
///
/// When a step breaks a rule.
#[track_caller]
pub fn update(app: &mut App) {
    let before = Snapshot::take(app.world_mut());
    app.update();
    if let Err((agent, what)) = before.check(app.world_mut()) {
        panic!("{agent} {what}");
    }
}

type Mover<'a> = (
    Entity,
    &'a Chaser,
    &'a CellPosition,
    Option<&'a OnMap>,
    &'a MoveTimer,
);

/// The agents at the beginning of a tick.
pub(super) struct Snapshot {
    agents: BTreeMap<Entity, Before>,
    /// How often the plugin had run.
    ticks: u64,
}

/// An agent at the beginning of a tick.
struct Before {
    cell: Cell,
    next_step: Option<NavTime>,
    target: Option<Entity>,
    /// Whether it may step between its move ticks: a chaser that stood at its last one may be asked
    /// to make room, and follows when its target moves.
    is_standing: bool,
}

fn is_reached(cursor: &PathCursor) -> bool {
    cursor.state() == ChaseState::Reached
}

impl Snapshot {
    pub(super) fn take(world: &mut World) -> Self {
        type Chase<'a> = (
            &'a MoveTimer,
            Option<&'a Crowding>,
            &'a PathCursor,
            Option<&'a Paused>,
        );
        let (mut agents, ticks) = (BTreeMap::new(), ticks(world));
        let mut all = world.query::<(Entity, &CellPosition, Option<&Chasing>, Option<Chase<'_>>)>();
        for (agent, position, chasing, chase) in all.iter(world) {
            let before = Before {
                cell: position.cell,
                target: chasing.map(|chasing| chasing.0),
                // A pause may end.
                next_step: chase.map(|(timer, _, _, paused)| {
                    paused.map_or(timer.next_step, |paused| paused.next_step)
                }),
                is_standing: chase.is_some_and(|(_, crowding, cursor, paused)| {
                    let stands = crowding.is_some_and(|crowding| crowding.stands);
                    stands || cursor.stands() && (paused.is_some() || is_reached(cursor))
                }),
            };
            agents.insert(agent, before);
        }
        Self { agents, ticks }
    }

    /// Judges the moves of all chasers since the snapshot, if the plugin ran once.
    ///
    /// # Errors
    ///
    /// The first chaser that broke a rule, and what it did.
    pub(super) fn check(&self, world: &mut World) -> Result<(), (Entity, String)> {
        if ticks(world) != self.ticks + 1 {
            return Ok(());
        }
        let mut movers = world.query::<Mover<'_>>();
        for mover in movers.iter(world) {
            self.judge(world, mover).map_err(|what| (mover.0, what))?;
        }
        Ok(())
    }

    /// Judges the move of a chaser, if it made one.
    fn judge(
        &self,
        world: &World,
        (agent, chaser, position, on_map, timer): Mover<'_>,
    ) -> Result<(), String> {
        let now = world.resource::<NavClock>().now();
        let before = self.agents.get(&agent);
        let moved = before.filter(|before| before.cell != position.cell);
        let Some(before) = moved else {
            return Ok(());
        };
        let (from, to) = (before.cell, position.cell);
        let Some(map) = on_map.and_then(|on_map| world.get::<NavMap>(on_map.0)) else {
            return Err(format!("went from {from} to {to}, and is on no map"));
        };
        let footprint = chaser.rules.footprint;
        // From inside a wall the way to the ground may lead through it.
        if map.grid().fits(from, footprint) && !map.grid().fits(to, footprint) {
            return Err(format!("went into the wall at {to}"));
        }
        if !map.grid().allows_move(from, to, chaser.rules) {
            return Err(format!(
                "went from {from} to {to}, which is neither step nor link"
            ));
        }
        let was_due = before.next_step.is_some_and(|next| next <= now);
        // Without a period each tick is a move tick, this one and the next.
        let is_over = match timer.chasing.min(timer.idle).nanos() {
            0 => now > timer.next_step,
            _ => now >= timer.next_step,
        };
        if !(was_due || before.is_standing) || is_over {
            return Err(format!("stepped at {now:?}, between its move ticks"));
        }
        let target = world.get::<Chasing>(agent).map(|chasing| chasing.0);
        let has_chase = before.target.is_some() || target.is_some();
        if !has_chase && world.get::<SteppedByGame>(agent).is_none() {
            return Err(format!("went from {from} to {to}, and chases nobody"));
        }
        // A target that the game removed or replaced in this tick is not judged.
        if let Some(target) = target
            && before.target.is_none_or(|before| before == target)
            && world.get::<Destination>(target).is_none()
            && let Some(seen) = self.seen_by(agent, target, world)
            && seen.iter().all(|&cell| footprint.area(to).contains(cell))
            && let [cell, _] = seen
        {
            // A large body needs several steps to get off a target that stepped onto it.
            let body = world.get::<Body>(target).map(|body| body.footprint);
            let covered = body.unwrap_or_default().area(cell);
            let mut held = footprint.area(from).cells();
            if !held.any(|cell| covered.contains(cell)) {
                return Err(format!("stepped from {from} to {to}, onto its target"));
            }
        }
        Ok(())
    }

    /// The cells where a target may have been when a chaser made its step. Chased chasers step
    /// first, by number; a body that found no free cell goes last.
    fn seen_by(&self, chaser: Entity, target: Entity, world: &World) -> Option<[Cell; 2]> {
        if world.get::<Disabled>(target).is_some()
            || world.get::<OnMap>(target) != world.get::<OnMap>(chaser)
        {
            return None;
        }
        let now = world.get::<CellPosition>(target)?.cell;
        if world.get::<Chaser>(target).is_none() {
            return Some([now; 2]);
        }
        let before = self.agents.get(&target)?.cell;
        if turn(world, chaser) < turn(world, target) {
            Some([before; 2])
        } else if world.get::<Body>(target).is_some() {
            Some([now, before])
        } else {
            Some([now; 2])
        }
    }
}

/// The turn of an agent's step: chased chasers first, by number.
fn turn(world: &World, agent: Entity) -> (bool, Option<AgentId>) {
    let is_chased = world.get::<ChasedBy>(agent).is_some();
    (!is_chased, world.get(agent).copied())
}

/// How often the plugin has run.
fn ticks(world: &World) -> u64 {
    let diagnostics = world.get_resource::<NavDiagnostics>();
    diagnostics.map_or(0, |diagnostics| diagnostics.ticks)
}
