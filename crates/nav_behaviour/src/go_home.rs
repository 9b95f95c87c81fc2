//! The way home of an agent with nothing else to do.

use crate::{
    Home, Interrupted, Patrol, StepAside, Wander,
    plugins::{WalkSystems, add_shared, behaviour_plugin},
};
use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
use nav::{
    CellPosition, Chaser, Chasing, GoTo, PathCursor,
    extend::{on_demand, require_nav},
};

behaviour_plugin! {
    /// Sends idle agents [home](Home).
    HomePlugin
}

impl Plugin for HomePlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let send_home = on_demand::<AtLeisure, _>(send_home);
        app.add_systems(self.schedule, send_home.in_set(WalkSystems::GoHome));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "HomePlugin");
    }
}

/// An agent with a home and nothing to do.
type AtLeisure = (
    With<Home>,
    With<Chaser>,
    Without<Chasing>,
    Without<GoTo>,
    Without<Patrol>,
    Without<Wander>,
    Without<Interrupted>,
);

/// The same if it moved, has another home, or a chase or a walk of it ended.
type SentHome = (
    AtLeisure,
    Or<(Changed<Home>, Changed<CellPosition>, Changed<PathCursor>)>,
);

/// An agent with a home, and what may keep it from there.
type Resident = (
    Entity,
    &'static Home,
    &'static CellPosition,
    Option<&'static StepAside>,
);

fn send_home(agents: Query<Resident, SentHome>, mut commands: Commands) {
    for (agent, home, position, step_aside) in &agents {
        if position.cell != home.0 && !step_aside.is_some_and(StepAside::is_aside) {
            commands.entity(agent).insert(GoTo(home.0));
        }
    }
}
