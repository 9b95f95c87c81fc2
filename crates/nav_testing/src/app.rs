//! Apps whose time is driven by hand.

use crate::invariants::Snapshot;
use bevy_app::App;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};

/// An app for a scene, to which a test adds its game's plugins: with time by hand, every update one
/// fixed step of 50 ms, and no [`NavPlugin`](nav::NavPlugin) yet.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Runs one update of an app that is not in a [`Scene`](crate::Scene), and judges the steps of its
/// chasers as [`Scene::tick`](crate::Scene::tick) does.
///
/// # Panics
///
/// When a step breaks a rule.
#[track_caller]
pub fn update(app: &mut App) {
    let before = Snapshot::take(app.world_mut());
    app.update();
    if let Err(breach) = before.check(app.world_mut()) {
        panic!("{} {}", breach.agent, breach.what);
    }
}
