//! What all walks share: the places that they lead to, and the order of their steps in a tick.

use crate::{BehaviourSystems, on_demand::on_demand, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav::{ChasedBy, Destination};

/// Marks the [`Destination`] of a walk, which is despawned in [`BehaviourSystems::Walk`] when nobody goes
/// there any longer.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[require(Destination)]
pub struct WalkEnd;

/// The steps of [`BehaviourSystems::Walk`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WalkSystems {
    /// Walks end that came to their end.
    End,
    /// Agents with nothing to do go on with their patrol.
    Patrol,
    /// Those in a formation go to their slots.
    Form,
    /// Those who have still nothing to do go home.
    GoHome,
    /// Walks begin.
    Begin,
    /// Ends of walks to which nobody goes are despawned.
    Clear,
}

/// Puts the steps of walks in their order, and despawns the ends of walks to which nobody goes.
struct WalksPlugin(Interned<dyn ScheduleLabel>);

impl Plugin for WalksPlugin {
    fn build(&self, app: &mut App) {
        use WalkSystems::{Begin, Clear, End, Form, GoHome, Patrol};

        order_sets(app, self.0);
        app.configure_sets(
            self.0,
            (End, Patrol, Form, GoHome, Begin, Clear)
                .chain()
                .in_set(BehaviourSystems::Walk),
        )
        .add_systems(self.0, on_demand::<Left, _>(despawn_left).in_set(Clear));
    }
}

/// Adds what all walks share: called by each plugin that has some, so that any can be left out.
pub(super) fn add_walks(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    if !app.is_plugin_added::<WalksPlugin>() {
        app.add_plugins(WalksPlugin(schedule));
    }
}

/// An end of a walk to which nobody goes.
type Left = (With<WalkEnd>, Without<ChasedBy>);

/// Despawns the ends of walks to which nobody goes any longer.
///
/// Not as soon as the last one leaves: where a [`Chasing`](nav::Chasing) is written over by an equal one,
/// nobody goes there for a moment between two commands, of which the second needs the entity.
fn despawn_left(places: Query<Entity, Left>, mut commands: Commands) {
    for place in &places {
        commands.entity(place).try_despawn();
    }
}
