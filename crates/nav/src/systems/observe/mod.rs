//! Observe: what the game changed since the last tick: clock, agents, targets, maps and bodies.

mod agents;
mod edits;
mod positions;

pub use edits::{Edited, SeenEdits};
pub(crate) use positions::update_cells;

use self::{
    agents::{end_pauses, leave_maps, look_again, place_bodies, take_away},
    edits::{follow_edits, prepare_maps, search_again},
    positions::{advance_clock, update_targets},
};
use crate::{
    NavBudget, NavClock, NavSystems,
    budget::TickWork,
    components::{DiscardedTimers, GroupMembers, Retargeted},
    links::end_stays,
    occupancy::BodyPlaces,
    systems::{
        fields::{drop_edited, note_tunings},
        storage::{pending::leave_targets, targets::Targets},
    },
};
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Reads what the game changed since the last tick.
pub(crate) fn add_observe(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<NavClock>()
        .init_resource::<NavBudget>()
        .init_resource::<TickWork>()
        .init_resource::<Targets>()
        .init_resource::<BodyPlaces>()
        .init_resource::<GroupMembers>()
        .init_resource::<SeenEdits>()
        .init_resource::<DiscardedTimers>()
        .init_resource::<Retargeted>()
        .add_observer(take_away)
        .add_observer(look_again)
        .add_systems(
            schedule,
            (
                advance_clock,
                end_pauses,
                leave_targets,
                leave_maps,
                update_cells,
                update_targets,
                note_tunings,
                drop_edited,
                follow_edits,
                search_again,
                prepare_maps,
                place_bodies,
                end_stays(),
            )
                .chain()
                .after(NavSystems::First)
                .in_set(NavSystems::Observe),
        );
}
