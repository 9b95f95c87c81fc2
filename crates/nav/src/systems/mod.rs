//! The systems: a module for each step of a tick, and what the steps share.
//!
//! In the order of a tick: `observe`, `fields`, `decide`, `search`, `step`, `report`.
//! `guide` answers all of them which cells lead on. `storage` depends on none of them.
//! `upcoming` serves systems of a game.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

pub(crate) mod crowd;
mod decide;
pub(crate) mod fields;
pub(crate) mod guidance;
mod observe;
mod report;
pub(crate) mod search;
pub(crate) mod step;
pub(crate) mod storage;
mod upcoming;

pub(crate) use decide::add_decide;
pub(crate) use fields::add_fields;
pub(crate) use guidance::reach::place_over;
pub(crate) use observe::add_observe;
#[cfg(feature = "transform")]
pub(crate) use observe::update_cells;
pub use observe::{Edited, SeenEdits};
pub(crate) use report::add_report;
pub(crate) use search::add_search;
pub(crate) use step::{Outcomes, add_step};
pub use storage::{targets::TargetSnapshot, threads};
pub use upcoming::{PathPoint, UpcomingPath};
