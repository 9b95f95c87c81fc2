//! A server: plugins added one by one, no window, a fixed loop, a thousand chasers after fifty
//! players on a generated map. Systems of the game move the players and read messages.
//!
//! Here the loop does not wait and ends after ten seconds of simulated time. A real server gives
//! [`ScheduleRunnerPlugin`] a pause, leaves out `TimeUpdateStrategy` and runs on.

use bevy_app::{App, AppExit, FixedUpdate, ScheduleRunnerPlugin, Startup, TaskPoolPlugin, Update};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::prelude::*;
use std::time::Duration;

const TICKS: u64 = 200;
const PLAYERS: usize = 50;
const CHASERS: usize = 1000;

fn main() -> AppExit {
    App::new()
        .add_plugins((
            TaskPoolPlugin::default(),
            TimePlugin,
            ScheduleRunnerPlugin::run_loop(Duration::ZERO),
            NavPlugin::default(),
        ))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Arrivals>()
        .add_systems(Startup, populate)
        .add_systems(
            FixedUpdate,
            (
                wander.before(NavSystems::Observe),
                count_arrivals.after(NavSystems::Report),
            ),
        )
        .add_systems(Update, stop)
        .run()
}

/// A wanderer, and its direction: a number that changes as it goes.
#[derive(Component)]
struct Player(usize);

/// The number of arrivals.
#[derive(Resource, Default)]
struct Arrivals(usize);

fn populate(mut commands: Commands) -> Result {
    let grid = mapgen::generate(mapgen::Kind::Mixed, 256, 256, 7)?;
    let ground: Vec<Cell> = grid.walkable_cells().collect();
    let map = commands.spawn(NavMap::new(grid)).id();
    // Players all over the map, and twenty chasers in a row to the right of each.
    let spot = |n: usize, beside: usize| {
        let cell = ground[(n * 15_013 + beside) % ground.len()];
        (CellPosition::at(cell), OnMap(map))
    };
    for n in 0..PLAYERS {
        let player = commands.spawn((Player(n), spot(n, 0))).id();
        for beside in 1..=CHASERS / PLAYERS {
            commands.spawn((Chaser::default(), spot(n, beside), Chasing(player)));
        }
    }
    Ok(())
}

/// Players walk a cell about every third of a second, straight on until a wall turns them.
fn wander(
    maps: Query<&NavMap>,
    mut players: Query<(&mut Player, &OnMap, &mut CellPosition)>,
    mut ticks: Local<usize>,
) {
    *ticks += 1;
    for (mut player, on_map, mut place) in &mut players {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let ways: Vec<_> = map
            .grid()
            .steps(place.cell, Rules::default())
            .into_iter()
            .collect();
        if !(*ticks + player.0).is_multiple_of(6) || ways.is_empty() {
            continue;
        }
        let way = ways[player.0 % ways.len()];
        if let Some(cell) = place.cell.step(way) {
            *place = CellPosition::at(cell);
        }
        if ways.len() < 8 {
            player.0 += 6;
        }
    }
}

fn count_arrivals(mut reached: MessageReader<TargetReached>, mut arrivals: ResMut<Arrivals>) {
    arrivals.0 += reached.read().count();
}

fn stop(
    diagnostics: Res<NavDiagnostics>,
    arrivals: Res<Arrivals>,
    mut exit: MessageWriter<AppExit>,
) {
    if diagnostics.ticks < TICKS {
        return;
    }
    let total = &diagnostics.total;
    println!(
        "{} ticks, {CHASERS} chasers, {PLAYERS} players",
        diagnostics.ticks
    );
    println!("{} steps, {} arrivals", total.steps, arrivals.0);
    println!(
        "{} searches, {} cells expanded",
        total.searches(),
        total.expanded
    );
    println!(
        "found {}, partial {}, unreachable {}, too far {}, out of budget {}",
        total.found, total.partial, total.unreachable, total.too_far, total.budget_spent
    );
    exit.write(AppExit::Success);
}
