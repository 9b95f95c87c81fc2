//! `chase serve`: serves a running scenario.

use super::stdout::print;
#[cfg(feature = "zones")]
use crate::zones::{Watching, WorldPlace};
use crate::{
    Error, Scenario, maps,
    serve::{Settings, Source, serve},
};
use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

/// Runs a scenario in real time, with a page on which to watch it and be hunted
///
/// The page is at the address; /ws takes clients and /metrics tells how it goes: see docs/SERVER.md. It
/// runs until Ctrl-C. Only clients on this machine may pause it.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// Scenario: a RON file, or the name of one that is part of the program
    #[arg(default_value = "hunt")]
    scenario: PathBuf,
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)))]
    addr: SocketAddr,
    /// Clients at most at the same time
    #[arg(long, value_name = "N", default_value_t = 1000)]
    clients: usize,
    /// Show a world that `chase zones` runs, in place of a scenario: its broker
    #[cfg(feature = "zones")]
    #[arg(
        long,
        value_name = "URL",
        requires = "world",
        conflicts_with = "scenario"
    )]
    nats: Option<String>,
    /// The name of that world
    #[cfg(feature = "zones")]
    #[arg(long, value_name = "NAME", requires = "nats")]
    world: Option<String>,
}

/// What is served, and its name.
fn source(args: &ServeArgs) -> Result<(Source, String), Error> {
    #[cfg(feature = "zones")]
    if let (Some(url), Some(world)) = (&args.nats, &args.world) {
        let place = WorldPlace::new(url, world);
        let watching = Watching::open(&place)?;
        return Ok((Source::World(Box::new(watching)), world.clone()));
    }
    let scenario = Scenario::named(&args.scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let name = args.scenario.display().to_string();
    Ok((Source::Scenario(Box::new(scenario), Box::new(map)), name))
}

pub(super) fn main(args: &ServeArgs) -> Result<(), Error> {
    let (source, name) = source(args)?;
    let settings = Settings {
        addr: args.addr,
        clients_max: args.clients,
        name,
    };
    let ready = |addr| {
        // A server whose output nobody reads serves all the same.
        let _ = print(|out| {
            writeln!(
                out,
                "http://{addr}/ shows {}; Ctrl-C stops it",
                settings.name
            )
        });
    };
    let until = async {
        // Without a signal handler it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    serve(source, &settings, ready, until)?;
    Ok(())
}
