//! Bodies do as was found.

use super::{
    Course, Steps,
    outcomes::{Outcome, Outcomes},
    propose::Solids,
};
use crate::{
    NavTime,
    systems::{
        bags::Bags,
        pursuers::{PursuerItem, Pursues, Visit, visit_all},
        rows::Rows,
        scene::Scenes,
        targets::Targets,
        turns::Turns,
    },
};
use bevy_ecs::{prelude::*, system::SystemChangeTick};

/// Has everybody do as was found.
pub(crate) fn step_solids(
    course: Course,
    targets: Res<Targets>,
    outcomes: Res<Outcomes>,
    solids: Solids,
    mut steps: ResMut<Steps>,
    mut bags: Local<Bags<Steps>>,
    ticks: SystemChangeTick,
) {
    steps.moved_at[1] = Some(ticks.this_run());
    let settle = Settle {
        course: &course,
        targets: &targets,
        outcomes: &outcomes,
    };
    visit_all(solids, &bags, &settle);
    for bag in bags.iter_mut() {
        steps.take_up(bag);
    }
}

/// Has bodies do as was found.
struct Settle<'a, 'w, 's> {
    course: &'a Course<'w, 's>,
    targets: &'a Targets,
    outcomes: &'a Outcomes,
}

impl Visit<Steps> for Settle<'_, '_, '_> {
    fn now(&self) -> NavTime {
        self.course.clock.now()
    }

    fn has_turn(&self, body: &PursuerItem) -> bool {
        self.outcomes.is_something(body.entity())
    }

    #[inline]
    fn turns(&self, rows: &Rows, turns: &mut Turns) {
        let bodies = rows.entities().iter();
        turns.note(0, bodies.map(|&body| self.outcomes.is_something(body)));
    }

    fn scenes(&self) -> Scenes<'_> {
        self.course.scenes(self.targets)
    }

    #[inline]
    fn visit<'a>(&'a self, body: &mut impl Pursues, scenes: &mut Scenes<'a>, steps: &mut Steps) {
        let Self {
            course, outcomes, ..
        } = *self;
        let (now, previous) = (course.clock.now(), course.clock.previous());
        match outcomes.take(body.entity()) {
            Outcome::Nothing => {}
            Outcome::Step(to) => {
                if !body.beat_mut().tick(now, previous, true) {
                    // It stood, and was asked to make room between its move ticks.
                    let period = body.beat().chasing;
                    body.beat_mut().keep_beat(now, period);
                }
                if body.cursor().is_reached() {
                    body.cursor_mut().set_reached(false);
                }
                if let Some(scene) = scenes.of(body) {
                    Course::go(scene, body, to, steps);
                } else {
                    Course::put(course.map(body.map()), body, to, steps);
                }
            }
            Outcome::Rest { woken } => {
                let beat = body.beat_mut();
                beat.tick(now, previous, false);
                if woken {
                    beat.wake(now);
                }
                let timer = body.timer_mut();
                timer.set_waits(timer.waits().saturating_add(1));
                timer.set_stands(true);
            }
            Outcome::Wake => {
                if body.beat().next_step > now {
                    body.beat_mut().wake(now);
                }
            }
        }
    }
}
