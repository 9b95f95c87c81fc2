//! The report of a run: what happened and what it cost.
//!
//! A [`Recorder`] collects everything as it happens and becomes a [`Report`] at the end. A report
//! prints as JSON with `serde_json`, and for people with [`Report::summary`].
//!
//! All of it but times, [`Report::threads`] and memory is the same for the same scenario on
//! every machine.

mod contents;
mod digest;
mod ends;
mod expansions;
mod histogram;
mod nav_state;
mod recorder;
mod searches;
mod sets;
mod summary;
mod tick_times;
mod ways;

pub use contents::Report;
pub use digest::Digest;
pub use ends::Ends;
pub use expansions::{Bucket, ExpansionCounts, Expansions};
pub use nav_state::NavState;
pub use recorder::Recorder;
pub use searches::Searches;
pub use sets::{SETS, SetTime, Sets};
pub use tick_times::TickTimes;
pub use ways::{Way, Ways, WaysAt};
