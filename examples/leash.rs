//! A guard with a leash: it follows a player so far from its post, gives up, and walks back onto
//! it.
//!
//! The player of this example walks away and never returns.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::prelude::*;
use nav_behaviour::{ActivityChanged, BehaviourPlugins, BehaviourSystems, Home, Leash, LeashFrom};
use nav_examples::{TICK_RATE, app};

/// Walks to the right, three cells a second, up to the edge of the map.
#[derive(Component)]
struct Player;

fn walk_away(mut players: Query<&mut CellPosition, With<Player>>, mut ticks: Local<u32>) {
    *ticks += 1;
    for mut place in &mut players {
        if ticks.is_multiple_of(TICK_RATE / 3) && place.cell.x < 59 {
            *place = CellPosition::new(place.cell.x + 1, place.cell.y);
        }
    }
}

/// Prints the activities that agents begin, and their causes.
fn tell(
    mut changes: MessageReader<ActivityChanged>,
    places: Query<&CellPosition>,
    mut ticks: Local<u32>,
) {
    *ticks += 1;
    for change in changes.read() {
        if let Ok(place) = places.get(change.agent) {
            let seconds = f64::from(*ticks) / f64::from(TICK_RATE);
            let ActivityChanged { to, cause, .. } = change;
            println!("{seconds:5.2} s: at {}, {to:?} ({cause:?})", place.cell);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app: App = app();
    app.add_plugins(BehaviourPlugins::default()).add_systems(
        FixedUpdate,
        (
            walk_away.before(NavSystems::All),
            tell.after(BehaviourSystems::Tell),
        ),
    );
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(Grid::open(60, 20)?)).id();
    let player = (Player, CellPosition::new(14, 10), OnMap(map));
    let player = world.spawn(player).id();
    let post = Cell::new(10, 10);
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(12)
    };
    world.spawn((
        (Chaser::default(), Chasing(player)),
        (Home(post), leash),
        (CellPosition::at(post), OnMap(map)),
    ));
    nav_examples::run_seconds(&mut app, 12);
    Ok(())
}
