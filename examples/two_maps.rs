//! A player runs through a portal. Maps are entities, so the NPC may follow. The game decides that
//! here, on the message about the lost path.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::PathFailure;
use nav::prelude::*;
use nav_examples::{app, run_seconds};

/// The cell of the portals on both maps.
const PORTAL: Cell = Cell::new(15, 5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app();
    app.add_systems(FixedUpdate, follow.after(NavSystems::Report));
    let world = app.world_mut();
    let forest = Grid::from_fn(20, 10, |cell| (cell.x * 3 + cell.y * 5) % 11 != 0)?;
    let forest = world
        .spawn((Name::new("the forest"), NavMap::new(forest)))
        .id();
    let cellar = Grid::from_fn(20, 10, |cell| cell.x != 8 || cell.y == 1)?;
    let cellar = world
        .spawn((Name::new("the cellar"), NavMap::new(cellar)))
        .id();

    let player = world.spawn((CellPosition::new(14, 5), OnMap(forest))).id();
    let place = (CellPosition::new(1, 1), OnMap(forest));
    let npc = world
        .spawn((Chaser::default(), place, Chasing(player)))
        .id();

    run_seconds(&mut app, 2);
    tell(&app, npc);
    println!("the player steps through the portal and hides behind a wall");
    let hideout = (CellPosition::new(2, 8), OnMap(cellar));
    app.world_mut().entity_mut(player).insert(hideout);
    for _ in 0..4 {
        run_seconds(&mut app, 2);
        tell(&app, npc);
    }
    Ok(())
}

/// Sends NPCs that lost their target to another map through the portal, wherever they are.
fn follow(
    mut failures: MessageReader<PathFailed>,
    places: Query<&OnMap>,
    mut commands: Commands,
) -> Result {
    for failed in failures.read() {
        if failed.reason == PathFailure::MapsDiffer {
            println!(
                "the NPC notices that {}, and goes after the player",
                failed.reason
            );
            let arrival = (CellPosition::at(PORTAL), *places.get(failed.target)?);
            commands.entity(failed.chaser).insert(arrival);
        }
    }
    Ok(())
}

fn tell(app: &App, npc: Entity) {
    let world = app.world();
    if let (Some(place), Some(map), Some(cursor)) = (
        world.get::<CellPosition>(npc),
        world.get::<OnMap>(npc),
        world.get::<PathCursor>(npc),
    ) {
        let name = world.get::<Name>(map.0).map_or("nowhere", Name::as_str);
        println!(
            "the NPC is in {name} at {}: {:?}",
            place.cell,
            cursor.state()
        );
    }
}
