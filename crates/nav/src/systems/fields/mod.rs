//! Fields that all chasers of a target share: groups, aiming, making, and what they answer.

mod aim;
mod far;
mod make;
mod shared_field;
mod store;
mod target_fields;
mod tunings;

pub(crate) use aim::{drop_edited, note_wanted};
pub(crate) use far::{FarSharer, aim_far, make_far_fields};
pub(crate) use make::make_asked_for;
pub(crate) use shared_field::{FieldAnswer, SharedField};
pub(crate) use store::Fields;
pub(crate) use target_fields::{FIELD_CHASERS_MIN, FieldRequests};
pub(crate) use tunings::note_tunings;

use self::{
    aim::{aim, make_room},
    make::make_aimed,
};
use crate::NavSystems;
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Aims and makes the fields that are due.
pub(crate) fn add_fields(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    let systems = (make_room, aim, make_aimed).chain();
    app.init_resource::<Fields>()
        .init_resource::<FieldRequests>()
        .add_systems(schedule, systems.in_set(NavSystems::AimFields));
}
