//! `chase serve`: serves a running scenario.

use super::stdout::print;
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
    #[command(flatten)]
    options: ServeOptions,
}

/// Options of a server.
#[derive(Clone, Debug, clap::Args)]
#[command(about = None, long_about = None)]
pub struct ServeOptions {
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)))]
    addr: SocketAddr,
    /// Clients at most at the same time
    #[arg(long, value_name = "N", default_value_t = 1000)]
    clients: usize,
}

impl ServeOptions {
    /// Serves `source`, which is called `name`, until Ctrl-C. Prints the address when clients may come.
    ///
    /// # Errors
    ///
    /// [`Error::Serve`].
    pub fn serve(&self, source: Source, name: &str) -> Result<(), Error> {
        let settings = Settings {
            addr: self.addr,
            clients_max: self.clients,
            name: name.to_owned(),
        };
        let ready = |addr| {
            // A server whose output nobody reads serves all the same.
            let _ = print(|out| writeln!(out, "http://{addr}/ shows {name}; Ctrl-C stops it"));
        };
        let until = async {
            // Without a signal handler it runs until it is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        Ok(serve(source, &settings, ready, until)?)
    }
}

pub(super) fn main(args: &ServeArgs) -> Result<(), Error> {
    let scenario = Scenario::named(&args.scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let name = args.scenario.display().to_string();
    args.options.serve(Source::run(scenario, map), &name)
}
