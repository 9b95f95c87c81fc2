//! A watchman walks his round from stop to stop and waits at each. He does not look for targets;
//! `leash` shows the ends of a chase.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::{BehaviourPlugins, BehaviourSystems, Patrol, PatrolOrder, PatrolStop};
use nav_examples::{TICK_RATE, app};
use std::time::Duration;

const MAP: &str = "\
####################
#..................#
#..#####..#####....#
#..#...#..#...#....#
#..#...#..#...#....#
#..##.##..##.##....#
#..................#
####################";

/// Prints the ends of walks.
fn tell(mut ended: MessageReader<GoToEnded>, mut ticks: Local<u32>) {
    *ticks += 1;
    for GoToEnded { cell, end, .. } in ended.read() {
        let seconds = f64::from(*ticks) / f64::from(TICK_RATE);
        println!("{seconds:5.2} s: {end:?} at {cell}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app: App = app();
    app.add_plugins(BehaviourPlugins::default())
        .add_systems(FixedUpdate, tell.after(BehaviourSystems::Walk));
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(text::read(MAP.as_bytes())?)).id();
    // In both houses, and at the gate on the right.
    let stops = [(5, 3), (12, 3), (18, 6)]
        .map(|(x, y)| PatrolStop::new(Cell::new(x, y), Duration::from_millis(1500)));
    let round = Patrol::new(PatrolOrder::PingPong, stops);
    world.spawn((
        (Chaser::default(), round),
        (CellPosition::new(1, 1), OnMap(map)),
    ));
    nav_examples::run_seconds(&mut app, 25);
    Ok(())
}
