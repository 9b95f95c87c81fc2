//! Deciding what every chaser follows: the sets `Decide` and `JoinFields`.

mod decision;
mod facts;
mod guide_table;
mod systems;

pub(crate) use systems::PendingDecisions;

use self::systems::{
    call_waiting, decide_for_awaiting, decide_for_due, decide_for_pending, prepare_footprints,
    some_are_pending, some_await_fields, some_wait,
};
use crate::{
    NavSystems,
    sets::InitExt,
    systems::{
        fields::{aim_far, make_asked_for, make_far_fields, note_tunings, some_see_far},
        observe::leave_targets,
    },
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Decides for chasers, and once more for chasers that await a field.
pub(crate) struct DecidePlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for DecidePlugin {
    fn build(&self, app: &mut App) {
        app.init::<PendingDecisions>().add_systems(
            self.0,
            (
                (
                    // Again, for chasers that were tuned or got another target since.
                    leave_targets,
                    note_tunings,
                    decide_for_due,
                    call_waiting.run_if(some_wait),
                    (prepare_footprints, decide_for_pending)
                        .chain()
                        .run_if(some_are_pending),
                )
                    .chain()
                    .in_set(NavSystems::Decide),
                (
                    make_asked_for,
                    make_far_fields.run_if(some_see_far),
                    decide_for_awaiting.run_if(some_await_fields),
                    aim_far.run_if(some_see_far),
                )
                    .chain()
                    .in_set(NavSystems::JoinFields),
            ),
        );
    }
}
