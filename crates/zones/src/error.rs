//! The errors of zones.

use nav_server::ServeError;
use nav_sim::sim::SimError;
use nav_zones::{
    BusError, LayoutError, ZoneError,
    keeper::KeeperError,
    nats::{BrokerError, NatsError},
};
use std::io;

/// The error of a command about zones.
#[derive(Debug, thiserror::Error)]
pub enum ZonesError {
    /// Metrics cannot be served.
    #[error(transparent)]
    Server(#[from] ServeError),
    /// The broker could not be started.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// No connection to the broker.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// A request to the broker failed.
    #[error(transparent)]
    Keeper(#[from] KeeperError),
    /// A message cannot be sent.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The layout cannot be changed like this.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A zone does not take part any more.
    #[error(transparent)]
    Zone(#[from] ZoneError),
    /// The map has no room for the agents.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The broker has no such world.
    #[error(
        "there is no world {0:?} at the broker: `zones run` shows the name of the one that it starts"
    )]
    NoWorld(String),
    /// The data of a world at the broker cannot be read.
    #[error("the data of the world at the broker cannot be read: {0}")]
    Damaged(String),
    /// A process could not be started.
    #[error("a process of a zone cannot be started: {0}")]
    Process(io::Error),
    /// A process ended unexpectedly.
    #[error("the process of a zone ended by itself: {0}")]
    Ended(String),
    /// The world has no such zone.
    #[error("there is no zone {zone}: the world has {zones:?}")]
    NoZone {
        /// The zone asked for.
        zone: u16,
        /// The zones of the world.
        zones: Vec<u16>,
    },
    /// Leases of the world have another length.
    #[error("leases of this world last {world} ms, not {asked} ms")]
    Lease {
        /// Length in the plan of the world, in milliseconds.
        world: u64,
        /// Length asked for.
        asked: u64,
    },
    /// Processes run the world.
    #[error("processes have {0} zones of it: end them first, or add --force")]
    Held(usize),
}
