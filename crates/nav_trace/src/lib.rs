//! Records what a game does to the navigation state, tick by tick, and replays it: to find out what went
//! wrong on a server, and whether another machine or build does the same.
//!
//! A trace begins with the whole state, as [saving](nav::saving) takes it. For each tick it has what the
//! game changed since the tick before, by how much the clock advanced, and the [digest](nav::digest) of
//! the state after it, with a sketch of its parts. [`Replay`] does the same to a world of its own and compares.
//! The first tick that differs is named, and so are the agents and components that differ in it, if they are
//! few.
//!
//! # What is recorded
//!
//! The game does nothing for it. Bevy knows what was written to since the plugin was done: the components of
//! agents, spawned, despawned and disabled agents, edits of maps, new maps, the [budget](nav::NavBudget)
//! and the [clock](nav::NavClock).
//!
//! A tick is that of the plugin's schedule, however many there are in a frame. What systems change while the
//! plugin is at work counts as its own doing, and a replay differs where it did: order those of a game before
//! [`NavSystems::Behave`](nav::NavSystems::Behave) and
//! [`NavSystems::Observe`](nav::NavSystems::Observe), or after
//! [`NavSystems::All`](nav::NavSystems::All). The same holds for observers of events that behaviours trigger:
//! have them note what is to be done, and do it in a system.
//!
//! Components that the app [registered](nav::state) are recorded as those of the plugin are. A replay needs the plugins
//! that register them: see [`Replay::open_with`].
//!
//! # Cost
//!
//! Without [`start`] next to nothing. Recording takes a look at which components changed, and a digest a
//! tick. A record has 1.6 KiB beside the inputs; a copy of each map is kept to compare edits with.
//!
//! # Example
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use nav::prelude::*;
//! use nav_trace::{Replay, TracePlugin};
//! # use std::{io::{self, Write}, sync::{Arc, Mutex}};
//! # #[derive(Clone, Default)]
//! # struct File(Arc<Mutex<Vec<u8>>>);
//! # impl Write for File {
//! #     fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
//! #         self.0.lock().unwrap().write(bytes)
//! #     }
//! #     fn flush(&mut self) -> io::Result<()> { Ok(()) }
//! # }
//! # let file = File::default();
//!
//! let mut app = App::new();
//! app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
//!     .add_plugins(TracePlugin::default())
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! nav_trace::start(app.world_mut(), file.clone())?;
//!
//! let map = app.world_mut().spawn(NavMap::new(Grid::open(16, 16)?)).id();
//! let player = app.world_mut().spawn((OnMap(map), CellPosition::new(9, 4))).id();
//! let npc = (Chaser::default(), Chasing(player), OnMap(map), CellPosition::new(2, 2));
//! app.world_mut().spawn(npc);
//! for _ in 0..9 {
//!     app.update();
//! }
//! assert_eq!(nav_trace::finish(app.world_mut())?.ticks, 8);
//! # let file = file.0.lock().unwrap().clone();
//!
//! let mut replay = Replay::open(&file[..])?;
//! while let Some(replayed) = replay.tick()? {
//!     assert_eq!(replayed.difference, None);
//! }
//! assert_eq!(nav::digest(replay.world_mut()), nav::digest(app.world_mut()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod column;
mod difference;
mod error;
mod inputs;
mod likeness;
mod maps;
mod masks;
mod numbers;
mod plugin;
mod record;
mod recorder;
mod repeat;
mod replay;
mod rewrite;
mod sketch;
mod state;

pub use difference::{Difference, DifferentPart};
pub use error::TraceError;
pub use plugin::TracePlugin;
pub use recorder::{TraceTotals, finish, start};
pub use replay::{Replay, ReplayedTick};
pub use rewrite::{StateRecord, rewrite};
