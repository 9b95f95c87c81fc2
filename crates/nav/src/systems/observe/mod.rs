//! What the game changed since the last tick: clock, targets, maps and bodies.

mod bodies;
mod disabled;
mod edits;
mod maps;
mod pauses;
mod positions;

pub use edits::{Edited, SeenEdits};
pub(crate) use positions::{advance_clock, update_cells};

use self::{
    bodies::place_bodies,
    disabled::{look_again, take_away},
    edits::{follow_edits, repair_indexes, search_again},
    maps::leave_maps,
    pauses::end_pauses,
    positions::update_targets,
};
use crate::{
    NavClock, NavSystems,
    components::GroupMembers,
    occupancy::Occupancy,
    resource::InitExt,
    systems::{
        fields::{drop_edited, note_tunings},
        loans::{FollowedLoans, open_loans},
        storage::targets::Targets,
    },
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Notes what the game changed since the last tick.
pub(crate) struct ObservePlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for ObservePlugin {
    fn build(&self, app: &mut App) {
        app.init::<NavClock>()
            .init::<Targets>()
            .init::<Occupancy>()
            .init::<GroupMembers>()
            .init::<SeenEdits>()
            .init::<FollowedLoans>()
            .add_observer(take_away)
            .add_observer(look_again)
            .add_systems(
                self.0,
                (
                    advance_clock,
                    end_pauses,
                    leave_maps,
                    update_cells,
                    update_targets,
                    note_tunings,
                    drop_edited,
                    follow_edits,
                    search_again,
                    repair_indexes,
                    place_bodies,
                    open_loans,
                )
                    .chain()
                    .after(NavSystems::First)
                    .in_set(NavSystems::Observe),
            );
    }
}
