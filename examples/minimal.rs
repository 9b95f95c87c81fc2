//! A map, a player, and an NPC that goes for the player.

use bevy_app::App;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::default()))
        // Twenty ticks a second, one with every update, so that nothing waits for the clock.
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let world = app.world_mut();

    // A wall in the middle, open at the bottom.
    let grid = Grid::from_fn(21, 10, |cell| cell.x != 10 || cell.y == 9)?;
    let map = world.spawn(NavMap::new(grid)).id();
    let player = world.spawn((CellPosition::new(18, 6), OnMap(map))).id();
    let place = (CellPosition::new(2, 6), OnMap(map));
    let npc = world
        .spawn((Chaser::default(), place, Chasing(player)))
        .id();

    for second in 0..=5 {
        let at = |agent| {
            app.world()
                .get::<CellPosition>(agent)
                .map(|place| place.cell)
        };
        if let (Some(npc), Some(player)) = (at(npc), at(player)) {
            println!("{second} s: the NPC is at {npc}, the player at {player}");
        }
        (0..20).for_each(|_| app.update());
    }
    Ok(())
}
