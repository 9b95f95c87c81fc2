//! The settings of a server, by option or environment.

use crate::Control;
use nav_cli::values::{address, whole};
use std::net::{Ipv4Addr, SocketAddr};

/// Most clients that can be asked for: more than a machine has ports for.
const CLIENTS_MAX: usize = 100_000;

/// The settings of a server.
#[derive(Clone, Debug, clap::Args)]
#[command(about = None, long_about = None)]
pub struct Settings {
    /// Address to listen at; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address, default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)))]
    pub addr: SocketAddr,
    /// Most clients at the same time
    #[arg(long = "clients", value_name = "N", value_parser = whole(1..=CLIENTS_MAX), default_value_t = 1000)]
    pub clients_max: usize,
    /// Clients that may pause the simulation and set its speed: nobody, everyone, or a token that
    /// they must send. By default a new token, part of the printed address
    #[arg(
        long,
        value_name = "WHO",
        env = "CHASE_CONTROL",
        hide_env_values = true
    )]
    pub control: Option<Control>,
    /// Name by which browsers may call the server, besides addresses and localhost. May be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
}
