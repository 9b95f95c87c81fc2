//! The components, one concern each.

mod agent;
mod asleep;
mod body;
mod chaser;
mod destination;
mod field_anchor;
mod heading;
mod jitter;
mod last_map;
mod map;
#[cfg(feature = "serialize")]
mod map_replay;
mod move_timer;
mod nav_timer;
mod pace;
mod path_cursor;
mod paused;
mod places;
mod route;
mod screen_seats;
mod screens;
mod stand;
mod tuning;

pub(crate) use agent::number_agents;
pub use agent::{AgentId, AgentIds, CellPosition, OnMap, WorldPosition};
pub(crate) use asleep::{SleepSigns, seems_asleep};
pub use body::{Body, BodyKind};
pub use chaser::{ChasedBy, Chaser, Chasing};
pub use destination::Destination;
pub use field_anchor::FieldAnchor;
pub use heading::Heading;
pub(crate) use jitter::jitter;
pub(crate) use last_map::LastMap;
pub use map::NavMap;
pub use move_timer::MoveTimer;
pub use nav_timer::NavTimer;
pub use pace::Pace;
pub use path_cursor::{ChaseState, Guidance, PathCursor};
pub use paused::Paused;
pub(crate) use screen_seats::{ScreenSeat, ScreenSeats};
pub use screens::{Screen, ScreenSizeError, Screens};
#[cfg(feature = "serialize")]
pub(crate) use stand::stand_of;
pub(crate) use stand::{Unlike, stand, stands_unlike};
pub(crate) use tuning::{GoodDisplacement, GroupMembers, Reach, SearchesAlone, Tuning};
