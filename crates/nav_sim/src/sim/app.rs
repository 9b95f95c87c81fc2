//! Builds apps: plugins, time and threads.

use bevy_app::{App, TaskPoolOptions, TaskPoolPlugin};
use bevy_ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy, Virtual};
use nav::NavPlugin;
use std::time::Duration;

/// Creates an app with the plugin. Every update is one tick of `1 / hz` seconds.
pub fn clockwork(hz: u32, threads: u32) -> App {
    clockwork_with(hz, threads, |_| {})
}

/// The same, with further systems.
pub(super) fn clockwork_with(hz: u32, threads: u32, add: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    add_threads(&mut app, threads);
    app.add_plugins((TimePlugin, NavPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(hz)))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // Below 4 Hz a tick is longer than the time that passes in an update at most by default.
    let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
    time.set_max_delta(Duration::MAX);
    add(&mut app);

    // The systems of a tick run in sequence. Threads are for the searches within.
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    // The first update only starts the clock. No time passes, so it contains no tick.
    app.update();
    app
}

/// Adds task pools for `threads` threads.
pub fn add_threads(app: &mut App, threads: u32) {
    if let Some(task_pools) = task_pools(threads) {
        app.add_plugins(task_pools);
    }
}

/// Returns task pools for `threads` threads. The thread that runs the schedule works too while it
/// waits for the others.
fn task_pools(threads: u32) -> Option<TaskPoolPlugin> {
    if threads < 2 {
        return None;
    }
    let mut options = TaskPoolOptions::default();
    // Nothing here uses the other two pools, but each needs a thread.
    for pool in [&mut options.io, &mut options.async_compute] {
        pool.min_threads = 1;
        pool.max_threads = 1;
    }
    let others = threads as usize - 1;
    options.compute.min_threads = others;
    options.compute.max_threads = others;
    Some(TaskPoolPlugin {
        task_pool_options: options,
    })
}
