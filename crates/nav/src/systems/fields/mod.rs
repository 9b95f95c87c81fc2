//! Fields that all chasers of a target share: groups, aiming, making, and what they answer.

mod anchors;
mod budget;
mod carried;
mod elsewhere;
mod far_field;
mod far_job;
mod far_sharing;
mod follow;
mod group;
mod job;
mod make;
mod make_far;
mod origin;
mod shared_field;
mod store;
mod target_fields;
mod tunings;
mod wish;
pub(crate) mod worth;

pub(crate) use far_sharing::{FarLook, FarRequests, FarSharer};
pub(crate) use follow::{drop_edited, note_wanted};
pub(crate) use make::make_asked_for;
pub(crate) use make_far::{aim_far, make_far_fields, some_see_far};
pub(crate) use shared_field::{FieldAnswer, NextCells, SharedField};
pub(crate) use store::Fields;
pub(crate) use tunings::note_tunings;

use self::{
    elsewhere::ask_as_elsewhere,
    follow::{aim, make_room},
    make::make_aimed,
};
use crate::{NavSystems, resource::InitExt, systems::last_look::TuningsNotedAt};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Aims and makes the fields that are due.
pub(crate) struct FieldsPlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for FieldsPlugin {
    fn build(&self, app: &mut App) {
        app.init::<Fields>()
            .init::<FarRequests>()
            .init::<TuningsNotedAt>()
            .add_systems(
                self.0,
                (make_room, aim, ask_as_elsewhere, make_aimed)
                    .chain()
                    .in_set(NavSystems::AimFields),
            );
    }
}
