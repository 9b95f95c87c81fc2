//! What a system of the game does for a chaser beside its chase: a step of its own, a fresh search, another goal.
//!
//! Such systems run between [`NavSystems::Observe`](crate::NavSystems::Observe), after which it is known where
//! targets are, and [`NavSystems::AimFields`](crate::NavSystems::AimFields), before anybody decides.

use crate::{
    Body, CellPosition, Chaser, Chasing, FieldAnchor, MoveTimer, NavClock, NavMap, NavTime,
    NavTimer, OnMap, Pace, PathCursor, TargetSnapshot, WorldPosition,
    components::{Heading, SearchesAlone},
    occupancy::Occupancy,
    systems::{search::LongSearch, step::prolonged, storage::targets::Targets},
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::Cell;

/// Where the targets are in this tick, who stands where, and what takes several ticks.
#[derive(SystemParam)]
pub struct Stepping<'w> {
    clock: Res<'w, NavClock>,
    targets: ResMut<'w, Targets>,
    occupancy: ResMut<'w, Occupancy>,
    long: ResMut<'w, LongSearch>,
}

impl Stepping<'_> {
    /// The moment of this tick.
    pub fn now(&self) -> NavTime {
        self.clock.now()
    }

    /// Where the target of a chaser is, if it is on the map of the chaser.
    pub fn target(&self, chasing: &Chasing, on_map: &OnMap) -> Option<&TargetSnapshot> {
        let slot = self.targets.slot_on(chasing.0, on_map.0)?;
        Some(&self.targets.at(slot).seen)
    }

    /// Where the shared fields of the target of a chaser are aimed, if it is on the map of the chaser.
    pub fn anchor(&self, chasing: &Chasing, on_map: &OnMap) -> Option<&FieldAnchor> {
        let slot = self.targets.slot_on(chasing.0, on_map.0)?;
        Some(&self.targets.at(slot).anchor)
    }
}

/// A chaser for which a system takes steps: a part of the query of that system.
#[derive(QueryData)]
#[query_data(mutable)]
pub struct Stepper {
    /// The chaser.
    pub entity: Entity,
    /// Its tuning.
    pub chaser: &'static Chaser,
    /// Its map.
    pub on_map: &'static OnMap,
    /// Its body, if it has one.
    pub body: Option<&'static Body>,
    /// Where it is; [`StepperItem::step`] changes it.
    pub position: &'static mut CellPosition,
    world: Option<&'static mut WorldPosition>,
    /// When it may search again.
    pub search_timer: &'static mut NavTimer,
    /// When it may step again.
    pub move_timer: &'static mut MoveTimer,
    /// What it follows.
    pub cursor: &'static mut PathCursor,
}

impl StepperItem<'_, '_> {
    /// Whether no other body is in the way on a cell. A chaser without a body has room everywhere.
    pub fn has_room(&self, stepping: &mut Stepping, to: Cell) -> bool {
        self.body.is_none_or(|body| {
            let floor = stepping.occupancy.floor(self.on_map.0, to.floor);
            floor.is_none_or(|floor| floor.is_free(self.entity, to, (*body).into()))
        })
    }

    /// Takes a step. Only at a move tick of the chaser, only a legal one, and only onto a cell that
    /// [has room](Self::has_room): none of that is checked here. The next move tick is a period later.
    pub fn step(&mut self, map: &NavMap, to: Cell, stepping: &mut Stepping) {
        let from = self.position.cell;
        if self.body.is_some() {
            stepping.occupancy.step(self.entity, self.on_map.0, to);
            self.search_timer.set_stands(false);
        }
        *self.position = CellPosition::at(to);
        if let Some(world) = &mut self.world {
            **world = WorldPosition::of(map.frame(), to);
        }
        let clock = &stepping.clock;
        self.move_timer.tick(clock.now(), clock.previous(), true);
        if self.chaser.pace == Pace::ByCost {
            let timer = *self.move_timer;
            self.move_timer.next_step = prolonged(map, self.chaser, timer, from, to);
        }
        // Its own chasers see in this tick where it went.
        stepping
            .targets
            .set_position(self.entity, CellPosition::at(to));
    }

    /// Takes a step, as [`Self::step`] does, of a chaser that [rests within reach](crate::ChaseState::Reached): it is
    /// on its way again, by the field that it shares or by a new search.
    pub fn step_off(&mut self, map: &NavMap, to: Cell, stepping: &mut Stepping) {
        if !self.cursor.is_sharing() {
            // It begins beside where the chaser is from now on.
            self.cursor.drop_path();
        }
        self.cursor.set_off();
        self.step(map, to, stepping);
    }

    /// Drops what the chaser follows, so that it searches in this tick, and goes round bodies in its way.
    pub fn search_anew(&mut self, now: NavTime) {
        self.cursor.interrupt();
        *self.search_timer = NavTimer::default();
        self.search_timer.set_waits(NavTimer::WAITS_MAX);
        self.move_timer.wake(now);
    }
}

/// A chaser with a [`Heading`]: a part of the query of the system that sets it.
#[derive(QueryData)]
#[query_data(mutable)]
pub struct Header {
    /// The chaser.
    pub entity: Entity,
    heading: &'static mut Heading,
    alone: &'static mut SearchesAlone,
    /// Its tuning.
    pub chaser: &'static mut Chaser,
    /// What it follows.
    pub cursor: &'static mut PathCursor,
}

impl HeaderItem<'_, '_> {
    /// Heads for a cell from now on, or for the target again. A path that it follows stays: where it was searched
    /// for the other purpose, [drop](PathCursor::drop_path) it, so that the next decision is to search.
    pub fn head_for(&mut self, cell: Option<Cell>, stepping: &mut Stepping) {
        if self.set(cell) {
            stepping.long.drop_of(self.entity);
        }
    }

    /// Heads for the target again, of a chase that may have ended, and drops a path to a cell.
    pub fn release(&mut self) {
        if self.set(None) && self.cursor.is_on_path() {
            self.cursor.drop_path();
        }
    }

    /// Returns whether it heads for a cell now and did not before, or the other way round.
    fn set(&mut self, cell: Option<Cell>) -> bool {
        self.heading.set_if_neq(Heading(cell));
        let is_change = self.alone.0 != cell.is_some();
        if is_change {
            self.alone.0 = cell.is_some();
            // Its tuning is noted again, and with it whether it shares fields.
            self.chaser.set_changed();
        }
        is_change
    }
}
