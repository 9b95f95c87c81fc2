//! Step: one cell per move tick.

mod outcomes;
mod propose;
mod push;
mod settle;
mod solid;
mod strips;
mod walk_rows;
mod wish;

pub(crate) use outcomes::Outcomes;
pub(crate) use propose::{Wants, propose_steps};
pub(crate) use settle::step_solids;
pub(crate) use solid::give_out_cells;
pub(crate) use wish::Course;
use wish::arrive;

use super::{
    bags::Bags,
    by_agent::Event,
    pursuers::{Pursuer, PursuerItem, Pursues, Visit, visit_all},
    rows::Rows,
    scene::Scenes,
    standing::Standing,
    targets::Targets,
    turns::Turns,
};
use crate::{AgentId, Body, BodyKind, ChasedBy, NavTime, OnMap};
use bevy_ecs::{change_detection::Tick, prelude::*, system::SystemChangeTick};
use nav_grid::Cell;

/// What the steps of a tick came to.
#[derive(Resource, Default)]
pub(crate) struct Steps {
    pub(crate) taken: u64,
    /// When the systems that move bodies last ran: their changes are told by that from the game's.
    pub(crate) moved_at: [Option<Tick>; 2],
    /// Chasers that came within reach of their targets.
    pub(crate) arrivals: Vec<Event<Entity>>,
}

impl Steps {
    fn take_up(&mut self, other: &mut Self) {
        self.taken += std::mem::take(&mut other.taken);
        self.arrivals.append(&mut other.arrivals);
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
    ticks: SystemChangeTick,
) {
    steps.taken = 0;
    steps.moved_at = [Some(ticks.this_run()), None];
    order.clear();
    order.extend(chased.iter().map(|walker| (*walker.id, walker.entity)));
    order.sort_unstable();
    for &(_, entity) in &*order {
        let Ok(mut walker) = chased.get_mut(entity) else {
            continue;
        };
        if course.clock.now() < walker.beat.next_step {
            continue;
        }
        let may_step = |walker: &PursuerItem, to: Cell| {
            let (Some(body), Some(map)) = (walker.body(), walker.map()) else {
                return true;
            };
            let free = standing
                .floor(map, to.floor)
                .is_none_or(|floor| floor.is_free(entity, to, body.footprint));
            let may_step = body.kind != BodyKind::Solid || free;
            if may_step {
                standing.step(entity, map, to);
            }
            may_step
        };
        let mut scenes = course.scenes(&targets);
        course.walk(&mut scenes, &mut walker, &mut steps, may_step);
        if walker.position.is_changed() {
            targets.has_moved(entity, *walker.position);
        }
    }
}

/// Chasers without a body that nobody chases.
type Ghosts<'w, 's> = Query<'w, 's, Pursuer, (With<OnMap>, Without<Body>, Without<ChasedBy>)>;

/// Advances chasers without a body. They do not see each other, so their order does not matter.
pub(crate) fn step_ghosts(
    course: Course,
    targets: Res<Targets>,
    ghosts: Ghosts,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Steps>>,
) {
    let walk = Walk {
        course: &course,
        targets: &targets,
    };
    visit_all(ghosts, &bags, &walk);
    for bag in bags.iter_mut() {
        steps.take_up(bag);
    }
}

/// Has ghosts take their steps.
struct Walk<'a, 'w, 's> {
    course: &'a Course<'w, 's>,
    targets: &'a Targets,
}

impl Visit<Steps> for Walk<'_, '_, '_> {
    fn now(&self) -> NavTime {
        self.course.clock.now()
    }

    fn scenes(&self) -> Scenes<'_> {
        self.course.scenes(self.targets)
    }

    #[inline]
    fn visit_rows<'a>(
        &'a self,
        rows: &mut Rows,
        turns: &mut Turns,
        scenes: &mut Scenes<'a>,
        steps: &mut Steps,
    ) {
        self.course.walk_rows(rows, turns, scenes, steps);
    }

    #[inline]
    fn visit<'a>(&'a self, ghost: &mut impl Pursues, scenes: &mut Scenes<'a>, steps: &mut Steps) {
        self.course.walk(scenes, ghost, steps, |_, _| true);
    }
}
