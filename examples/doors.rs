//! A door closes in front of a chaser and opens again. The chaser turns round within the tick, and
//! back as soon as that is worth a search.
//!
//! The door is an entity of the game with a system of its own, which edits the map by command.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_examples::app;

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

#[derive(Component)]
struct Door {
    map: Entity,
    cell: Cell,
    open: bool,
}

/// Makes the map follow its doors. Runs before the plugin, so that edits count in the same tick.
fn swing(doors: Query<&Door, Changed<Door>>, mut commands: Commands) {
    for door in &doors {
        let edit = Edit::Walkable(door.cell.into(), door.open);
        commands.edit_map(door.map, edit);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    app.add_systems(FixedUpdate, swing.before(NavSystems::Observe));
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(text::read(MAP.as_bytes())?)).id();
    let door = Door {
        map,
        cell: DOOR,
        open: true,
    };
    let door = world.spawn(door).id();
    let player = world.spawn((CellPosition::new(18, 3), OnMap(map))).id();
    let place = (CellPosition::new(2, 3), OnMap(map));
    let npc = world
        .spawn((Chaser::default(), place, Chasing(player)))
        .id();

    for tick in 1..=120 {
        match tick {
            20 => set_door(&mut app, door, false)?,
            30 => set_door(&mut app, door, true)?,
            // The player steps aside, which gives a reason to search.
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

fn set_door(app: &mut App, door: Entity, open: bool) -> Result<(), Box<dyn std::error::Error>> {
    println!("the door {}", if open { "opens" } else { "closes" });
    let mut door = app.world_mut().get_mut::<Door>(door).ok_or("no door")?;
    door.open = open;
    Ok(())
}

/// Prints the messages of this tick.
fn tell(app: &mut App, tick: u32, npc: Entity) {
    let world = app.world_mut();
    let broken: Vec<PathBroken> = world.resource_mut::<Messages<_>>().drain().collect();
    let found: Vec<PathFound> = world.resource_mut::<Messages<_>>().drain().collect();
    let reached: Vec<TargetReached> = world.resource_mut::<Messages<_>>().drain().collect();
    let (Some(place), Some(cursor)) =
        (world.get::<CellPosition>(npc), world.get::<PathCursor>(npc))
    else {
        return;
    };
    let (at, steps) = (place.cell, cursor.path().len());
    for message in broken {
        let cut = message.waypoint;
        println!("tick {tick}: at {at}, the way is cut at {cut}");
    }
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
