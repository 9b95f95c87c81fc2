//! Steps: what every chaser wants, which body gets which cell, and where they go.
//!
//! In the order of a tick: chased chasers one by one ([`chased`]), [`ghosts`], and then all bodies: what
//! each wants ([`proposals`], by [`intent`]), which cell it gets ([`reserve`], [strip by strip](strips), where bodies
//! that waited [`push`] others [`around`] them), and taking it ([`outcomes`], by [`apply`]).

mod apply;
mod around;
mod chased;
mod ghosts;
mod intent;
mod outcomes;
mod proposals;
mod push;
mod reserve;
mod strips;

pub(crate) use apply::prolonged;
pub(crate) use outcomes::Outcomes;

use self::{
    chased::step_chased,
    ghosts::step_ghosts,
    outcomes::finish_steps,
    proposals::{Proposals, propose_steps},
    reserve::reserve_cells,
};
use crate::{
    Crowding, FieldAnchor, NavClock, NavSystems,
    components::{ScreenSeats, update_screens},
    systems::{
        fields::{note_tunings, note_wanted},
        storage::tick_events::TickEvents,
    },
};
use bevy_app::App;
use bevy_ecs::{entity::EntityHashMap, intern::Interned, prelude::*, schedule::ScheduleLabel};

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
                step_chased,
                step_ghosts,
                propose_steps,
                reserve_cells,
                finish_steps,
                note_arrivals,
                note_wanted,
                update_screens,
            )
                .chain()
                .in_set(NavSystems::Step),
        );
}

/// Records at each target when a chaser last came within reach.
///
/// Taking the place that another gave up in the same tick is no arrival, nor is returning after
/// having made room: two packs could push each other to and fro for ever.
fn note_arrivals(
    clock: Res<NavClock>,
    events: Res<TickEvents>,
    mut anchors: Query<&mut FieldAnchor>,
    mut bodies: Query<&mut Crowding>,
    mut given: Local<EntityHashMap<u32>>,
) {
    let now = clock.now();
    given.clear();
    for &target in &events.places_given {
        *given.entry(target).or_default() += 1;
    }
    for &(_, chaser, target) in &events.arrivals {
        if let Ok(mut crowding) = bodies.get_mut(chaser)
            && crowding.gave_way
        {
            crowding.gave_way = false;
        } else if let Some(places) = given.get_mut(&target).filter(|places| **places > 0) {
            *places -= 1;
        } else if let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.reached != now
        {
            anchor.reached = now;
        }
    }
}
