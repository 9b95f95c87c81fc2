//! Archers: they stop where they see their target within range, do not shoot round corners, and do
//! not follow every step of it.

use nav::prelude::*;
use nav_examples::{app, run_seconds};

const MAP: &str = "\
####################
#..................#
#..................#
#.........######...#
#.........#........#
#.........#........#
#.........#........#
#..................#
#..................#
####################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(text::read(MAP.as_bytes())?)).id();
    let player = world.spawn((CellPosition::new(12, 5), OnMap(map))).id();
    // Six steps away, and two more before it sets off again.
    let archer = Chaser::ranged(6);
    let archers = [(1, 4), (1, 5), (4, 2)].map(|(x, y)| {
        let place = (CellPosition::new(x, y), OnMap(map));
        world.spawn((archer, place, Chasing(player))).id()
    });
    let places = |app: &bevy_app::App| {
        archers.map(|archer| {
            let place = app.world().get::<CellPosition>(archer);
            place.map_or_else(String::new, |place| place.cell.to_string())
        })
    };
    println!("behind the wall, out of sight: {:?}", places(&app));
    run_seconds(&mut app, 6);
    println!("round the corner, in sight:    {:?}", places(&app));
    for x in [13, 14] {
        let place = CellPosition::new(x, 5);
        app.world_mut().entity_mut(player).insert(place);
        run_seconds(&mut app, 2);
        println!("the player a step on:          {:?}", places(&app));
    }
    Ok(())
}
