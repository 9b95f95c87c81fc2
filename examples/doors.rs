//! A door closes in front of a chaser and opens again: it turns round within the tick, and
//! back as soon as that is worth a search.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_examples::app;
use nav_grid::formats::text;

const MAP: &str = "\
#####################
#.........#.........#
#.........#.........#
#...................#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#.........#.........#
#...................#
#####################";
const DOOR: Cell = Cell::new(10, 3);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(text::read(MAP.as_bytes())?)).id();
    let player = world.spawn((CellPosition::new(18, 3), OnMap(map))).id();
    let place = (CellPosition::new(2, 3), OnMap(map));
    let npc = world
        .spawn((Chaser::default(), place, Chasing(player)))
        .id();

    for tick in 1..=120 {
        match tick {
            20 => set_door(&mut app, map, false)?,
            30 => set_door(&mut app, map, true)?,
            // The player steps aside, which is news enough for a search.
            32 => {
                app.world_mut()
                    .entity_mut(player)
                    .insert(CellPosition::new(18, 1));
            }
            _ => {}
        }
        app.update();
        tell(&mut app, tick, npc);
    }
    Ok(())
}

fn set_door(app: &mut App, map: Entity, open: bool) -> Result<(), Box<dyn std::error::Error>> {
    println!("the door {}", if open { "opens" } else { "closes" });
    let mut map = app.world_mut().get_mut::<NavMap>(map).ok_or("no map")?;
    map.set_walkable(DOOR, open)?;
    Ok(())
}

/// Prints what the plugin said in this tick.
fn tell(app: &mut App, tick: u32, npc: Entity) {
    let world = app.world_mut();
    let found: Vec<PathFound> = world.resource_mut::<Messages<_>>().drain().collect();
    let reached: Vec<TargetReached> = world.resource_mut::<Messages<_>>().drain().collect();
    let (Some(place), Some(cursor)) =
        (world.get::<CellPosition>(npc), world.get::<PathCursor>(npc))
    else {
        return;
    };
    let (at, steps) = (place.cell, cursor.path().len());
    for message in found {
        let way = if cursor.path().iter().any(|cell| cell == DOOR) {
            "through the door"
        } else {
            "with no door"
        };
        let status = message.outcome.status;
        println!("tick {tick}: at {at}, {status}: {steps} steps ahead, {way}");
    }
    for _ in reached {
        println!("tick {tick}: at {at}, beside the player");
    }
}
