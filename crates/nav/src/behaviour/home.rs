//! Where an agent stands when it has nothing to do.

use super::{Activity, BehaviourSystems, GoTo, Patrol, go_to::WalkSystems, sets::order_sets};
use crate::{CellPosition, Chaser, Chasing, PathCursor};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::Cell;

/// The cell of its map where a chaser stands when it chases nobody and patrols nowhere: after a chase,
/// or when it was pushed or thrown away, it walks there. Also where a [`Leash`](super::Leash) may be
/// tied.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct Home(pub Cell);

/// Sends agents [home](Home) that have nothing to do.
pub struct HomePlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for HomePlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_systems(
            self.0,
            send_home
                .in_set(BehaviourSystems::Walk)
                .in_set(WalkSystems::Send),
        );
    }
}

/// Has nothing to do.
type AtLeisure = (
    With<Chaser>,
    Without<Chasing>,
    Without<GoTo>,
    Without<Patrol>,
);

/// Moved, or was called off, since the last look: of many who stand at home nothing else is read.
type MayBeAway = Or<(Changed<CellPosition>, Changed<PathCursor>, Changed<Home>)>;

fn send_home(
    away: Query<(Entity, &Home, &CellPosition), (AtLeisure, MayBeAway)>,
    mut commands: Commands,
) {
    for (agent, home, position) in &away {
        if position.cell != home.0 {
            commands.entity(agent).insert(GoTo(home.0));
        }
    }
}
