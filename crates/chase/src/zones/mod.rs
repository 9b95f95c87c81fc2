//! `chase zones`: one scenario in zones, each of which is a process.
//!
//! A supervisor writes down at the broker what the world is, starts processes that take its zones, and shows how they
//! do. Others may join from other machines, and anybody may check that every agent lives once.

mod check;
mod control;
mod error;
mod faults;
mod history;
mod plan;
mod process;
mod rebuild;
mod report;
mod shown;
mod supervisor;
mod table;
#[cfg(feature = "serve")]
mod watching;
mod zone_app;

pub use check::{check, refuse_unclean};
pub use control::Ask;
pub use error::ZonesError;
pub use history::{WorldReport, ZoneSummary};
pub use plan::{Clock, Plan, WorldPlace};
pub use process::join;
pub use rebuild::{merge, move_away, split};
pub use report::ZoneReport;
pub use supervisor::{WorldSettings, supervise};
pub use table::table;
#[cfg(feature = "serve")]
pub use watching::Watching;

use control::ControlLine;
