//! Small programs that embed the nav plugin. Each prints a few lines and ends by itself:
//!
//! ```text
//! cargo run -p nav_examples --example minimal
//! ```
//!
//! - `minimal`: a map, a player, an NPC that goes for the player.
//! - `doors`: a door closes and opens again in the middle of a chase.
//! - `click_to_move`: a tooltip with the number of steps to a cell, and a walk there.
//! - `storeys`: a chase up the stairs, around rubble.
//! - `crowd`: sixty solid bodies around one player.
//! - `ladder`: guards climb a ladder one at a time, and a wolf may not.
//! - `nearest_of_many`: zombies after fifty players, each after the one with the shortest way.
//! - `endless`: a hunt through a world without end, on a map that is a window and moves along.
//! - `two_maps`: a player leaves for another map, and the NPC after them.
//! - `leash`: a guard gives up a player who walks away, and returns to its post.
//! - `guards`: a guard loses a thief behind a house and looks for him, and flees from a spell.
//! - `keep`: doors, a guard's round and lairs that were placed in Tiled.
//! - `escort`: guards catch up with a merchant, and a thief comes from behind.
//! - `patrol`: a watchman on his round.
//! - `ranged`: archers who stop where they see their target.
//! - `follow`: a squad behind its leader, through a gate.
//! - `headless_server`: a server's loop with a thousand chasers, messages and counters.
//! - `fixed_tick_server`: a loop in real time that neither drifts nor burns a core.
//! - `custom_schedule`: navigation in a schedule that the game runs, turn by turn.
//! - `save_load`: a world saved in the middle of a chase goes on alike.
//!
//! One more, in a workspace of its own, replicates NPCs to a client with `bevy_replicon`:
//!
//! ```text
//! cargo run --ignore-rust-version --manifest-path examples/replicon/Cargo.toml
//! ```
//!
//! This library is shared by the examples: an app whose time is driven by hand.

use bevy_app::App;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::NavPlugin;

/// Ticks in a second.
pub const TICK_RATE: u32 = 20;

/// Makes an app with the plugin in which every update is one tick of 50 ms, as fast as the machine
/// can. A server in real time leaves out the `TimeUpdateStrategy`.
///
/// Bevy's first update has no time to measure yet and runs no tick; it is behind the app.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, NavPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(TICK_RATE)))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

/// Runs some seconds of simulated time.
pub fn run_seconds(app: &mut App, seconds: u32) {
    for _ in 0..seconds * TICK_RATE {
        app.update();
    }
}
