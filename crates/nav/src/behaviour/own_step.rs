//! The step of a chaser that a behaviour takes for it, beside what the chase follows.

use crate::{
    Body, CellPosition, Chaser, MoveTimer, NavClock, NavMap, NavTimer, OnMap, Pace, WorldPosition,
    occupancy::Occupancy, systems::step::prolonged,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::Cell;

/// What a step of a chaser changes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Stepper {
    pub(super) entity: Entity,
    pub(super) chaser: &'static Chaser,
    pub(super) on_map: &'static OnMap,
    pub(super) body: Option<&'static Body>,
    pub(super) position: &'static mut CellPosition,
    pub(super) world: Option<&'static mut WorldPosition>,
    pub(super) search_timer: &'static mut NavTimer,
    pub(super) move_timer: &'static mut MoveTimer,
}

impl StepperItem<'_, '_> {
    /// Whether no other body is in the way on a cell.
    pub(super) fn has_room(&self, occupancy: &mut Occupancy, to: Cell) -> bool {
        self.body.is_none_or(|body| {
            let floor = occupancy.floor(self.on_map.0, to.floor);
            floor.is_none_or(|floor| floor.is_free(self.entity, to, (*body).into()))
        })
    }

    /// Takes a step that is legal at a move tick, onto a cell that has room.
    pub(super) fn step(
        &mut self,
        map: &NavMap,
        to: Cell,
        occupancy: &mut Occupancy,
        clock: &NavClock,
    ) {
        let from = self.position.cell;
        if self.body.is_some() {
            occupancy.step(self.entity, self.on_map.0, to);
            self.search_timer.set_stands(false);
        }
        *self.position = CellPosition::at(to);
        if let Some(world) = &mut self.world {
            **world = WorldPosition::of(map.frame(), to);
        }
        self.move_timer.tick(clock.now(), clock.previous(), true);
        if self.chaser.pace == Pace::ByCost {
            let timer = *self.move_timer;
            self.move_timer.next_step = prolonged(map, self.chaser, timer, from, to);
        }
    }
}
