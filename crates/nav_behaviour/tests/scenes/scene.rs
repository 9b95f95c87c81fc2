//! Worlds with all behaviours, and what agents report that they do.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{NavPlugin, go_to::WalkEnd};
use nav_behaviour::{Activity, ActivityCause, ActivityChanged, BehaviourPlugins, FormationPlugin};
use nav_grid::Grid;
pub use nav_testing::{STEP_TICKS, Scene as TestWorld, TICK_RATE, draw};

/// Makes a world on a drawing, with all behaviours.
pub fn with_behaviours(rows: &[&str]) -> TestWorld {
    TestWorld::with_app(app_with_behaviours(), rows)
}

/// Makes a world on open ground, with all behaviours.
pub fn open_with_behaviours(width: u16, height: u16) -> TestWorld {
    on_with_behaviours(Grid::open(width, height).unwrap())
}

/// Makes a world on open ground, with formations and no other behaviour.
pub fn open_with_formations(width: u16, height: u16) -> TestWorld {
    let mut app = nav_testing::app();
    app.add_plugins((NavPlugin::default(), FormationPlugin::default()));
    TestWorld::with_app(app, Grid::open(width, height).unwrap())
}

/// Makes a world on a given map, with all behaviours.
pub fn on_with_behaviours(grid: Grid) -> TestWorld {
    TestWorld::with_app(app_with_behaviours(), grid)
}

/// Counts the ends of walks.
pub fn walk_ends(world: &mut TestWorld) -> usize {
    let mut ends = world.world().query::<&WalkEnd>();
    ends.iter(world.app.world()).count()
}

fn app_with_behaviours() -> App {
    let mut app = nav_testing::app();
    app.add_plugins((NavPlugin::default(), BehaviourPlugins::default()));
    app.init_resource::<Changes>();
    app.add_observer(
        |change: On<ActivityChanged>, mut changes: ResMut<Changes>| {
            changes.0.push(*change.event());
        },
    );
    app
}

#[derive(Resource, Default)]
struct Changes(Vec<ActivityChanged>);

/// Returns the activities that an agent began since the start, and their causes.
pub fn changes(world: &TestWorld, agent: Entity) -> Vec<(Activity, ActivityCause)> {
    let changes = &world.app.world().resource::<Changes>().0;
    let of_agent = changes.iter().filter(|change| change.agent == agent);
    of_agent.map(|change| (change.to, change.cause)).collect()
}

/// Returns the activity of an agent.
pub fn activity(world: &TestWorld, agent: Entity) -> Activity {
    *world.get(agent)
}
