//! Actions of a game's system for a chaser beside its chase: a step, a new search, another
//! goal.
//!
//! Such systems run between [`NavSystems::Observe`](crate::NavSystems::Observe), after which the
//! places of targets are known, and [`NavSystems::AimFields`](crate::NavSystems::AimFields), before
//! any decision.

use crate::{
    Body, CellPosition, Chaser, Chasing, Crowding, FieldAnchor, MoveTimer, NavClock, NavMap,
    NavTime, NavTimer, OnMap, Pace, PathCursor, WorldPosition,
    components::{Chase, Event, Heading, SearchesAlone},
    occupancy::{BodyPlaces, Entry},
    systems::{search::LongSearch, step::prolonged, storage::targets::Targets},
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::Cell;

pub use crate::systems::TargetSnapshot;

/// The parameter of a system that takes steps for [chasers](Stepper): targets of this tick,
/// occupied cells, and the running search.
#[derive(SystemParam)]
pub struct Stepping<'w> {
    clock: Res<'w, NavClock>,
    targets: ResMut<'w, Targets>,
    occupancy: ResMut<'w, BodyPlaces>,
    long: ResMut<'w, LongSearch>,
}

impl Stepping<'_> {
    /// The moment of this tick.
    pub fn now(&self) -> NavTime {
        self.clock.now()
    }

    /// Where the target of a chaser is in this tick; `None` if it is not on the chaser's map.
    pub fn target(&self, chasing: &Chasing, on_map: &OnMap) -> Option<&TargetSnapshot> {
        let slot = self.targets.slot_on(chasing.0, on_map.0)?;
        Some(&self.targets.at(slot).seen)
    }

    /// Where the shared fields of a chaser's target are aimed; `None` if it is not on the chaser's
    /// map.
    pub fn anchor(&self, chasing: &Chasing, on_map: &OnMap) -> Option<&FieldAnchor> {
        let slot = self.targets.slot_on(chasing.0, on_map.0)?;
        Some(&self.targets.at(slot).anchor)
    }
}

/// Marks a chaser that systems of a game step while it chases nothing. The crate `nav_testing`
/// takes steps of others without a chase for a fault. It is no part of a save or of the digest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SteppedByGame;

/// A chaser for which a system takes steps: query data of that system, beside [`Stepping`].
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
    /// Its place, which [`StepperItem::step`] changes.
    pub position: &'static mut CellPosition,
    world: Option<&'static mut WorldPosition>,
    /// How other bodies block it, if it has a body.
    pub crowding: Option<&'static mut Crowding>,
    /// The time of its next search.
    pub search_timer: &'static mut NavTimer,
    /// The time of its next step.
    pub move_timer: &'static mut MoveTimer,
    /// Its state and path.
    pub cursor: &'static mut PathCursor,
}

impl StepperItem<'_, '_> {
    fn chase(&mut self) -> Chase<Mut<'_, PathCursor>, Mut<'_, NavTimer>> {
        Chase::of(self.cursor.reborrow(), self.search_timer.reborrow())
    }

    /// Whether no other body is in the way at a cell; always true for a chaser without a body.
    pub fn has_room(&self, stepping: &Stepping, to: Cell) -> bool {
        self.body.is_none_or(|body| {
            let bodies = stepping.occupancy.of(self.on_map.0);
            bodies.is_none_or(|bodies| bodies.entry(self.entity, *body, to) == Entry::Free)
        })
    }

    /// Takes a step. The next move tick is a period later.
    ///
    /// The caller ensures, since nothing is checked here, that it is a move tick of the chaser,
    /// that the step is legal, and that the cell [has room](Self::has_room).
    pub fn step(&mut self, map: &NavMap, to: Cell, stepping: &mut Stepping) {
        let from = self.position.cell;
        if self.body.is_some() {
            stepping.occupancy.step(self.entity, self.on_map.0, to);
        }
        if let Some(crowding) = &mut self.crowding {
            crowding.step();
        }
        self.chase().apply(Event::SetOff);
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
        // Its own chasers see the step in this tick.
        let targets = &mut stepping.targets;
        targets.set_position(self.entity, CellPosition::at(to));
    }

    /// Takes a [step](Self::step) of a chaser [within reach](crate::ChaseState::Reached), which
    /// then continues by the field that it shares or by a new search.
    pub fn step_off(&mut self, map: &NavMap, to: Cell, stepping: &mut Stepping) {
        if !self.cursor.is_sharing() {
            // The old path does not begin at the new cell.
            self.cursor.drop_path();
        }
        self.step(map, to, stepping);
    }

    /// Drops what the chaser follows, so that it searches in this tick and plans around bodies in
    /// its way.
    pub fn search_anew(&mut self, now: NavTime) {
        self.chase().apply(Event::Begun);
        if let Some(crowding) = &mut self.crowding {
            **crowding = Crowding {
                waits: Crowding::WAITS_MAX,
                ..Crowding::default()
            };
        }
        self.move_timer.wake(now, self.cursor.stands());
    }
}

/// A chaser with a [`Heading`]: query data of a system that sets it.
#[derive(QueryData)]
#[query_data(mutable)]
pub struct HeadingQuery {
    /// The chaser.
    pub entity: Entity,
    heading: &'static mut Heading,
    alone: &'static mut SearchesAlone,
    /// Its tuning.
    pub chaser: &'static mut Chaser,
    /// Its state and path.
    pub cursor: &'static mut PathCursor,
}

impl HeadingQueryItem<'_, '_> {
    /// Heads for a cell, or with `None` for the target again.
    ///
    /// The chaser keeps its path. If that leads to the old goal, [drop](PathCursor::drop_path) it,
    /// so that the chaser searches at its next decision.
    pub fn head_for(&mut self, cell: Option<Cell>, stepping: &mut Stepping) {
        if self.set(cell) {
            stepping.long.drop_of(self.entity);
        }
    }

    /// Heads for the target again and drops a path to a cell. The chase may have ended.
    pub fn release(&mut self) {
        if self.set(None) && self.cursor.is_on_path() {
            self.cursor.drop_path();
        }
    }

    /// Sets the heading. Returns whether it changed from the target to a cell or back.
    fn set(&mut self, cell: Option<Cell>) -> bool {
        self.heading.set_if_neq(Heading(cell));
        let is_change = self.alone.set_if_neq(SearchesAlone(cell.is_some()));
        if is_change {
            // Makes the plugin note the tuning again, which says whether the chaser shares fields.
            self.chaser.set_changed();
        }
        is_change
    }
}
