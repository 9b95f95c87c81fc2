//! The server: a walking player, hunting NPCs, and the replicated part of them.

pub use crate::client::agents;
use crate::shared::{Role, SharedPlugin, WayAhead};
use bevy_app::{App, FixedUpdate, Startup};
use bevy_ecs::prelude::*;
use bevy_replicon::prelude::Replicated;
use nav::prelude::*;
use std::iter;

/// The most points of a way.
const POINTS: u16 = 16;

/// The number of points ahead that must be right. Later points may lead to the target's old place.
/// They are checked when the NPC comes to them.
const SURE: usize = 4;

/// Makes a server that waits for clients.
pub fn app(hz: u32) -> App {
    let mut app = App::new();
    app.add_plugins((SharedPlugin { hz }, NavPlugin::default()))
        .add_systems(Startup, populate)
        .add_systems(FixedUpdate, walk.before(NavSystems::Observe))
        .add_systems(FixedUpdate, refresh_ways.after(NavSystems::Report));
    app.finish();
    app
}

/// Spawns a map with a wall that is open at the bottom, a player on one side, three NPCs on the
/// other.
fn populate(mut commands: Commands) -> Result {
    let grid = Grid::from_fn(32, 16, |cell| cell.x != 15 || cell.y == 15)?;
    let map = commands.spawn(NavMap::new(grid)).id();
    let place = (CellPosition::new(20, 8), OnMap(map));
    let player = commands.spawn((Role::Player, Replicated, place)).id();
    for n in 0..3 {
        let place = (CellPosition::new(2, 4 + u16::from(n) * 3), OnMap(map));
        let npc = (Chaser::default(), Body::default(), Chasing(player));
        // Only entities with `Replicated` are sent, and of them only the components of
        // `SharedPlugin`. The map stays here.
        commands.spawn((Role::Npc(n), npc, place, WayAhead::default(), Replicated));
    }
    Ok(())
}

/// Moves the player to the right for some seconds. A game would move it by the client's input.
fn walk(mut players: Query<(&Role, &mut CellPosition)>, mut ticks: Local<u16>) {
    *ticks += 1;
    for (role, mut place) in &mut players {
        if *role == Role::Player && ticks.is_multiple_of(10) && place.cell.x < 28 {
            place.cell.x += 1;
        }
    }
}

/// Writes the ways that no longer hold. Unchanged ways are not sent.
///
/// Checks a few points of each NPC in each tick. For thousands of NPCs see the crate `nav_sync`,
/// which checks only agents in some client's view.
fn refresh_ways(
    upcoming: UpcomingPath,
    maps: Query<&NavMap>,
    mut npcs: Query<(Entity, &OnMap, &CellPosition, &mut WayAhead)>,
) {
    for (npc, on_map, place, mut way) in &mut npcs {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let here = single(map.frame().world_of(place.cell));
        let ahead = || upcoming.cells(npc, POINTS).map(|point| single(point.world));
        if !holds(&way.0, here, ahead()) {
            way.0 = iter::once(here).chain(ahead()).collect();
        }
    }
}

/// Returns whether an NPC is on a way, and the next of the points ahead lie on it.
fn holds(way: &[[f32; 3]], here: [f32; 3], ahead: impl Iterator<Item = [f32; 3]>) -> bool {
    let mut way = way.iter().copied();
    way.any(|point| point == here) && ahead.take(SURE).eq(way.take(SURE))
}

/// Converts to single precision, in which clients draw.
fn single(world: [f64; 3]) -> [f32; 3] {
    world.map(|part| part as f32)
}
