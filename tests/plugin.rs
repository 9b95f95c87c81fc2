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
    assert_eq!(world.diagnostics().total, nav::NavCounts::default());
}
