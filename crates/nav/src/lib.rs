//! Server-side chase navigation for NPCs on grid maps, as a headless Bevy plugin.
//!
//! - [`NavPlugin`] runs all systems in one schedule, `FixedUpdate` by default, in the order of
//!   [`NavSystems`].
//! - [`NavMap`] is a map: a [`Grid`](nav_grid::Grid) and its place in the world. One entity per
//!   map.
//! - [`Chaser`] is the tuning of an NPC, [`Chasing`] its target, [`OnMap`] the map of either, and
//!   [`CellPosition`] the place. [`GoTo`] sends it onto a cell instead.
//! - [`PathCursor`] is the state of a chase and the path. [`NavTimer`] is when the chaser may
//!   search again, [`MoveTimer`] when it may step.
//! - [`Body`] makes an agent occupy cells. [`MapCommands`] edit a map from any system. [`Screens`]
//!   finds the agents near a place.
//! - [`UpcomingPath`] returns the path that a chaser will take, whatever guides it.
//! - [`PathRequest`] asks for a path without a chase; [`PathAnswer`] replaces it within the
//!   [`NavBudget`]. [`NavQuery`] answers at once. Both return a [`Route`] or a [`FindPathError`].
//!   [`ReachRequest`] asks for all cells within a cost, and [`ReachAnswer`] replaces it.
//! - [`PathFound`], [`PathFailed`], [`PathBroken`] and [`TargetReached`] are messages of what
//!   happened, and [`ValueRefused`] of invalid values. [`NavDiagnostics`] counts, and [`digest`]
//!   compares worlds.
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
//! More are in the folder `examples` of the repository:
//!
//! | example | shows |
//! |---|---|
//! | `doors` | [`MapCommands`], [`PathFound`], [`PathBroken`], [`TargetReached`] |
//! | `ranged` | [`Chaser::ranged`], [`Chasing`] |
//! | `follow`, `patrol` | [`Destination`], [`GoToEnded`], walks without a target |
//! | `two_maps` | [`OnMap`], [`PathCursor`], [`PathFailed`], [`PathFailure`] |
//! | `crowd` | [`Body`], [`MoveTimer`], [`NavBudget`], [`Screens`] |
//! | `storeys` | [`NavMap`] with floors and links |
//! | `custom_schedule` | [`NavPlugin::new`], [`NavClock`] |
//! | `headless_server`, `fixed_tick_server` | [`NavDiagnostics`], [`NavSystems`], [`Pace`] |
//! | `save_load` | [`digest()`], and the module `saving` |
//!
//! # Features
//!
//! None is on by default.
//!
//! - `multi_threaded`: runs searches on all threads of Bevy's compute task pool.
//! - `serialize`: adds serde to all components, the clock, the ids and the counters, and the module
//!   `saving`: the whole navigation state of a world as one value.
//! - `reflect`: adds Bevy reflection to the same types, registered by the plugin. Includes
//!   `serialize`.
//! - `internals`: adds what the crates beside this one share with it; not for games, and any
//!   version may change it.
//! - `transform`: adds `NavTransformPlugin`, which moves Bevy's `Transform` of chasers with their
//!   cells, and the cells of players with their `Transform`.
//! - `tracing`: writes an event of the crate `tracing` for each chase that fails, at level DEBUG:
//!   the sentences of [`explain`], for 16 failures a tick.
//!
//! # Why does it stand?
//!
//! [`explain`] says what an agent is doing, why it stands, and what would change that.
//!
//! # Related crates
//!
//! They use the public interface of this crate. `nav_behaviour` begins and ends chases, `nav_trace`
//! records what a game does and replays it, `nav_testing` serves tests of a game, and `nav_sync`
//! shows chasers to clients.
//!
//! # Determinism
//!
//! Equal inputs give equal states after every tick, for any number of threads. Times and costs are
//! whole numbers, limits count expansions, and [`AgentId`] orders agents.

#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unused_imports,
        reason = "the crates beside this one use it"
    )
)]

/// Defines builders that replace one field.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($field:ident: $type:ty);)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(self, $field: $type) -> Self {
            Self { $field: $field.into(), ..self }
        }
    )*};
}

mod budget;
mod clock;
mod components;
mod diagnostics;
mod digest;
mod explain;
#[cfg(feature = "tracing")]
mod failures_told;
mod go_to;
mod groups;
mod messages;
mod nav_query;
mod occupancy;
mod plugin;
#[cfg(feature = "serialize")]
pub mod saving;
mod sets;
mod shared;
mod shift_map;
mod slow_links;
pub mod state;
mod stepping;
mod systems;
#[cfg(feature = "transform")]
mod transform;

pub use budget::NavBudget;
pub use clock::{NavClock, NavTime, Period};
pub use components::{
    AgentId, Body, BodyKind, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding,
    Destination, EditMap, FindPathError, Guidance, Heading, MapCommands, MoveTimer, NavMap,
    NavTimer, OnMap, Pace, PathAnswer, PathCursor, PathRequest, Paused, Reach, ReachAnswer,
    ReachRequest, Route, Screen, ScreenSizeError, Screens, Spot, Want, WorldPosition,
};
pub(crate) use components::{AgentIds, FieldAnchor};
pub use diagnostics::{NavCounts, NavDiagnostics, NavMemory};
pub use digest::digest;
pub use explain::{
    Explain, ExplainAppExt, Explanation, MissingWay, Standing, Task, explain, explain_way,
};
pub use go_to::{GoTo, GoToEnd, GoToEnded, WalkCommands, WalkEnd, stop_walking};
pub use groups::{Attraction, ChasingGroup, GroupTargets, InGroup, MemberChosen, TargetGroup};
pub use messages::{
    EditRefusal, EditRefused, PathBroken, PathFailed, PathFailure, PathFound, TargetReached,
    ValueField, ValueRefusal, ValueRefused,
};
pub use nav_grid;
pub use nav_query::NavQuery;
pub use occupancy::{Occupancy, PlayerSteps, StepRefusal};
pub use plugin::NavPlugin;
pub use sets::NavSystems;
pub use shift_map::{MapShifted, ShiftMapError, shift_map};
pub use slow_links::{LinkEntered, LinkLeft, OnLink};
pub use stepping::{Header, HeaderItem, SteppedByGame, Stepper, StepperItem, Stepping};
pub use systems::{Edited, PathPoint, SeenEdits, TargetSnapshot, UpcomingPath};
#[cfg(feature = "transform")]
pub use transform::{CellToTransform, NavTransformPlugin, ShowTransforms, TransformToCell};

/// Items shared with the crates beside this one. Not for games: any version may change them.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    #[cfg(feature = "serialize")]
    pub use crate::saving::drop_by_saves;
    pub use crate::{
        components::{AgentIds, FieldAnchor, LastWorldPosition},
        digest::digest_parts,
        go_to::WalkJudge,
        occupancy::{BodyPlaces, Gate, GateAsk},
        plugin::require_nav,
        sets::on_demand,
        shared::*,
        state::{
            components::StateComponents,
            fingerprint::Fingerprint,
            parts::{Parts, part_names},
        },
        systems::{guidance::heading, threads::Threads},
    };
}

/// The items that most games import.
pub mod prelude {
    #[cfg(feature = "serialize")]
    pub use crate::saving::{NavSave, save};
    pub use crate::{
        Body, BodyKind, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, ChasingGroup,
        Destination, GoTo, GoToEnd, GoToEnded, Guidance, InGroup, LinkEntered, LinkLeft,
        MapCommands, MemberChosen, MoveTimer, NavBudget, NavClock, NavDiagnostics, NavMap,
        NavPlugin, NavQuery, NavSystems, NavTime, OnMap, PathAnswer, PathBroken, PathCursor,
        PathFailed, PathFailure, PathFound, PathRequest, Paused, Period, Reach, ReachAnswer,
        ReachRequest, Screens, Spot, TargetGroup, TargetReached, UpcomingPath, WalkEnd, Want,
        WorldPosition, digest, explain,
    };
    #[cfg(feature = "transform")]
    pub use crate::{CellToTransform, NavTransformPlugin, TransformToCell};
    pub use nav_grid::{
        Area, Cell, Edit, Footprint, Frame, Grid, Limits, Link, Method, Metric, Rules, Size,
        map::{Axes, FloorHeights, text},
    };
}

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
