//! A world in zones: runs one scenario in zones, each of which is a process. The pieces of the `zones` program.
//!
//! A supervisor writes down at the broker what the world is, starts processes that take its zones, and shows how they
//! do. Others may join from other machines, and anybody may check that every agent lives once.
//!
//! - [`cli`] is the command line; `zones --help` lists what it can do.
//! - [`supervise`] runs a world, [`join`] is a process of it.
//! - [`check()`], [`split`], [`merge`] and [`move_away`] are for worlds that run.
//! - [`Watching`] shows such a world on the page of `chase serve`.
//! - [`ZonesError`] is every way in which the program can fail, one line each.
//!
//! It is built on the public API of `chase`, which runs scenarios in one process, and of `nav_zones`.

mod check;
pub mod cli;
mod clock;
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
pub use watching::Watching;
