//! Apps with a map, and the zones of a world that take turns in one thread.

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::entity::Entity;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::{NavMap, NavPlugin};
use nav_grid::Grid;
use nav_testing::run_on_one_thread;
use nav_zones::{
    Bus, KeeperTask, KeptState, ZoneId, ZoneLayout, ZonePlugin,
    keeper::{Keeper, LocalKeeper, LocalStore},
};
use std::time::Duration;

/// The length of a tick.
pub const TICK: Duration = Duration::from_millis(50);

/// The length of a lease, which no test lets run out.
const LEASE: Duration = Duration::from_secs(3);

/// Makes an app that runs a tick per update, and the map in it. It runs on one thread, as that of a
/// zone does: handing systems of no work to others takes longer.
pub fn app(grid: Grid) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    run_on_one_thread(&mut app);
    let map = app.world_mut().spawn(NavMap::plain(grid)).id();
    (app, map)
}

/// Runs all zones for a number of ticks, with a keeper within the process. Calls `look` with each
/// zone after each of its ticks, by the number of the tick.
pub fn run_zones<B: Bus>(
    layout: &ZoneLayout,
    buses: Vec<B>,
    ticks: u32,
    make: impl Fn(ZoneId, ZonePlugin) -> App,
    mut look: impl FnMut(u32, ZoneId, &mut App),
) {
    let store = LocalStore::default();
    let take = |(zone, bus)| {
        let mut keeper = LocalKeeper::new(store.clone(), LEASE);
        let lease = keeper.take(zone, "the test").expect("nobody has it");
        let state = KeptState::read(&mut keeper, &lease).expect("it is there");
        let (link, task) = KeeperTask::new(keeper, lease, state.progress(), LEASE, Duration::ZERO);
        let app = make(zone, ZonePlugin::new(layout.clone(), TICK, bus, link));
        (zone, app, task)
    };
    let mut zones: Vec<_> = layout.zones().zip(buses).map(take).collect();
    for tick in 0..ticks {
        for (zone, app, task) in &mut zones {
            app.update();
            task.step(TICK * tick);
            look(tick, *zone, app);
        }
    }
}
