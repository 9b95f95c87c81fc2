//! Steps: what every chaser wants, who gets which cell, and where they go.

mod apply_step;
mod arrivals;
mod chased;
mod choose;
mod detours;
mod finish;
mod ghosts;
mod held_up;
mod next_step;
mod outcomes;
mod plans;
mod proposal;
mod propose;
mod push;
mod push_memory;
mod reserve;
mod right_of_way;
mod screens;
mod strip_ground;
mod strips;
mod surroundings;

pub(crate) use apply_step::prolonged;
pub(crate) use outcomes::Outcomes;

use self::{
    arrivals::note_arrivals, chased::step_chased, finish::finish_steps, ghosts::step_ghosts,
    proposal::Proposals, propose::propose_steps, reserve::reserve_cells, screens::update_screens,
};
use crate::{
    NavSystems,
    components::ScreenSeats,
    resource::InitExt,
    systems::{
        fields::{note_tunings, note_wanted},
        loans::note_wishes,
    },
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Moves chasers.
pub(crate) struct StepPlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for StepPlugin {
    fn build(&self, app: &mut App) {
        app.init::<Proposals>()
            .init::<Outcomes>()
            .init::<ScreenSeats>()
            .add_systems(
                self.0,
                (
                    // Again, for chasers that were spawned or tuned since.
                    note_tunings,
                    step_chased,
                    step_ghosts,
                    propose_steps,
                    reserve_cells,
                    finish_steps,
                    note_arrivals,
                    note_wanted,
                    update_screens,
                    note_wishes,
                )
                    .chain()
                    .in_set(NavSystems::Step),
            );
    }
}
