//! The components, one concern each.

mod agent;
mod body;
mod chaser;
mod field_anchor;
mod map;
mod path_cursor;
mod route;
mod screens;
mod timers;

pub use agent::{AgentId, AgentIds, CellPosition, OnMap, WorldPosition};
pub use body::{Body, BodyKind};
pub use chaser::{ChasedBy, Chaser, Chasing};
pub use field_anchor::FieldAnchor;
pub use map::NavMap;
pub use path_cursor::{ChaseState, PathCursor};
pub(crate) use screens::{Absent, NO_SIZE};
pub use screens::{Screen, ScreenSizeError, Screens};
pub use timers::{MoveTimer, NavTimer};
