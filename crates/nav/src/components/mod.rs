//! The components of agents and maps.

mod agent;
mod body;
mod chase;
mod chaser;
mod chasing;
mod crowding;
mod field_anchor;
mod map;
mod map_changes;
mod move_timer;
mod path_request;
mod paused;
mod reach_request;
mod screen_seats;
mod screens;
mod spot;
mod tuning;
mod world_position;

pub use agent::{AgentId, AgentIds, CellPosition, OnMap};
pub(crate) use agent::{LastMap, number_agents};
pub use body::{Body, BodyKind};
pub(crate) use chase::{Answer, Chase, Delay, Event, SearchEnd, jitter};
pub use chase::{ChaseState, Guidance, NavTimer, PathCursor};
pub use chaser::{Chaser, Pace, Reach};
pub use chasing::{ChasedBy, Chasing, Destination, Heading};
pub(crate) use chasing::{LastLook, Retargeted, note_look};
pub use crowding::Crowding;
#[cfg(feature = "serialize")]
pub(crate) use crowding::stand_of;
pub(crate) use crowding::{BodyMismatch, SleepInputs, body_mismatch, derives_asleep};
pub use field_anchor::FieldAnchor;
pub use map::NavMap;
pub(crate) use map::UnseenEdits;
pub use map_changes::{EditMap, MapCommands};
pub(crate) use move_timer::DiscardedTimers;
pub use move_timer::MoveTimer;
pub(crate) use path_request::SearchStage;
pub use path_request::{FindPathError, PathAnswer, PathRequest, Route, Want};
pub use paused::Paused;
pub use reach_request::{ReachAnswer, ReachRequest};
pub(crate) use screen_seats::{ScreenSeats, update_screens};
pub use screens::{Screen, ScreenSizeError, Screens};
pub use spot::Spot;
pub(crate) use tuning::{GroupMembers, LastSettings, SearchesAlone, Tuning};
pub use world_position::{LastWorldPosition, WorldPosition};
