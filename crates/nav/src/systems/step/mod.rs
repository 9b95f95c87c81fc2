//! Step: one cell per move tick.

mod outcomes;
mod push;
mod solid;
mod wish;

pub(crate) use outcomes::Outcomes;
pub(crate) use solid::{Wants, give_out_cells, propose_steps, step_solids};
pub(crate) use wish::Course;
use wish::Scene;

use super::{
    bags::Bags,
    pursuers::{Pursuer, PursuerItem, look_at_all},
    standing::Standing,
    targets::Targets,
};
use crate::{AgentId, Body, CellPosition, ChasedBy, OnMap};
use bevy_ecs::prelude::*;
use nav_grid::Cell;

/// What the steps of a tick came to.
#[derive(Resource, Default)]
pub(crate) struct Steps {
    pub(crate) taken: u64,
    /// Chasers that came within reach of their targets.
    pub(crate) arrivals: Vec<(AgentId, Entity, Entity)>,
}

impl Steps {
    fn take_up(&mut self, other: &mut Self) {
        self.taken += std::mem::take(&mut other.taken);
        self.arrivals.append(&mut other.arrivals);
    }
}

impl PursuerItem<'_, '_> {
    /// Goes to a cell, and notes if that is within reach of the target.
    fn go(
        &mut self,
        to: Cell,
        course: &Course,
        targets: &Targets,
        scene: &Scene,
        steps: &mut Steps,
    ) {
        self.put(to, course, steps);
        if course.is_reached(targets, scene, self, to) {
            self.arrive(steps);
        }
    }

    /// Is within reach of its target.
    fn arrive(&mut self, steps: &mut Steps) {
        if self.cursor.set_reached(true) {
            self.timer.set_waits(0);
            steps.arrivals.push((*self.id, self.entity, self.chasing.0));
        }
    }

    /// Goes to a cell.
    fn put(&mut self, to: Cell, course: &Course, steps: &mut Steps) {
        if self.cursor.path().peek() == Some(to) {
            self.cursor.advance();
        } else if !self.cursor.path().is_empty() {
            // Out of the way of others: the path lies beside it now.
            self.cursor.drop_path();
        }
        *self.position = CellPosition::at(to);
        if let Some(world) = &mut self.world
            && let Some(place) = self.on_map.and_then(|on_map| course.world(on_map.0, to))
        {
            world.0 = place;
        }
        if self.timer.stands() {
            self.timer.set_stands(false);
        }
        steps.taken += 1;
    }
}

/// Advances chasers that are targets themselves, by number, so that those behind them see where
/// they went: nobody steps onto the cell of its own target.
pub(crate) fn step_chased(
    course: Course,
    mut targets: ResMut<Targets>,
    mut standing: ResMut<Standing>,
    mut chased: Query<Pursuer, (With<OnMap>, With<ChasedBy>)>,
    mut steps: ResMut<Steps>,
    mut order: Local<Vec<(AgentId, Entity)>>,
) {
    steps.taken = 0;
    order.clear();
    order.extend(chased.iter().map(|walker| (*walker.id, walker.entity)));
    order.sort_unstable();
    for &(_, entity) in &*order {
        let Ok(mut walker) = chased.get_mut(entity) else {
            continue;
        };
        let Some((to, scene)) = course.step_of(&targets, &mut walker, &mut steps) else {
            continue;
        };
        if let (Some(body), Some(map)) = (walker.body, walker.map()) {
            let free = standing
                .stage(map)
                .is_none_or(|stage| stage.is_free(entity, to, body.footprint));
            if body.kind == crate::BodyKind::Solid && !free {
                continue;
            }
            standing.step(entity, map, to);
        }
        walker.go(to, &course, &targets, &scene, &mut steps);
        targets.has_moved(entity, *walker.position);
    }
}

/// Advances chasers without a body. They do not see each other, so their order does not matter.
pub(crate) fn step_ghosts(
    course: Course,
    targets: Res<Targets>,
    ghosts: Query<Pursuer, (With<OnMap>, Without<Body>, Without<ChasedBy>)>,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Steps>>,
) {
    let (now, previous) = (course.clock.now(), course.clock.previous());
    look_at_all(
        ghosts,
        &bags,
        |steps, rows, row| {
            if now < rows.beats.at(row).next_step {
                return true;
            }
            let ride = course.ride(&targets, rows, row);
            let Some(to) = ride.and_then(|ride| ride.step()) else {
                return false;
            };
            rows.beats.change(row).tick(now, previous, true);
            *rows.positions.change(row) = CellPosition::at(to);
            steps.taken += 1;
            true
        },
        |steps, mut ghost| {
            if let Some((to, scene)) = course.step_of(&targets, &mut ghost, steps) {
                ghost.go(to, &course, &targets, &scene, steps);
            }
        },
    );
    for bag in bags.iter_mut() {
        steps.take_up(bag);
    }
}
