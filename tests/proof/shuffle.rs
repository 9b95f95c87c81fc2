//! Systems in any order that the schedule allows: navigation, behaviours, and systems of a game
//! between them.
//!
//! Bevy permutes its systems by a seed and sorts them again. Systems without a constraint then run
//! in another order, which must not matter. Ambiguities are errors here, so only systems that
//! cannot see each other's work are left without an order.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::{
    prelude::*,
    schedule::{LogLevel, ScheduleBuildSettings},
};
use nav::{
    CellPosition, Chaser, Chasing, MapCommands, MoveTimer, NavDiagnostics, NavMap, NavSystems,
    OnMap, PathCursor, PathFailed, PathFound, TargetReached,
};
use nav_behaviour::{Activity, BehaviourSystems};
use nav_grid::Edit;
use nav_tests::{
    by_tier,
    golden::{SCENES, Table, play},
    run_on_one_thread, sample,
    scenes::app_with_behaviours,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Runs the systems on one thread in an order of a seed, and makes every ambiguity an error.
fn shuffle(app: &mut App, seed: u64) {
    app.edit_schedule(FixedUpdate, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            shuffle_seed: Some(seed),
            ..ScheduleBuildSettings::default()
        });
    });
    run_on_one_thread(app);
}

/// A sum that a game computes in each tick; every system has a resource of its own, so that none
/// waits for another.
#[derive(Resource, Default)]
struct Sum<const N: usize>(u64);

/// Adds systems of a game between the plugin's, without an order among each other.
fn add_game(app: &mut App) {
    app.init_resource::<Sum<0>>()
        .init_resource::<Sum<1>>()
        .init_resource::<Sum<2>>()
        .init_resource::<Sum<3>>()
        .init_resource::<Sum<4>>();
    app.add_systems(
        FixedUpdate,
        (
            sum_up_places::<0>.before(NavSystems::Behave),
            sum_up_chases.before(NavSystems::Behave),
            // It queues commands, and so adds points at which all commands are applied.
            refuse_an_edit.before(NavSystems::Behave),
            sum_up_places::<2>
                .after(NavSystems::JoinFields)
                .before(NavSystems::Step),
            sum_up_ways.after(NavSystems::Report),
            sum_up_messages.after(NavSystems::Report),
            sum_up_activities.after(BehaviourSystems::Tell),
        ),
    );
}

fn sum_up_places<const N: usize>(agents: Query<(&CellPosition, &OnMap)>, mut sum: ResMut<Sum<N>>) {
    for (place, _) in &agents {
        sum.0 += u64::from(place.cell.x) + u64::from(place.cell.y);
    }
}

fn sum_up_chases(chasers: Query<(&Chaser, Has<Chasing>)>, mut sum: ResMut<Sum<1>>) {
    let chasing = chasers.iter().filter(|(_, is_chasing)| *is_chasing);
    sum.0 += chasing.count() as u64;
}

fn refuse_an_edit(maps: Query<Entity, With<NavMap>>, mut commands: Commands) {
    for map in &maps {
        let edit = Edit::Walkable(nav_grid::Cell::new(u16::MAX, 0).into(), false);
        commands.edit_map(map, edit);
    }
}

fn sum_up_ways(chasers: Query<(&PathCursor, &MoveTimer)>, mut sum: ResMut<Sum<3>>) {
    for (cursor, _) in &chasers {
        sum.0 += cursor.path().iter().count() as u64;
    }
}

fn sum_up_messages(
    mut found: MessageReader<PathFound>,
    mut failed: MessageReader<PathFailed>,
    mut reached: MessageReader<TargetReached>,
    diagnostics: Res<NavDiagnostics>,
) {
    let read = found.read().count() + failed.read().count() + reached.read().count();
    assert!(read == 0 || diagnostics.ticks > 0);
}

fn sum_up_activities(agents: Query<&Activity>, mut sum: ResMut<Sum<4>>) {
    sum.0 += agents.iter().count() as u64;
}

/// Returns the systems of the schedule in the order in which one thread runs them.
fn order(seed: Option<u64>) -> Vec<String> {
    let mut app = app_with_behaviours();
    add_game(&mut app);
    match seed {
        Some(seed) => shuffle(&mut app, seed),
        None => run_on_one_thread(&mut app),
    }
    app.update();
    app.update();
    let schedule = app
        .get_schedule(FixedUpdate)
        .expect("the plugin runs in it");
    let systems = schedule.systems().expect("it has run");
    systems
        .map(|(_, system)| system.name().to_string())
        .filter(|name| !name.contains("ApplyDeferred"))
        .collect()
}

#[test]
fn seeds_change_the_order() {
    let orders: BTreeSet<Vec<String>> = (0..24).map(|seed| order(Some(seed))).collect();
    assert!(orders.len() >= 6, "{} orders of 24 seeds", orders.len());
    let sorted = |mut order: Vec<String>| {
        order.sort_unstable();
        order
    };
    let place = |order: &[String], name: &str| {
        let found = order.iter().position(|system| system.contains(name));
        found.unwrap_or_else(|| panic!("no {name} in {order:?}"))
    };
    let plain = sorted(order(None));
    for order in orders {
        assert!(place(&order, "advance_clock") < place(&order, "decide_for_due"));
        assert!(place(&order, "step_ghosts") < place(&order, "write_messages"));
        assert!(place(&order, "sum_up_chases") < place(&order, "advance_clock"));
        assert_eq!(sorted(order), plain, "as many systems");
    }
}

/// Returns the digests of a scene whose app has the game's systems, in an order of a seed.
fn shuffled(scene: usize, seed: u64) -> Vec<u64> {
    play(&SCENES[scene], &|app| {
        add_game(app);
        shuffle(app, seed);
    })
}

#[test]
fn any_order_same_digests() {
    let table = Table::written_down().unwrap();
    for (number, scene) in sample(SCENES.iter().enumerate(), 3) {
        let digests = shuffled(number, number as u64);
        assert_eq!(table.compare(scene.name, &digests), Ok(()));
    }
}

fn scene(name: &str) -> usize {
    let found = SCENES.iter().position(|scene| scene.name == name);
    found.expect("a scene of the catalog")
}

/// `KeepDistance` and `Intercept` once ran without an order, and this seed showed it.
#[test]
fn known_order_same_digests() {
    let number = scene("behaviour");
    let plain = play(&SCENES[number], &run_on_one_thread);
    assert!(shuffled(number, 15_117) == plain);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: by_tier(2, 12), ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_behaviours(squads in any::<bool>(), seed in any::<u64>()) {
        let name = if squads { "squad" } else { "behaviour" };
        let number = scene(name);
        let plain = play(&SCENES[number], &run_on_one_thread);
        prop_assert!(shuffled(number, seed) == plain, "{} with seed {}", name, seed);
    }
}
