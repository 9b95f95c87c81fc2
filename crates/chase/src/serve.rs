//! `chase serve`: serves a running scenario.

use nav_cli::Failure;
use nav_server::{Settings, Source};
use nav_sim::{Scenario, maps};
use std::path::PathBuf;

/// Runs a scenario in real time, with a page on which to watch it and be hunted
///
/// The page is at the address; /ws is for clients and /metrics for monitoring: see
/// docs/book/src/serving.md. It runs until Ctrl-C or SIGTERM. Only clients with the token of the
/// printed address may pause it.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ServeArgs {
    /// Scenario: a RON file, or the name of a bundled scenario
    #[arg(default_value = "hunt")]
    scenario: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn main(args: &ServeArgs) -> Result<(), Failure> {
    let scenario = Scenario::named(&args.scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let name = args.scenario.display().to_string();
    Ok(args.settings.serve(Source::run(scenario, map), &name)?)
}
