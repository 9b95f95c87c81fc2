//! The report of a run: what happened and what it cost.
//!
//! A [`Recorder`] collects events as they happen, and becomes a [`Report`] at the end. A report
//! prints as JSON with `serde_json`, and as text with [`Report::summary`].
//!
//! Except for times, [`Report::threads`] and memory, the report of a scenario is the same on every
//! machine.

mod contents;
mod digest;
mod expansions;
mod histogram;
mod nav_state;
mod recorder;
mod searches;
mod sets;
mod summary;
mod ways;

pub use contents::Report;
pub use digest::Digest;
pub use expansions::{Bucket, ExpansionCounts, Expansions};
pub use nav_state::NavState;
pub use recorder::Recorder;
pub use searches::Searches;
pub use sets::{SETS, SetTime, Sets};
pub use ways::{Ends, Way, Ways, WaysAt};
