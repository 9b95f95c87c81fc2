//! The plugin: all sets, systems and types put together.

use crate::{
    NavClock, NavSystems, components,
    go_to::add_go_to,
    groups::add_groups,
    links::add_slow_links,
    state::StateComponents,
    systems::{add_decide, add_fields, add_observe, add_report, add_search, add_step},
};
use bevy_app::{App, FixedUpdate, Plugin, Startup};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use bevy_time::Time;

/// Makes every [`Chaser`](crate::Chaser) chase.
///
/// Needs a [`Time`](bevy_time::Time) resource, which `TimePlugin` inserts, and panics without it
/// before the first tick. Uses the compute task
/// pool if there is one (`TaskPoolPlugin`). Keeps resources that the game inserted before.
#[derive(Clone, Copy, Debug)]
pub struct NavPlugin {
    /// The schedule in which all systems run.
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl NavPlugin {
    /// Navigation in the given schedule. Its clock is the `Time` of that schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavPlugin {
    /// Navigation in [`FixedUpdate`], whose equal ticks determinism needs.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for NavPlugin {
    fn build(&self, app: &mut App) {
        use NavSystems::{
            Act, AimFields, All, BeginWalks, Behave, ChooseMembers, Decide, EndWalks, First,
            JoinFields, Last, Observe, Report, Search, Step,
        };

        let schedule = self.schedule;
        let tick = (Observe, AimFields, Decide, JoinFields, Search, Step, Report);
        let sets = (
            Behave.before(All),
            Act.in_set(Behave),
            (ChooseMembers, EndWalks, BeginWalks).chain().in_set(Act),
            tick.chain().in_set(All),
            First.in_set(Observe),
            Last.in_set(Report),
        );
        components::number_agents(app.world_mut());
        app.init_resource::<components::LastLook>()
            .init_resource::<StateComponents>()
            .configure_sets(schedule, sets);
        add_groups(app, schedule);
        add_slow_links(app);
        add_go_to(app, schedule);
        add_observe(app, schedule);
        // After the inputs of a replay, which are those of a game before the tick.
        let look = components::note_look.after(First).in_set(Observe);
        app.add_systems(schedule, look);
        add_fields(app, schedule);
        add_decide(app, schedule);
        add_search(app, schedule);
        add_step(app, schedule);
        add_report(app, schedule);
        // `finish` is not called where a test or a server calls `App::update` by itself.
        app.add_systems(Startup, |world: &mut World| require_time(world));
        // The first tick would take about a millisecond for this, three times the mean tick of
        // 10,000 ghosts.
        app.add_systems(Startup, move |world: &mut World| {
            // An error comes again where the schedule runs.
            let _ =
                world.try_schedule_scope(schedule, |world, schedule| schedule.initialize(world));
        });
        #[cfg(feature = "tracing")]
        crate::failures_told::add_failures_told(app, schedule);
        #[cfg(feature = "reflect")]
        register_types(app);
    }

    fn finish(&self, app: &mut App) {
        require_time(app.world());
    }
}

/// Panics in a world without a clock.
fn require_time(world: &World) {
    assert!(
        world.contains_resource::<Time>(),
        "NavPlugin needs the resource `Time`, which this app lacks: add `TimePlugin` of `bevy_time` \
         to the app, or insert `Time` and advance it before each tick"
    );
}

/// Checks that a world has navigation, for a plugin beside [`NavPlugin`].
///
/// # Panics
///
/// When it has none, with a sentence that names the plugin.
pub fn require_nav(world: &World, plugin: &str) {
    assert!(
        world.contains_resource::<NavClock>(),
        "{plugin} needs `NavPlugin`, which this app lacks: add it to the same app, in the same \
         schedule"
    );
}

/// Registers every reflected type. Components that hold types of `nav_grid` are opaque values, so
/// that the core needs no crate of an engine.
#[cfg(feature = "reflect")]
fn register_types(app: &mut App) {
    macro_rules! register {
        ($($name:ident)*) => { $(app.register_type::<crate::$name>();)* };
    }
    register!(AgentId Body CellPosition ChasedBy Chaser Chasing Crowding Destination FieldAnchor GoTo);
    register!(MoveTimer NavMap NavTimer OnMap PathAnswer PathCursor PathRequest Paused Screens);
    register!(ReachAnswer ReachRequest);
    register!(WalkEnd WorldPosition);
    app.register_type::<crate::screens::Screen>();
    register!(Attraction ChasingGroup InGroup OnLink TargetGroup);
    register!(AgentIds NavBudget NavClock NavDiagnostics);
}
