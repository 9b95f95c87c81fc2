//! Runs one scenario in zones, each in its own process: the parts of the `zones` program.
//!
//! A supervisor writes the plan of the world to the broker, starts processes that take its zones,
//! and shows their state. Processes on other machines can join, and any program can check that
//! every agent lives exactly once.
//!
//! - [`cli`] is the command line; `zones --help` lists its commands.
//! - [`supervise`] runs a world, and [`join`] runs one process of it.
//! - [`OpenWorld`] is a world at a broker; [`worlds`] and [`delete_world`] list and delete them.
//! - [`check()`], [`split`], [`merge`] and [`move_away`] are for running worlds.
//! - [`ZoneMetrics`] serves the state of zones to a monitor.
//! - [`Watching`] shows a running world on the page of `chase serve`.
//! - [`ZonesError`] is the error of the program, with a message of one line.
//!
//! It uses the public API of `nav_sim`, which runs scenarios in one process, and of `nav_zones`.

mod broker;
mod check;
pub mod cli;
mod clock;
mod control;
mod ending;
mod error;
mod faults;
mod formats;
mod history;
mod log;
mod metrics;
mod open;
mod plan;
mod process;
mod processes;
mod rebuild;
mod report;
mod shown;
mod supervisor;
mod table;
mod watching;
mod zone_app;

pub use broker::BrokerArgs;
pub use check::{Check, check};
pub use control::Ask;
pub use ending::Ending;
pub use error::ZonesError;
pub use formats::Formats;
pub use history::{WorldReport, ZoneSummary};
pub use metrics::{MetricsArgs, ZoneMetrics};
pub use open::{LEASE, ListedWorld, OpenWorld, delete_world, worlds};
pub use plan::Plan;
pub use process::{JoinSettings, join};
pub use rebuild::{merge, move_away, split};
pub use report::ZoneReport;
pub use supervisor::{Beginning, Shown, WorldSettings, supervise};
pub use table::table;
pub use watching::Watching;
