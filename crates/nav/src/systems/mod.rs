//! The systems: a folder per step of a tick, in the order in which they run, storage that they
//! share, and what several of them compute.
//!
//! `observe`, `fields`, `decide`, `search`, `step` and `report` are sub-plugins. `storage` knows
//! none of them.

mod ahead;
mod decide;
mod directions;
mod field_ways;
pub(crate) mod fields;
mod last_look;
mod loans;
mod next_cell;
mod observe;
mod places;
pub(crate) mod reach;
mod report;
mod restored;
pub(crate) mod search;
pub(crate) mod step;
pub(crate) mod storage;
mod target_view;

pub use ahead::{Ahead, AheadForm, AheadSettings, PointAhead, PointsAhead, StraightenedAhead};
pub(crate) use decide::DecidePlugin;
pub use field_ways::FieldWays;
pub(crate) use fields::FieldsPlugin;
#[cfg(feature = "serialize")]
pub(crate) use last_look::NewsSince;
pub(crate) use observe::ObservePlugin;
#[cfg(feature = "transform")]
pub(crate) use observe::update_cells;
pub use observe::{Edited, SeenEdits};
pub(crate) use report::ReportPlugin;
#[cfg(feature = "serialize")]
pub(crate) use restored::Restored;
pub(crate) use search::SearchPlugin;
pub(crate) use step::{Outcomes, StepPlugin};
pub use storage::{scratch, targets::TargetSnapshot, threads};
