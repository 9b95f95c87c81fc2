//! Saving the whole navigation state of a world as one value, by serde, and restoring it.
//!
//! [`save`] takes a [`NavSave`] between two ticks, and [`NavSave::restore`] restores it into a
//! fresh app. From then on both worlds have equal [digests](crate::digest) after every tick,
//! whatever the serde format. A game saves its own components of agents itself, by the entities
//! that [`NavSave::restore`] returns.
//!
//! # Example
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use nav::{prelude::*, saving::{NavSave, save}};
//!
//! fn server() -> App {
//!     let mut app = App::new();
//!     app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
//!         .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//!     app
//! }
//!
//! let mut app = server();
//! let map = app.world_mut().spawn(NavMap::new(Grid::open(16, 16)?)).id();
//! let player = app.world_mut().spawn((OnMap(map), CellPosition::new(9, 4))).id();
//! let npc = (Chaser::default(), Chasing(player), OnMap(map), CellPosition::new(2, 2));
//! app.world_mut().spawn(npc);
//! for _ in 0..3 {
//!     app.update();
//! }
//! let text = serde_json::to_string(&save(app.world_mut())?)?;
//!
//! let mut other = server();
//! let saved: NavSave = serde_json::from_str(&text)?;
//! let entities = saved.restore(other.world_mut())?;
//! assert!(other.world().get::<CellPosition>(entities[&player]).is_some());
//! assert_eq!(nav::digest(other.world_mut()), nav::digest(app.world_mut()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents_save;
mod bodies;
mod nav_save;
mod part_sums;

pub use agents_save::{AgentsSave, RestoreError, SaveError, leave_mirror, saved_columns};
#[doc(hidden)]
pub use nav_save::drop_by_saves;
pub use nav_save::{NavSave, save, save_as_is};
