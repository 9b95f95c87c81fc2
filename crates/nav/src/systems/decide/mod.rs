//! Deciding who searches now, and why: the sets `Decide` and `JoinFields`.

mod again;
mod awaiting;
mod chaser;
mod due;
mod facts;
mod new_target;
mod params;
mod pending;
mod restored;
mod rules;
#[cfg(test)]
mod rules_tests;
mod scratch;

pub(crate) use pending::PendingDecisions;

use self::{
    again::{decide_for_pending, prepare_maps, some_are_pending},
    awaiting::{decide_for_awaiting, some_await_fields},
    due::decide_for_due,
    restored::note_retargeted,
};
use crate::{
    NavSystems,
    resource::InitExt,
    systems::{
        fields::{aim_far, make_asked_for, make_far_fields, note_tunings, some_see_far},
        last_look::DecidedAt,
        restored::Restored,
    },
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Decides for chasers, and once more for those that await a field.
pub(crate) struct DecidePlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for DecidePlugin {
    fn build(&self, app: &mut App) {
        app.init::<PendingDecisions>()
            .init::<DecidedAt>()
            .add_systems(
                self.0,
                (
                    (
                        note_tunings,
                        note_retargeted.run_if(resource_exists::<Restored>),
                        decide_for_due,
                        (prepare_maps, decide_for_pending)
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
