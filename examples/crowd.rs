//! A crowd of solid bodies around one player: they share its field and fill the cells around it.
//! Bodies without a place wait. Screens of the map list the agents near the player.

use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav::{NavTime, Screens};
use nav_examples::{app, run_seconds};

const CHASERS: u16 = 60;

fn main() -> Result {
    let mut app = app();
    // No tick searches for more than about a millisecond.
    app.insert_resource(NavBudget::Units(20_000));
    let world = app.world_mut();
    let grid = mapgen::generate(mapgen::Kind::Open, 80, 40, 1)?;
    let map = world.spawn((NavMap::new(grid), Screens::default())).id();
    let place = CellPosition::new(30, 20);
    let player = world.spawn((OnMap(map), place)).id();
    for n in 0..CHASERS {
        let at = CellPosition::new(14 + n % 6, 14 + n / 6);
        // Blocks of fifteen take turns.
        let beat = MoveTimer {
            next_step: NavTime(u64::from(n / 15) * 62_500_000),
            ..MoveTimer::default()
        };
        let agent = (Chaser::default(), beat, OnMap(map), at, Chasing(player));
        world.spawn((agent, Body::default()));
    }
    run_seconds(&mut app, 30);

    let total = app.world().resource::<NavDiagnostics>().total;
    println!("{} steps, {} arrivals", total.steps, total.reached);
    println!("{} searches, {} fields", total.searches(), total.fields);
    let screens = app
        .world()
        .get::<Screens>(map)
        .ok_or("the map has screens")?;
    let near = screens.within(place.cell, 6).count();
    println!("{near} within six cells of the player, itself among them");
    assert!(near > 50);
    Ok(())
}
