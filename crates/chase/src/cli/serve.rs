//! `chase serve`: serves a running scenario.

use super::{
    options::{address, whole},
    output::print,
};
use crate::{
    Error, Scenario, maps,
    serve::{Control, Settings, Source, asked_to_end, serve},
};
use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

/// Runs a scenario in real time, with a page on which to watch it and be hunted
///
/// The page is at the address; /ws is for clients and /metrics for monitoring: see docs/book/src/serving.md.
/// It runs until Ctrl-C or SIGTERM. Only clients with the token of the printed address may pause it.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ServeArgs {
    /// Scenario: a RON file, or the name of a bundled scenario
    #[arg(default_value = "hunt")]
    scenario: PathBuf,
    #[command(flatten)]
    options: ServeOptions,
}

/// Most clients that can be asked for. A guess: more than a machine has ports for.
const CLIENTS_MAX: usize = 100_000;

/// Options of a server.
#[derive(Clone, Debug, clap::Args)]
#[command(about = None, long_about = None)]
pub struct ServeOptions {
    /// Address to listen at; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address, default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)))]
    addr: SocketAddr,
    /// Most clients at the same time
    #[arg(long, value_name = "N", value_parser = whole(1..=CLIENTS_MAX), default_value_t = 1000)]
    clients: usize,
    /// Clients that may pause the simulation and set its speed: nobody, everyone, or a token that they must
    /// send. Also read from `CHASE_CONTROL`. By default a new token, part of the printed address
    #[arg(long, value_name = "WHO")]
    control: Option<Control>,
    /// Name by which browsers may call the server, besides addresses and localhost. May be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
}

impl ServeOptions {
    /// Serves `source` under `name` until Ctrl-C. Prints the address when clients can connect.
    ///
    /// # Errors
    ///
    /// [`Error::Serve`].
    pub fn serve(&self, source: Source, name: &str) -> Result<(), Error> {
        let (control, is_own) = self.control()?;
        let settings = Settings {
            addr: self.addr,
            clients_max: self.clients,
            name: name.to_owned(),
            control: control.clone(),
            hosts: self.hosts.clone(),
        };
        if !self.addr.ip().is_loopback() {
            let may = match control {
                Control::Everyone => "may watch, take a player and pause it",
                _ => "may watch and take a player",
            };
            eprintln!("warning: everybody who reaches {} {may}", self.addr);
        }
        // A given token is known already, and others read logs.
        let fragment = if is_own {
            control.to_string()
        } else {
            String::new()
        };
        let ready = |addr| {
            // The server runs even if its output cannot be written.
            let _ = print(|out| {
                writeln!(
                    out,
                    "http://{addr}/{fragment} shows {name}; Ctrl-C stops it"
                )
            });
        };
        Ok(serve(source, &settings, ready, asked_to_end())?)
    }

    /// Returns which clients may control the server, by the option, the environment, or a new token, and whether it is
    /// the latter. An empty variable of the environment counts as none.
    fn control(&self) -> Result<(Control, bool), Error> {
        if let Some(control) = &self.control {
            return Ok((control.clone(), false));
        }
        match std::env::var("CHASE_CONTROL") {
            Ok(text) if !text.is_empty() => Ok((text.parse().map_err(Error::Control)?, false)),
            _ => Ok((Control::any_token(), true)),
        }
    }
}

pub(super) fn main(args: &ServeArgs) -> Result<(), Error> {
    let scenario = Scenario::named(&args.scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let name = args.scenario.display().to_string();
    args.options.serve(Source::run(scenario, map), &name)
}
