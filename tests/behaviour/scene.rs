//! A world with all behaviours, and what agents said that they do.

use bevy_ecs::prelude::*;
use nav::behaviour::{Activity, ActivityCause, ActivityChanged, BehaviourPlugins};
use nav_grid::Grid;
use nav_tests::TestWorld;

/// A world on a drawing, with all behaviours.
pub fn with_behaviours(rows: &[&str]) -> TestWorld {
    add_behaviours(TestWorld::new(rows))
}

/// A world on open ground, with all behaviours.
pub fn open_with_behaviours(width: u16, height: u16) -> TestWorld {
    add_behaviours(TestWorld::open(width, height))
}

/// A world on a map that was made elsewhere, with all behaviours.
pub fn on_with_behaviours(grid: Grid) -> TestWorld {
    add_behaviours(TestWorld::on(grid))
}

fn add_behaviours(mut world: TestWorld) -> TestWorld {
    world.app.add_plugins(BehaviourPlugins::default());
    world.app.init_resource::<Changes>();
    world.app.add_observer(
        |change: On<ActivityChanged>, mut changes: ResMut<Changes>| {
            changes.0.push(*change.event());
        },
    );
    world
}

#[derive(Resource, Default)]
struct Changes(Vec<ActivityChanged>);

/// What an agent began to do since the start, and why.
pub fn changes(world: &TestWorld, agent: Entity) -> Vec<(Activity, ActivityCause)> {
    let changes = &world.app.world().resource::<Changes>().0;
    let of_agent = changes.iter().filter(|change| change.agent == agent);
    of_agent.map(|change| (change.to, change.cause)).collect()
}

/// What an agent is doing.
pub fn activity(world: &TestWorld, agent: Entity) -> Activity {
    *world.get(agent)
}
