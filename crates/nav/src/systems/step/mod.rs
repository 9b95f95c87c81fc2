//! Step: one cell per move tick.

mod outcomes;
mod push;
mod solid;
mod wish;

pub(crate) use outcomes::Outcomes;
pub(crate) use solid::{Wants, give_out_cells, propose_steps, step_solids};
pub(crate) use wish::Course;
use wish::Scene;

use super::{bags::Bags, standing::Standing, targets::Targets, threads::Threads};
use crate::{
    AgentId, Body, CellPosition, ChasedBy, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition,
};
use bevy_ecs::{prelude::*, query::QueryData};
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

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Walker {
    pub(crate) entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    chasing: &'static Chasing,
    on_map: &'static OnMap,
    body: Option<&'static Body>,
    position: &'static mut CellPosition,
    world: Option<&'static mut WorldPosition>,
    cursor: &'static mut PathCursor,
    timer: &'static mut NavTimer,
    beat: &'static mut MoveTimer,
}

impl WalkerItem<'_, '_> {
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
            && let Some(place) = course.world(self.on_map.0, to)
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
    mut chased: Query<Walker, With<ChasedBy>>,
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
        let map = walker.on_map.0;
        if let Some(body) = walker.body {
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
    mut ghosts: Query<Walker, (Without<Body>, Without<ChasedBy>)>,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Steps>>,
) {
    let now = course.clock.now();
    let walk = |steps: &mut Steps, walker: &mut WalkerItem| {
        if let Some((to, scene)) = course.step_of(&targets, walker, steps) {
            walker.go(to, &course, &targets, &scene, steps);
        }
    };
    if Threads::has_pool() {
        let ghosts = ghosts.par_iter_mut().batching_strategy(Threads::batches());
        ghosts.for_each_init(
            || bags.take(),
            |bag, mut walker| {
                // Here, so that most of a crowd is passed over without a call.
                if walker.beat.next_step <= now {
                    walk(bag.content(), &mut walker);
                }
            },
        );
    } else {
        let mut bag = bags.take();
        ghosts
            .iter_mut()
            .filter(|walker| walker.beat.next_step <= now)
            .for_each(|mut walker| walk(bag.content(), &mut walker));
    }
    for bag in bags.iter_mut() {
        steps.take_up(bag);
    }
}
