//! Shows the chasers of a server to its clients: who is in view of each watcher, and the points ahead of
//! each chaser in it, as messages. No sockets: the game sends what a [`Watcher`] holds.
//!
//! - [`NavSyncPlugin`] runs beside [`NavPlugin`](nav::NavPlugin), after it in each tick.
//! - [`Watcher`], on a player or a camera, is sent whoever is in its screen and the eight around it: see
//!   [`Screens`](nav::Screens).
//! - [`SyncId`] is the number of an agent in messages, and shows those who are no chasers.
//! - [`SyncSettings`] bounds what a tick may cost, [`SyncCounts`] says what was done.
//!
//! The messages are those of [`nav_protocol`]. The crate `nav_client` follows them.
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
//! let npc = (Chaser::default(), SyncId(2), Chasing(player), OnMap(map), CellPosition::new(30, 20));
//! app.world_mut().spawn(npc);
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
//! A path is read once, by [`PointsAhead`](nav::PointsAhead), whatever a chaser follows, and holds as long
//! as the chaser is in each tick in the cell that the path says. It is read anew
//!
//! - when the chaser is somewhere else, or did not step when it was to: in that very tick, with a
//!   correction at once if the budget has no room for the path;
//! - when its target moved and its next step is another one, at most once in [`SyncSettings::interval`];
//! - when it nears the end of what was read, and that was not the end of the way.
//!
//! All watchers are sent what was read once.
//!
//! # Cost
//!
//! In a tick: a look at each agent that moved, at the steps that were due, at up to
//! [`SyncSettings::looks`] agents for who is in whose view, and up to [`SyncSettings::budget`] points that
//! are read. What is beyond waits for the next tick, longest first, so that nobody starves.
//!
//! # Determinism
//!
//! Equal worlds are sent equal packets, for any number of threads. Nothing of this is in the digest of the
//! world, and the navigation reads nothing of it.

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
mod write;

pub use counts::SyncCounts;
pub use nav_protocol;
pub use plugin::{NavSyncPlugin, NavSyncSystems};
pub use settings::SyncSettings;
pub use sync_id::SyncId;
pub use watcher::Watcher;
