//! Server-side chase navigation for NPCs on grid maps, as a headless Bevy plugin.

mod clock;
mod components;
mod diagnostics;
mod digest;
mod messages;
mod plugin;
#[cfg(feature = "reflect")]
mod reflect;
mod systems;

pub use clock::{NavClock, NavTime, Period};
pub use components::{
    AgentId, AgentIds, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, MoveTimer, NavMap,
    NavTimer, OnMap, PathCursor, WorldPosition,
};
pub use diagnostics::{NavCounts, NavDiagnostics};
pub use digest::digest;
pub use messages::{PathFailed, PathFailure, PathFound, TargetReached};
pub use nav_grid;
pub use plugin::{NavPlugin, NavSystems};

/// What most games import.
pub mod prelude {
    pub use crate::{
        CellPosition, ChasedBy, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, NavSystems, OnMap,
        PathCursor, PathFailed, PathFound, TargetReached, WorldPosition,
    };
    pub use nav_grid::{Cell, Frame, Grid};
}
