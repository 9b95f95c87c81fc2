//! Sends the chasers of a server to its clients as messages: the agents in each watcher's view, and
//! the points ahead of each chaser. There are no sockets: the game sends what a [`Watcher`] holds.
//!
//! - [`NavSyncPlugin`] runs after [`NavPlugin`](nav::NavPlugin) in each tick.
//! - [`Watcher`], on a player or a camera, sees the agents in its screen and the eight screens
//!   around it: see [`Screens`](nav::Screens).
//! - [`SyncId`] is the number of an agent in messages. It also shows agents that are no chasers.
//! - [`SyncSettings`] limits the cost of a tick, and [`SyncCounts`] counts the work.
//!
//! The messages are defined in [`nav_protocol`]. The crate `nav_client` follows them.
//!
//! # Example
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use nav::prelude::*;
//! use nav_sync::{NavSyncPlugin, SyncId, Watcher};
//!
//! let mut app = App::new();
//! app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
//!     .add_plugins((NavPlugin::default(), NavSyncPlugin::default()))
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! let map = app.world_mut().spawn(NavMap::new(Grid::open(64, 64)?)).id();
//! let player = (Watcher::default(), SyncId(1), OnMap(map), CellPosition::new(40, 20));
//! let player = app.world_mut().spawn(player).id();
//! let npc = (Chaser::default(), SyncId(2), OnMap(map), CellPosition::new(30, 20));
//! app.world_mut().spawn((npc, Chasing(player)));
//!
//! for _ in 0..40 {
//!     app.update();
//!     let mut watcher = app.world_mut().get_mut::<Watcher>(player).unwrap();
//!     for packet in watcher.drain() {
//!         println!("{}", packet.to_json().unwrap());
//!     }
//! }
//! # Ok::<(), nav_grid::GridError>(())
//! ```
//!
//! # What is sent, and when
//!
//! A path is read once, by [`UpcomingPath`](nav::UpcomingPath), whatever the chaser follows. It
//! holds as long as the chaser is in the predicted cell in each tick. It is read again
//!
//! - when the chaser is in another cell, or did not take a step that was due. This happens in the
//!   same tick; if the budget has no room for the path, a correction is sent at once;
//! - when its target moved and its next step changed, at most once in [`SyncSettings::interval`];
//! - when few of the steps read are left and the path continues.
//!
//! One reading serves all watchers.
//!
//! # Cost
//!
//! A tick checks each agent that moved and each step that was due. It updates views by looking at
//! up to [`SyncSettings::looks`] agents, and reads up to [`SyncSettings::budget`] points. The rest
//! waits for the next tick, longest wait first, so that nothing starves.
//!
//! # Determinism
//!
//! Equal worlds produce equal packets, for any number of threads. The digest of the world covers
//! none of this state, and navigation does not read it.

mod agents;
mod clock;
mod counts;
mod follow;
mod plugin;
mod read;
mod settings;
mod sync_id;
mod views;
mod watcher;
mod wire;
mod write;

pub use counts::SyncCounts;
pub use nav_protocol;
pub use plugin::{NavSyncPlugin, NavSyncSystems};
pub use settings::SyncSettings;
pub use sync_id::SyncId;
pub use watcher::Watcher;
