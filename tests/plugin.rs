//! The plugin in apps of different kinds.

use bevy_app::{App, FixedPostUpdate, FixedUpdate, TaskPoolPlugin, Update};
use bevy_ecs::{prelude::*, schedule::ScheduleLabel};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::{
    AgentId, CellPosition, Chaser, NavClock, NavDiagnostics, NavPlugin, NavSystems, NavTime,
};
use nav_grid::{Cell, Grid};
use nav_tests::{TestWorld, app, before_nav, forbid_ambiguity};

fn field() -> Grid {
    Grid::open(20, 5).unwrap()
}

/// Checks that a chase ends beside its target, and so that the plugin runs.
fn assert_chases(world: &mut TestWorld) {
    let target = world.target((12, 2));
    let chaser = world.chaser((2, 2), target);
    world.seconds(5);
    assert!(world.is_beside(chaser, target));
    assert_eq!(world.arrivals(chaser).len(), 1);
}

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Ai;

#[test]
fn in_fixed_update_by_default() {
    assert_eq!(NavPlugin::default().schedule, FixedUpdate.intern());
    assert_chases(&mut TestWorld::open(20, 5));
}

#[test]
fn in_another_schedule() {
    for plugin in [NavPlugin::new(Update), NavPlugin::new(FixedPostUpdate)] {
        let mut app = app();
        app.add_plugins(plugin);
        assert_chases(&mut TestWorld::with_app(app, field()));
    }
}

#[test]
fn in_own_schedule() {
    let mut app = app();
    app.init_schedule(Ai)
        .add_plugins(NavPlugin::new(Ai))
        .add_systems(FixedUpdate, |world: &mut World| world.run_schedule(Ai));
    assert_chases(&mut TestWorld::with_app(app, field()));
}

#[test]
fn schedule_is_built_before_the_first_tick() {
    let mut app = app();
    app.add_plugins(NavPlugin::default());
    let is_built = |app: &App| app.get_schedule(FixedUpdate).unwrap().systems().is_ok();
    assert!(!is_built(&app));
    app.update();
    assert_eq!(app.world().resource::<NavDiagnostics>().ticks, 0);
    assert!(is_built(&app));
}

#[test]
fn with_task_pools() {
    let mut app = app();
    app.add_plugins((TaskPoolPlugin::default(), NavPlugin::default()));
    assert_chases(&mut TestWorld::with_app(app, field()));
}

#[test]
fn before_or_after_time() {
    let mut app = App::new();
    app.add_plugins((NavPlugin::default(), TimePlugin))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    assert_chases(&mut TestWorld::with_app(app, field()));
}

#[test]
fn no_order_is_left_open() {
    for schedule in [FixedUpdate.intern(), Update.intern()] {
        let mut app = app();
        forbid_ambiguity(&mut app, schedule);
        app.add_plugins(NavPlugin::new(schedule));
        assert_chases(&mut TestWorld::with_app(app, field()));
    }
}

#[test]
#[should_panic(expected = "ambigu")]
fn ambiguous_game_system() {
    let mut app = app();
    forbid_ambiguity(&mut app, FixedUpdate);
    app.add_plugins(NavPlugin::default());
    app.add_systems(FixedUpdate, |mut agents: Query<&mut CellPosition>| {
        for mut place in &mut agents {
            place.set_changed();
        }
    });
    assert_chases(&mut TestWorld::with_app(app, field()));
}

#[test]
fn inserted_resources_are_kept() {
    let mut diagnostics = NavDiagnostics::default();
    diagnostics.ticks = 1000;
    let clock: NavClock = serde_json::from_str(r#"{"now":7000000000,"previous":0}"#).unwrap();
    let mut app = app();
    app.insert_resource(diagnostics)
        .insert_resource(clock)
        .add_plugins(NavPlugin::default());
    let mut world = TestWorld::with_app(app, field());
    assert_eq!(world.ticks(), 1000);
    assert_eq!(world.clock().now(), NavTime(7_000_000_000));
    world.tick(2);
    assert_eq!(world.ticks(), 1002);
    assert_eq!(world.clock().now(), NavTime(7_100_000_000));
}

#[test]
fn agents_spawned_before_plugin() {
    let mut app = app();
    let one = app.world_mut().spawn(Chaser::default()).id();
    let given = app.world_mut().spawn((Chaser::default(), AgentId(7))).id();
    app.add_plugins(NavPlugin::default());
    let later = app.world_mut().spawn(Chaser::default()).id();
    let world = TestWorld::with_app(app, field());
    let number = |agent| world.get::<AgentId>(agent).0;
    assert_eq!([number(given), number(one), number(later)], [7, 8, 9]);
}

#[test]
fn clock_between_ticks() {
    let mut world = TestWorld::open(5, 5);
    world.tick(3);
    assert_eq!(world.clock().now(), NavTime(150_000_000));
    assert_eq!(world.clock().previous(), NavTime(100_000_000));
}

#[derive(Resource)]
struct Player(Entity);

/// Moves the player to the right, a cell every other tick.
fn walk(player: Res<Player>, mut places: Query<&mut CellPosition>, mut ticks: Local<u16>) {
    *ticks += 1;
    if let Ok(mut place) = places.get_mut(player.0) {
        place.cell.x = 5 + *ticks / 2;
    }
}

#[derive(Resource, Default)]
struct Seen(Vec<(Cell, bool)>);

/// Records what a system between searching and stepping sees.
fn look(
    mut seen: ResMut<Seen>,
    player: Res<Player>,
    places: Query<&CellPosition>,
    chasers: Query<&nav::PathCursor>,
) {
    if let (Ok(place), Ok(cursor)) = (places.get(player.0), chasers.single()) {
        seen.0
            .push((place.cell, cursor.path().end() == Some(place.cell)));
    }
}

#[test]
fn systems_around_the_sets() {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_plugins(NavPlugin::default());
    before_nav(&mut app, walk.run_if(resource_exists::<Player>));
    app.add_systems(
        FixedUpdate,
        look.after(NavSystems::Search)
            .before(NavSystems::Step)
            .run_if(resource_exists::<Player>),
    );
    let mut world = TestWorld::with_app(app, field());
    let player = world.target((5, 2));
    world.chaser((1, 2), player);
    world.world().insert_resource(Player(player));
    world.tick(1);
    // The search of this tick sees the move of this tick.
    let seen = &world.app.world().resource::<Seen>().0;
    assert_eq!(*seen, [(Cell::new(5, 2), true)]);
    world.seconds(1);
    assert_eq!(world.cell(player), Cell::new(15, 2));
}

#[test]
fn empty_world() {
    let mut world = TestWorld::open(5, 5);
    let map = world.map;
    world.world().despawn(map);
    world.seconds(5);
    assert_eq!(
        world.diagnostics().total,
        nav::diagnostics::NavCounts::default()
    );
}

/// Returns the message of the panic in which an app ends, if it does.
fn panic_of(run: impl FnOnce()) -> Option<String> {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
}

#[test]
fn time_is_missing() {
    for plugin in [NavPlugin::default(), NavPlugin::new(Update)] {
        let finish = |app: &mut App| app.finish();
        // A test or a server may call `update` and never `finish`.
        for run in [finish, App::update] {
            let mut app = App::new();
            app.add_plugins(plugin);
            let text = panic_of(|| run(&mut app)).expect("no panic");
            for word in ["NavPlugin", "`Time`", "TimePlugin"] {
                assert!(text.contains(word), "{text}");
            }
        }
    }
    // In any order, and without the plugin of Bevy.
    let mut app = App::new();
    app.add_plugins((NavPlugin::default(), TimePlugin));
    app.finish();
    app.update();
    let mut app = App::new();
    app.init_resource::<Time>()
        .add_plugins(NavPlugin::new(Update));
    app.finish();
    app.update();
}

/// Adds plugins to an app.
fn add<M>(app: &mut App, plugins: impl bevy_app::Plugins<M>) {
    app.add_plugins(plugins);
}

/// The name of a plugin that needs navigation, and a function that adds it.
type Dependent = (&'static str, fn(&mut App));

#[test]
fn navigation_is_missing() {
    use nav_behaviour::{
        ActivityPlugin, ApproachPlugin, BehaviourPlugins, CatchUpPlugin, ConfusedPlugin,
        FleePlugin, FormationPlugin, HomePlugin, InterceptPlugin, KeepDistancePlugin, LeashPlugin,
        MemoryPlugin, NoticePlugin, PatrolPlugin, StepAsidePlugin, StuckPlugin,
    };
    macro_rules! dependents {
        ($($name:literal: $plugins:expr;)*) => { [$(($name, |app| add(app, $plugins)),)*] };
    }
    let dependents: [Dependent; 19] = dependents! {
        "ActivityPlugin": ActivityPlugin::default();
        "ApproachPlugin": ApproachPlugin::default();
        "CatchUpPlugin": CatchUpPlugin::default();
        "ConfusedPlugin": ConfusedPlugin::default();
        "FleePlugin": FleePlugin::default();
        "FormationPlugin": FormationPlugin::default();
        "HomePlugin": HomePlugin::default();
        "InterceptPlugin": InterceptPlugin::default();
        "KeepDistancePlugin": KeepDistancePlugin::default();
        "LeashPlugin": LeashPlugin::default();
        "MemoryPlugin": MemoryPlugin::default();
        "NoticePlugin": NoticePlugin::default();
        "PatrolPlugin": PatrolPlugin::default();
        "StepAsidePlugin": StepAsidePlugin::default();
        "StuckPlugin": StuckPlugin::default();
        "Plugin": BehaviourPlugins::default();
        "NavSyncPlugin": nav_sync::NavSyncPlugin::default();
        "TracePlugin": nav_trace::TracePlugin::default();
        "NavTransformPlugin": nav::transform::NavTransformPlugin::default();
    };
    for (name, add) in dependents {
        let mut app = app();
        add(&mut app);
        let text = panic_of(|| app.finish()).expect("no panic");
        assert!(
            text.contains(name) && text.contains("`NavPlugin`"),
            "{text}"
        );
        let mut app = self::app();
        add(&mut app);
        app.add_plugins(NavPlugin::default());
        app.finish();
        app.update();
    }
}
