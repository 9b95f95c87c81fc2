//! What must hold in every tick of every chase.

use bevy_ecs::prelude::*;
use nav::{
    AgentId, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Destination, MoveTimer, NavClock,
    NavMap, NavTime, NavTimer, OnMap, PathCursor, Paused,
};
use nav_grid::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Where everybody was when a tick began.
pub(crate) struct Snapshot {
    places: BTreeMap<Entity, Cell>,
    next_steps: BTreeMap<Entity, NavTime>,
    /// Those who stood at their last move tick: they may be asked to make room at any time, and go on
    /// when their target does. Also those whose pause may end.
    standing: BTreeSet<Entity>,
}

impl Snapshot {
    pub(crate) fn take(world: &mut World) -> Self {
        let mut places = world.query::<(Entity, &CellPosition)>();
        let mut timers = world.query::<(Entity, &MoveTimer)>();
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
            standing: stood
                .iter(world)
                .filter(|(_, timer, cursor, is_paused)| {
                    *is_paused || timer.stands() || cursor.state() == ChaseState::Reached
                })
                .map(|(entity, ..)| entity)
                .collect(),
        }
    }

    /// Judges the moves of all chasers since then.
    pub(crate) fn check(&self, world: &mut World) {
        let now = world.resource::<NavClock>().now();
        let mut chasers = world.query::<(Entity, &Chaser, &CellPosition, &OnMap, &MoveTimer)>();
        for (entity, chaser, position, on_map, timer) in chasers.iter(world) {
            let (Some(&from), to) = (self.places.get(&entity), position.cell) else {
                continue;
            };
            if from == to {
                continue;
            }
            let map = world.get::<NavMap>(on_map.0);
            let grid = map.expect("a step needs a map").grid();
            let footprint = chaser.rules.footprint;
            assert!(
                grid.fits(to, footprint),
                "{entity} went into the wall at {to}"
            );
            assert!(
                grid.allows_move(from, to, chaser.rules),
                "{entity} went from {from} to {to}, which is neither step nor link"
            );
            assert!(
                (self.next_steps[&entity] <= now || self.standing.contains(&entity))
                    && now < timer.next_step,
                "{entity} stepped at {now:?}, between its move ticks"
            );
            let target = world.get::<Chasing>(entity);
            let target = target.expect("a step needs a target").0;
            let is_entered = world.get::<Destination>(target).is_some();
            assert!(
                is_entered
                    || !footprint
                        .area(to)
                        .contains(self.seen_by(entity, target, world)),
                "{entity} stepped onto its target"
            );
        }
    }

    /// Where a target was when a chaser made its step: chased chasers go first, by number.
    fn seen_by(&self, chaser: Entity, target: Entity, world: &World) -> Cell {
        let turn = |entity| {
            let chased = world.get::<ChasedBy>(entity).is_some();
            (!chased, world.get::<AgentId>(entity).copied())
        };
        let goes_later = world.get::<Chaser>(target).is_some() && turn(chaser) < turn(target);
        let now = world.get::<CellPosition>(target);
        let now = now.expect("nobody steps toward nowhere").cell;
        if goes_later {
            self.places[&target]
        } else {
            now
        }
    }
}
