//! Steps: what every chaser wants, which body gets which cell, and where they go.
//!
//! In the order of a tick: chased chasers one by one ([`chased`]), [`ghosts`], and then all bodies: what
//! each wants ([`proposals`], by [`intent`]), which cell it gets ([`reserve`], [strip by strip](strips), where bodies
//! that waited [`push`] others [`around`] them), and taking it ([`outcomes`], by [`apply`]).

mod apply;
mod around;
mod chased;
mod choose;
#[cfg(test)]
mod drawing;
mod ghosts;
mod ground;
mod intent;
mod outcomes;
mod proposals;
mod push;
mod reserve;
mod room;
mod strips;

pub(crate) use apply::prolonged;
pub(crate) use outcomes::Outcomes;

use self::proposals::Proposals;
use crate::{
    Crowding, FieldAnchor, NavClock, NavSystems,
    components::{ScreenSeats, update_screens},
    systems::{
        fields::{note_tunings, note_wanted},
        storage::tick_events::TickEvents,
    },
};
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Moves chasers.
pub(crate) fn add_step(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Proposals>()
        .init_resource::<Outcomes>()
        .init_resource::<ScreenSeats>()
        .add_systems(
            schedule,
            (
                // Again, for chasers that were spawned or tuned since.
                note_tunings,
                chased::step_chased,
                ghosts::step_ghosts,
                proposals::propose_steps,
                reserve::reserve_cells,
                outcomes::finish_steps,
                note_arrivals,
                note_wanted,
                update_screens,
            )
                .chain()
                .in_set(NavSystems::Step),
        );
}

/// Records at each target when a body last came within reach: each body once while the target stands, since two packs
/// that make room for each other could push for ever.
fn note_arrivals(
    clock: Res<NavClock>,
    events: Res<TickEvents>,
    mut anchors: Query<&mut FieldAnchor>,
    mut bodies: Query<&mut Crowding>,
) {
    let now = clock.now();
    for &(_, chaser, target) in &events.arrivals {
        if let Ok(mut crowding) = bodies.get_mut(chaser)
            && let Ok(mut anchor) = anchors.get_mut(target)
            && !(crowding.arrived && anchor.is_standing(now))
        {
            crowding.arrived = true;
            anchor.reached = now;
        }
    }
}
