//! Deciding what every chaser follows: the sets `Decide` and `JoinFields`.

mod ask;
mod decision;
mod facts;
mod guide_table;
mod systems;

use self::systems::{
    call_waiting, decide_for_awaiting, decide_for_due, decide_for_pending, prepare_footprints,
};
use crate::{
    NavSystems,
    systems::{
        fields::{aim_far, make_asked_for, make_far_fields, note_tunings},
        storage::pending::{PendingDecisions, leave_targets},
    },
};
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Decides for chasers, and once more for chasers that await a field.
pub(crate) fn add_decide(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<PendingDecisions>().add_systems(
        schedule,
        (
            (
                // Again, for chasers that were tuned or got another target since.
                leave_targets,
                note_tunings,
                decide_for_due,
                call_waiting,
                prepare_footprints,
                decide_for_pending,
            )
                .chain()
                .in_set(NavSystems::Decide),
            (
                make_asked_for,
                make_far_fields,
                decide_for_awaiting,
                aim_far,
            )
                .chain()
                .in_set(NavSystems::JoinFields),
        ),
    );
}
