//! The set `AimFields`: fields follow their targets.

use super::{
    far_sharing::FarRequests,
    follow::{aim, make_room},
    make::make_aimed,
    store::Fields,
};
use crate::NavSystems;
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Aims and makes the fields that are due.
pub(crate) struct FieldsPlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for FieldsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Fields>()
            .init_resource::<FarRequests>()
            .add_systems(
                self.0,
                (make_room, aim, make_aimed)
                    .chain()
                    .in_set(NavSystems::AimFields),
            );
    }
}
