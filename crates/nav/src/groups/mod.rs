//! Groups of targets: each chaser goes for the member with the shortest way.
//!
//! A chase of a group is a chase of one of its members, which the plugin chooses: whatever a game
//! knows of chases holds for these. One field for the whole group tells which member is the
//! nearest.

mod choose;
mod components;
mod fields;

pub use components::{Attraction, ChasingGroup, GroupTargets, InGroup, MemberChosen, TargetGroup};

use crate::{NavSystems, sets::on_demand, state::register_states};
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use components::GroupAim;

/// Adds the systems and the state of groups.
pub(crate) fn add_groups(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    register_states! {
        app,
        Attraction: Seen,
        ChasingGroup: Decides,
        GroupAim: Decides,
        InGroup: Seen,
        TargetGroup: Decides,
    }
    #[cfg(feature = "serialize")]
    crate::saving::drop_by_saves(app, forget_fields);
    let systems = (
        on_demand::<With<TargetGroup>, _>(choose::follow_members),
        on_demand::<With<ChasingGroup>, _>(choose::choose_members),
    );
    app.init_resource::<fields::GroupFields>()
        .add_message::<MemberChosen>()
        .add_systems(schedule, systems.chain().in_set(NavSystems::ChooseMembers));
}

/// Drops the fields of all groups, as saves do: a restored world begins without any.
#[cfg(feature = "serialize")]
fn forget_fields(world: &mut World) {
    if let Some(mut fields) = world.get_resource_mut::<fields::GroupFields>() {
        fields.forget();
    }
    for mut aim in world.query::<&mut GroupAim>().iter_mut(world) {
        aim.work = 0;
    }
}
