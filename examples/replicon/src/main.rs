//! NPCs that hunt on a server, replicated to a client with [`bevy_replicon`].
//!
//! ```text
//! cargo run --ignore-rust-version --manifest-path examples/replicon/Cargo.toml
//! ```
//!
//! The server runs [`nav::NavPlugin`] and replicates two components of each agent:
//! [`nav::CellPosition`], which the plugin writes, and [`shared::WayAhead`], the points that the
//! agent comes to next, which the server reads from [`nav::UpcomingPath`]. The client knows no map
//! and searches nothing.
//!
//! Both apps are in one process, and `bevy_replicon` hands the messages from one to the other as in
//! its tests. In a game each is a program of its own, with one of the messaging backends that the
//! documentation of `bevy_replicon` lists in place of [`ServerTestAppExt`]. Nothing else changes.

mod client;
mod server;
mod shared;

use bevy_app::App;
use bevy_replicon::test_app::ServerTestAppExt;
use nav::CellPosition;
use shared::{Role, WayAhead};

/// Ticks a second, and seconds that are shown.
const HZ: u32 = 20;
const SECONDS: u32 = 10;

fn main() {
    let (mut server, mut client) = connected();
    for second in 1..=SECONDS {
        for _ in 0..HZ {
            tick(&mut server, &mut client);
        }
        println!("{second} s, as the client sees it:");
        for (role, place, way) in client::agents(&mut client) {
            let ends = way
                .0
                .last()
                .map(|[x, y, z]| format!(", on a way to {x} {y} {z}"));
            println!("  {role:?} at {}{}", place.cell, ends.unwrap_or_default());
        }
    }
    let seen = *client.world().resource::<client::Seen>();
    println!(
        "{} steps, for which {} ways were sent",
        seen.steps, seen.ways
    );

    let agents = client::agents(&mut client);
    assert_eq!(
        agents,
        server::agents(&mut server),
        "the client sees what is"
    );
    for (role, away) in distances(&agents) {
        assert_eq!(away, 1, "{role:?} is beside the player");
    }
}

/// Makes a server and a client that is connected to it.
fn connected() -> (App, App) {
    let (mut server, mut client) = (server::app(HZ), client::app(HZ));
    server.connect_client(&mut client);
    (server, client)
}

/// Runs a tick of the server and passes its messages to the client.
fn tick(server: &mut App, client: &mut App) {
    server.update();
    server.exchange_with_client(client);
    client.update();
    // The client acknowledges what it received, or the server would send it again.
    server.exchange_with_client(client);
}

/// Returns the distance in cells of each NPC from the player.
fn distances(agents: &[(Role, CellPosition, WayAhead)]) -> Vec<(Role, u16)> {
    let player = agents.iter().find(|(role, ..)| *role == Role::Player);
    let Some((_, player, _)) = player else {
        return Vec::new();
    };
    let npcs = agents.iter().filter(|(role, ..)| *role != Role::Player);
    let away = npcs.map(|(role, place, _)| (*role, place.cell.chebyshev(player.cell)));
    away.collect()
}

#[cfg(test)]
mod tests;
