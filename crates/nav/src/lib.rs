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
//! - `multi_threaded`, on by default: runs searches on all threads of Bevy's compute task pool.
//! - `serialize`: adds serde to all components, the clock, the ids and the counters, and the module
//!   `saving`: the whole navigation state of a world as one value.
//! - `reflect`: adds Bevy reflection to the same types, registered by the plugin. Includes
//!   `serialize`.
//! - `transform`: adds `NavTransformPlugin`, which moves Bevy's `Transform` of chasers with their
//!   cells, and the cells of players with their `Transform`.
//! - `tracing`: writes an event of the crate `tracing` for each chase that fails, at level DEBUG:
//!   the sentences of [`explain()`], for 16 failures a tick.
//!
//! # Why does it stand?
//!
//! [`explain()`] says what an agent is doing, why it stands, and what would change that.
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

#![cfg_attr(docsrs, feature(doc_cfg))]

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
pub mod diagnostics;
mod digest;
pub mod explain;
#[cfg(feature = "tracing")]
mod failures_told;
pub mod go_to;
pub mod groups;
pub mod links;
mod messages;
mod nav_query;
pub mod occupancy;
mod plugin;
#[cfg(feature = "serialize")]
pub mod saving;
mod sets;
mod shared;
mod shift_map;
pub mod state;
pub mod stepping;
mod systems;
#[cfg(feature = "transform")]
pub mod transform;

pub use budget::NavBudget;
pub use clock::{NavClock, NavTime, Period};
pub use components::{
    AgentId, Body, BodyKind, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding,
    Destination, Guidance, Heading, MapCommands, MoveTimer, NavMap, NavTimer, OnMap, Pace,
    PathCursor, Paused, Reach, Screens, Spot, WorldPosition,
};
pub use diagnostics::NavDiagnostics;
pub use digest::digest;
#[doc(inline)]
pub use explain::explain;
pub use go_to::{GoTo, GoToEnd, GoToEnded};
pub use messages::{PathBroken, PathFailed, PathFailure, PathFound, TargetReached};
pub use nav_grid;
pub use plugin::NavPlugin;
pub use sets::NavSystems;
pub use systems::{PathPoint, UpcomingPath};

// Names within this crate.
pub(crate) use components::{AgentIds, FieldAnchor};
#[allow(unused_imports, reason = "some are named by documentation alone")]
pub(crate) use {
    diagnostics::{NavCounts, NavMemory},
    go_to::{WalkCommands, WalkEnd},
    groups::{Attraction, ChasingGroup, GroupTargets, InGroup, MemberChosen, TargetGroup},
    links::{LinkEntered, LinkLeft, OnLink},
    maps::{EditMap, EditRefusal, EditRefused, MapShifted, SeenEdits, shift_map},
    occupancy::{Gate, Occupancy, StepRefusal},
    requests::{
        FindPathError, NavQuery, PathAnswer, PathRequest, ReachAnswer, ReachRequest, Route, Want,
    },
    screens::Screen,
    stepping::{HeadingQuery, HeadingQueryItem, SteppedByGame, Stepper, Stepping, TargetSnapshot},
    values::{ValueField, ValueRefusal, ValueRefused},
};

/// Maps that change: edits, and windows that move over a larger world.
pub mod maps {
    pub use crate::{
        components::EditMap,
        messages::{EditRefusal, EditRefused},
        shift_map::{MapShifted, ShiftMapError, shift_map},
        systems::{Edited, SeenEdits},
    };
}

/// Paths and ranges without a chase: within the budget, or at once.
pub mod requests {
    pub use crate::{
        components::{
            FindPathError, PathAnswer, PathRequest, ReachAnswer, ReachRequest, Route, Want,
        },
        nav_query::NavQuery,
    };
}

/// Agents near a place.
pub mod screens {
    pub use crate::components::{Screen, ScreenSizeError, Screens};
}

/// Values that make no sense, and why they are refused.
pub mod values {
    pub use crate::messages::{ValueField, ValueRefusal, ValueRefused};
}

/// Parts for crates that extend the plugin: behaviours, recorders, one world in several apps.
/// Games do without.
pub mod extend {
    #[cfg(feature = "serialize")]
    pub use crate::saving::drop_by_saves;
    pub use crate::{
        components::{AgentIds, FieldAnchor, LastWorldPosition},
        digest::digest_parts,
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
    pub use crate::{
        Body, BodyKind, CellPosition, ChaseState, Chaser, Chasing, GoTo, GoToEnded, Guidance,
        MapCommands, MoveTimer, NavBudget, NavDiagnostics, NavMap, NavPlugin, NavSystems, OnMap,
        Pace, PathBroken, PathCursor, PathFailed, PathFound, Paused, Period, Reach, TargetReached,
        UpcomingPath, WorldPosition, digest, explain,
        requests::{NavQuery, PathAnswer, PathRequest},
    };
    pub use nav_grid::{
        Cell, Edit, Footprint, Frame, Grid, Limits, Link, Method, Metric, Rules, Size, map::text,
    };
}

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
