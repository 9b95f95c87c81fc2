//! Server-side chase navigation for NPCs on grid maps, as a headless Bevy plugin.
//!
//! - [`NavPlugin`] runs everything in one schedule, `FixedUpdate` by default, in the order of
//!   [`NavSystems`].
//! - [`NavMap`] is a map: a [`Grid`](nav_grid::Grid) and its place in the world. One entity per
//!   map.
//! - [`Chaser`] is an NPC and its tuning, [`Chasing`] the target it is after, [`OnMap`] the map
//!   that either is on, [`CellPosition`] the place.
//! - [`PathCursor`] says how a chase stands and what is ahead. [`NavTimer`] says when the chaser
//!   may search again, [`MoveTimer`] when it may step.
//! - [`Body`] makes an agent occupy cells. [`EditMap`] changes a map from any system. [`Screens`]
//!   says who is near.
//! - [`PointsAhead`] gives the next points of any chaser, whatever it follows, as [`AheadSettings`] say;
//!   [`FieldWays`] the ways by which a shared field leads.
//! - [`PathFound`], [`PathFailed`], [`PathBroken`] and [`TargetReached`] say what happened, [`NavDiagnostics`]
//!   how often, and [`digest`] whether two worlds are equal. [`ValueRefused`] names values that make no
//!   sense.
//!
//! # Example
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use nav::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//!
//! let map = app.world_mut().spawn(NavMap::new(Grid::open(16, 16)?)).id();
//! let player = app.world_mut().spawn((OnMap(map), CellPosition::new(9, 4))).id();
//! let npc = (Chaser::default(), Chasing(player), OnMap(map), CellPosition::new(2, 2));
//! let npc = app.world_mut().spawn(npc).id();
//! for _ in 0..3 {
//!     app.update();
//! }
//! let path = app.world().get::<PathCursor>(npc).unwrap().path();
//! assert_eq!(path.end(), Some(Cell::new(9, 4)));
//! # Ok::<(), nav_grid::GridError>(())
//! ```
//!
//! # Features
//!
//! None is on by default.
//!
//! - `multi_threaded`: searches run on all threads of Bevy's compute task pool.
//! - `serialize`: serde for all components, the clock, the ids and the counters, and the module `saving`: the
//!   whole navigation state of a world as one value.
//! - `reflect`: Bevy reflection of the same, registered by the plugin.
//! - `transform`: `NavTransformPlugin`, which keeps Bevy's `Transform` of chasers at their cells and the
//!   cells of players at their `Transform`.
//!
//! # Beside it
//!
//! Crates on the public interface of this one: `nav_behaviour` begins and ends chases and walks, `nav_trace` records
//! what a game does and replays it, `nav_testing` is for tests of a game, `nav_sync` shows chasers to clients.
//!
//! # Determinism
//!
//! Equal inputs give equal states after every tick, for any number of threads. Times and costs
//! are whole numbers, limits count expansions, and agents are put in order by [`AgentId`].

mod budget;
mod clock;
mod components;
mod diagnostics;
mod digest;
mod edit_map;
mod memory;
mod messages;
mod occupancy;
mod plugin;
#[cfg(feature = "reflect")]
mod reflect;
mod resource;
#[cfg(feature = "serialize")]
pub mod saving;
mod sets;
pub mod shared;
pub mod state;
mod stepping;
mod systems;
pub mod tasks;
#[cfg(feature = "transform")]
mod transform;

pub use budget::NavBudget;
pub use clock::{NavClock, NavTime, Period};
pub use components::{
    AgentId, AgentIds, Body, BodyKind, CellPosition, ChaseState, ChasedBy, Chaser, Chasing,
    Destination, FieldAnchor, Guidance, Heading, MoveTimer, NavMap, NavTimer, OnMap, Pace,
    PathCursor, Paused, Screen, ScreenSizeError, Screens, WorldPosition,
};
pub use diagnostics::{NavCounts, NavDiagnostics};
pub use digest::{WorldSum, digest};
pub use edit_map::EditMap;
pub use memory::NavMemory;
pub use messages::{
    EditRefusal, EditRefused, PathBroken, PathFailed, PathFailure, PathFound, TargetReached,
    ValueField, ValueRefusal, ValueRefused,
};
pub use nav_grid;
pub use occupancy::Occupancy;
pub use plugin::NavPlugin;
pub use sets::NavSystems;
pub use stepping::{Header, HeaderItem, Stepper, StepperItem, Stepping};
pub use systems::{
    Ahead, AheadForm, AheadSettings, Edited, FieldWays, PointAhead, PointsAhead, SeenEdits,
    StraightenedAhead, TargetSnapshot,
};
#[cfg(feature = "transform")]
pub use transform::{CellToTransform, NavTransformPlugin, ShowTransforms, TransformToCell};

/// What most games import.
pub mod prelude {
    pub use crate::{
        Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, EditMap, MoveTimer, NavBudget,
        NavMap, NavPlugin, NavSystems, OnMap, PathCursor, PathFailed, PathFound, Period, Screens,
        TargetReached, WorldPosition,
    };
    pub use nav_grid::{Area, Cell, Edit, Frame, Grid};
}

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
