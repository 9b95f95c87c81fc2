//! Shared parts of the whole-app tests. They use the harness that games have, [`nav_testing`]. A
//! scene on a map without drawn agents is called a [`TestWorld`]: agents are spawned by calls.
//!
//! ```
//! use nav_tests::TestWorld;
//!
//! let mut world = TestWorld::new(&[
//!     ".....", //
//!     ".###.",
//!     ".....",
//! ]);
//! let player = world.target((4, 1));
//! let npc = world.chaser((0, 1), player);
//! world.seconds(5);
//! assert!(world.is_beside(npc, player));
//! assert_eq!(world.arrivals(npc).len(), 1);
//! ```

pub mod apart;
pub mod golden;
pub mod scenes;

pub use nav_judge::by_tier;
pub use nav_testing::{
    REPATH_TICKS, STEP_TICKS, Scene as TestWorld, TICK_RATE, app, draw, oracle, run_on_one_thread,
    update,
};

use bevy_app::{App, FixedUpdate, TaskPoolPlugin};
use bevy_ecs::{prelude::*, schedule::ScheduleLabel};
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

/// Returns all cases in the soak tier, and in the default tier the first of every `of`.
pub fn sample<T>(cases: impl IntoIterator<Item = T>, of: usize) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(by_tier(of, 1))
}

/// Returns all pairs of two things, in order.
pub fn pairs<A: Clone, B>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B> + Clone,
) -> impl Iterator<Item = (A, B)> {
    first.into_iter().flat_map(move |one| {
        let second = second.clone().into_iter();
        second.map(move |other| (one.clone(), other))
    })
}

/// Returns a function that sets an app up for a number of threads, at least 1. The thread that runs
/// its schedules is included. With more than one, independent systems run side by side.
///
/// # Panics
///
/// When the process already made its one task pool with another number.
pub fn with_threads(threads: usize) -> impl Fn(&mut App) {
    let others = threads.saturating_sub(1);
    if others > 0 {
        let pool = || TaskPoolBuilder::new().num_threads(others).build();
        let pool = ComputeTaskPool::get_or_init(pool);
        assert_eq!(pool.thread_num(), others, "another pool was made before");
    }
    move |app| {
        if others == 0 {
            run_on_one_thread(app);
        } else {
            // The app gets the existing pool. Without the plugin a scene would run on one thread.
            app.add_plugins(TaskPoolPlugin::default());
        }
    }
}

/// Adds a system that runs before the plugin's systems in [`FixedUpdate`], like those of a game.
pub fn before_nav<M>(
    app: &mut App,
    system: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>,
) {
    app.add_systems(FixedUpdate, system.before(nav::NavSystems::Observe));
}

/// Makes every build error of a schedule a panic, including systems without an order.
pub fn forbid_ambiguity(app: &mut App, schedule: impl ScheduleLabel) {
    use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings};
    app.edit_schedule(schedule, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..ScheduleBuildSettings::default()
        });
    });
}

/// The examples of the README and of the book must compile. They use several crates.
#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident: $file:literal;)*) => {$(
            #[doc = include_str!(concat!("../", $file))]
            struct $name;
        )*};
    }

    pages! {
        Readme: "README.md";
        GettingStarted: "docs/book/src/getting-started.md";
        Maps: "docs/book/src/maps.md";
        Editors: "docs/book/src/editors.md";
        Events: "docs/book/src/events.md";
        Links: "docs/book/src/links.md";
        Endless: "docs/book/src/endless.md";
        Groups: "docs/book/src/groups.md";
        Crowds: "docs/book/src/crowds.md";
        Tuning: "docs/book/src/tuning.md";
        Requests: "docs/book/src/requests.md";
        Behaviours: "docs/book/src/behaviours.md";
        Noticing: "docs/book/src/noticing.md";
        Threat: "docs/book/src/threat.md";
        Leashes: "docs/book/src/leashes.md";
        MakingWay: "docs/book/src/making-way.md";
        Patrols: "docs/book/src/patrols.md";
        Wandering: "docs/book/src/wandering.md";
        Fleeing: "docs/book/src/fleeing.md";
        Formations: "docs/book/src/formations.md";
        Distance: "docs/book/src/distance.md";
        Intercepting: "docs/book/src/intercepting.md";
        Stuck: "docs/book/src/stuck.md";
        Showing: "docs/book/src/showing.md";
        Networking: "docs/book/src/networking.md";
        Testing: "docs/book/src/testing.md";
        Determinism: "docs/book/src/determinism.md";
        Faq: "docs/book/src/faq.md";
        Migration: "docs/book/src/migration.md";
    }
}
