//! Steps: what every chaser wants, which body gets which cell, and where they go.
//!
//! In the order of a tick: chased chasers one by one ([`chased`]), [`ghosts`], those among them
//! whose [`links`] hold few, and then all bodies: what each wants ([`proposals`], by [`intent`]),
//! which cell it gets ([`reserve`], [strip by strip](strips), where bodies that waited [`push`]
//! others [`around`] them), and taking it ([`outcomes`], by [`apply`]).

mod apply;
mod around;
mod chased;
mod choose;
#[cfg(test)]
mod drawing;
mod ghosts;
mod ground;
mod intent;
mod links;
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
    Chaser, Crowding, FieldAnchor, NavClock, NavSystems,
    components::{ScreenSeats, update_screens},
    links::begin_stays,
    systems::{
        fields::{note_tunings, note_wanted},
        storage::{
            targets::Targets,
            tick_events::{TickEvents, in_order},
        },
    },
};
use bevy_app::App;
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav_grid::Footprint;

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
                links::take_turns.run_if(links::are_asked),
                proposals::propose_steps,
                reserve::reserve_cells,
                outcomes::finish_steps,
                begin_stays(),
                note_arrivals,
                note_wanted,
                update_screens,
            )
                .chain()
                .in_set(NavSystems::Step),
        );
}

/// Records at each target when a body last came within reach: each body once while the target
/// stands, and no more of them than have places there.
fn note_arrivals(
    clock: Res<NavClock>,
    targets: Res<Targets>,
    mut events: ResMut<TickEvents>,
    mut anchors: Query<&mut FieldAnchor>,
    mut bodies: Query<(&Chaser, &mut Crowding)>,
) {
    let now = clock.now();
    for &(_, body, target) in in_order(&mut events.arrivals) {
        if let Ok((chaser, mut crowding)) = bodies.get_mut(body)
            && let Ok(mut anchor) = anchors.get_mut(target)
            && let Some(slot) = targets.slot(target)
            && !(crowding.arrived && anchor.is_standing(now))
        {
            crowding.arrived = true;
            anchor.note_arrival(now, places_around(targets.at(slot).seen.body, chaser));
        }
    }
}

/// How many bodies like that of a chaser have room within its reach around a target.
fn places_around(target: Footprint, chaser: &Chaser) -> u16 {
    let (inner, own) = (
        u16::from(target.side()),
        u16::from(chaser.rules.footprint.side()),
    );
    let width = chaser.stop_distance.saturating_add(own - 1);
    let outer = inner.saturating_add(width.saturating_mul(2));
    let cells = outer.saturating_mul(outer) - inner * inner;
    cells / (own * own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_around_a_target() {
        let places = |target, own, stop_distance| {
            let side = |side| Footprint::new(side).expect("a side from 1 to 8");
            let mut chaser = Chaser {
                stop_distance,
                ..Chaser::default()
            };
            chaser.rules.footprint = side(own);
            places_around(side(target), &chaser)
        };
        assert_eq!(places(1, 1, 1), 8);
        assert_eq!(places(2, 1, 1), 12);
        assert_eq!(places(1, 2, 1), 6);
        assert_eq!(places(1, 1, 3), 48);
        assert_eq!(places(8, 8, u16::MAX), (u16::MAX - 64) / 64);
    }
}
