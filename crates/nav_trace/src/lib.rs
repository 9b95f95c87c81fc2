//! Records what a game does to the navigation state, tick by tick, and replays it.
//!
//! A replay finds out what went wrong on a server, and whether another machine or build does the
//! same.
//!
//! A trace begins with the whole state, as [saving](nav::saving) takes it. Each tick has the
//! changes by the game since the tick before, the step of the clock, and the [digest](nav::digest)
//! of the state after the tick, with a sketch of its parts. [`Replay`] does the same to a world of
//! its own and compares. It names the first tick that differs, and the agents and components that
//! differ in it, if they are few.
//!
//! # What is recorded
//!
//! The game does nothing for it. Bevy's change detection finds what was written since the last tick
//! of the plugin: components of agents, spawned, despawned and disabled agents, edits of maps, new
//! maps, the [budget](nav::NavBudget) and the [clock](nav::NavClock).
//!
//! A tick is one run of the plugin's schedule, however many there are in a frame. Changes by
//! systems that run while the plugin is at work count as the plugin's own, and a replay differs
//! where they happened. Order systems of a game before
//! [`NavSystems::Behave`](nav::NavSystems::Behave) and
//! [`NavSystems::Observe`](nav::NavSystems::Observe), or after
//! [`NavSystems::All`](nav::NavSystems::All). The same holds for observers of events that
//! behaviours trigger: they should only take notes, for a system to act on.
//!
//! Components that the app [registered](nav::state) are recorded like components of the plugin. A
//! replay needs the plugins that register them: see [`Replay::open_with`].
//!
//! # Cost
//!
//! Without [`start`] next to nothing. Recording costs a look at changed components and a digest a
//! tick. A record has 1.6 KiB beside the inputs. A copy of each map is kept to compare edits with.
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
mod components;
mod difference;
mod inputs;
mod maps;
mod numbers;
mod record;
mod recorder;
mod repeat;
mod replay;
mod sketch;
mod state;

pub use blocks::TraceError;
pub use difference::{Difference, DifferentPart};
pub use record::{StateRecord, rewrite};
pub use recorder::{TracePlugin, TraceTotals, finish, start};
pub use replay::{Replay, ReplayedTick};
