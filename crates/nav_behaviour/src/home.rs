//! Where an agent stands when it has nothing to do.

use crate::{
    Activity, GoTo, Patrol,
    news::{changed_ticks, for_each_changed},
    on_demand::on_demand,
    walks::{WalkSystems, add_walks},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    change_detection::ContiguousRef, intern::Interned, prelude::*, schedule::ScheduleLabel,
};
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{CellPosition, Chaser, Chasing, PathCursor};
use nav_grid::Cell;

/// The cell of its map where a chaser stands when it chases nobody, patrols nowhere and has no slot in a
/// formation: after a chase, or when it was pushed or thrown away, it walks there. Also where a
/// [`Leash`](crate::Leash) may be tied.
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
#[component(summary_tick)]
pub struct Home(pub Cell);

/// Sends agents [home](Home) that have nothing to do.
pub struct HomePlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for HomePlugin {
    fn build(&self, app: &mut App) {
        add_walks(app, self.0);
        app.add_systems(
            self.0,
            on_demand::<AtLeisure, _>(send_home).in_set(WalkSystems::GoHome),
        );
    }
}

/// Has nothing to do.
type AtLeisure = (
    With<Home>,
    With<Chaser>,
    Without<Chasing>,
    Without<GoTo>,
    Without<Patrol>,
);

/// What says whether somebody is at home, and that it was called off.
type AtHome = (
    Entity,
    Ref<'static, Home>,
    Ref<'static, CellPosition>,
    Ref<'static, PathCursor>,
);

/// Looks at those who moved or were called off since the last look: of many who stand at home nothing but
/// change ticks is read.
fn send_home(places: Query<AtHome, AtLeisure>, mut commands: Commands) {
    let mut look = |agent: Entity, home: &Home, position: &CellPosition| {
        if position.cell != home.0 {
            commands.entity(agent).insert(GoTo(home.0));
        }
    };
    // Fails only where the game disables entities by a component that is not kept in tables.
    let Ok(tables) = places.contiguous_iter() else {
        for (agent, home, position, cursor) in &places {
            if position.is_changed() || cursor.is_changed() || home.is_changed() {
                look(agent, &home, &position);
            }
        }
        return;
    };
    for (agents, homes, positions, cursors) in tables {
        let (homes, settled) = ContiguousRef::split(homes);
        let (positions, moved) = ContiguousRef::split(positions);
        let (_, called_off) = ContiguousRef::split(cursors);
        let runs = (moved.last_run(), moved.this_run());
        let columns = [&settled, &moved, &called_off].map(changed_ticks);
        for_each_changed(columns, runs, |row| {
            look(agents[row], &homes[row], &positions[row]);
        });
    }
}
