//! Apps with a map, and threads with a zone each.

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::entity::Entity;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use nav::{NavBudget, NavMap, NavPlugin};
use nav_grid::Grid;
use nav_testing::run_on_one_thread;
use nav_zones::{ZoneId, ZoneLayout};
use std::thread::{ScopedJoinHandle, scope};

/// Makes an app that runs a tick per update, and the map in it. The map is a plain one, since searches beyond windows
/// are decided zone by zone. It runs on one thread, as that of a zone does: handing systems of no work to others takes
/// longer.
pub fn app(grid: Grid) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        // Zones have budgets of their own: to match one world they have none.
        .insert_resource(NavBudget::UNLIMITED);
    run_on_one_thread(&mut app);
    let map = app.world_mut().spawn(NavMap::plain(grid)).id();
    (app, map)
}

/// Runs each zone in a thread of its own, and returns the results in order.
pub fn run_zones<B: Send, T: Send>(
    layout: &ZoneLayout,
    buses: Vec<B>,
    run: impl Fn(ZoneId, B) -> T + Sync,
) -> Vec<T> {
    scope(|scope| {
        let run = &run;
        let zones = layout.zones().zip(buses);
        let zones: Vec<_> = zones
            .map(|(zone, bus)| scope.spawn(move || run(zone, bus)))
            .collect();
        let ends = zones.into_iter().map(ScopedJoinHandle::join);
        ends.map(|end| end.expect("no zone panics")).collect()
    })
}
