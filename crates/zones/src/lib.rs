//! Runs one scenario in zones, each in its own process: the parts of the `zones` program.
//!
//! A supervisor writes the plan of the world to the broker, starts processes that take its zones,
//! and shows their state. Processes on other machines can join, and any program can check that
//! every agent lives exactly once.
//!
//! - [`cli`] is the command line; `zones --help` lists its commands.
//! - [`supervise`] runs a world, and [`join`] runs one process of it.
//! - [`check()`], [`split`], [`merge`] and [`move_away`] are for running worlds.
//! - [`Watching`] shows a running world on the page of `chase serve`.
//! - [`ZonesError`] is the error of the program, with a message of one line.
//!
//! It uses the public API of `chase`, which runs scenarios in one process, and of `nav_zones`.

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
