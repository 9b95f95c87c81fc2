//! Navigation in a schedule that the game runs itself: here a turn of a round-based game. The game
//! also sets the time that a turn takes.

use bevy_app::App;
use bevy_ecs::{prelude::*, schedule::ScheduleLabel};
use bevy_time::Time;
use nav::NavClock;
use nav::prelude::*;
use std::time::Duration;

/// One turn of all agents.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Turn;

/// The time of a turn: a step of a default chaser.
const TURN: Duration = Duration::from_millis(250);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = App::new();
    // Without `TimePlugin`: the game moves the clock itself.
    app.init_schedule(Turn)
        .init_resource::<Time>()
        .add_plugins(NavPlugin::new(Turn));
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(Grid::open(12, 5)?)).id();
    let player = world.spawn((CellPosition::new(10, 2), OnMap(map))).id();
    let place = (CellPosition::new(1, 2), OnMap(map));
    let npc = world
        .spawn((Chaser::default(), place, Chasing(player)))
        .id();

    for turn in 1..=10 {
        world.resource_mut::<Time>().advance_by(TURN);
        world.run_schedule(Turn);
        let place = world.get::<CellPosition>(npc).ok_or("no NPC")?;
        let now = world.resource::<NavClock>().now();
        println!("turn {turn}: the NPC is at {}, {now:?}", place.cell);
    }
    Ok(())
}
