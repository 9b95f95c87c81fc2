//! The errors of zones.

use crate::Formats;
use nav_server::ServeError;
use nav_sim::sim::SimError;
use nav_zones::{
    BusError, Format, LayoutError, ZoneError,
    keeper::KeeperError,
    nats::{BrokerError, NatsError},
};
use std::{io, time::Duration};

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
    /// The clock of this machine differs from that of the broker.
    #[error(
        "the clock of this machine is {} {} that of the broker, and zones agree on the time by their clocks: set it",
        span(*.0),
        if *.1 { "ahead of" } else { "behind" }
    )]
    Clock(Duration, bool),
    /// The world is kept in a version that this program does not read.
    #[error(
        "the world is kept in version {0}, and this program reads {own}: use a program of that version",
        own = Format::STATE
    )]
    State(u16),
    /// Its processes are of another version.
    #[error(
        "processes of the world keep it in version {} and send messages of version {}, this program in {} and {}: \
         stop the world, and continue it by `zones run --world`",
        .0.state, .0.messages, Formats::OWN.state, Formats::OWN.messages
    )]
    Formats(Formats),
    /// The world was ended.
    #[error("the world {0:?} has ended: `zones run --world {0}` continues it")]
    HasEnded(String),
    /// Another program wrote the plan of the world meanwhile.
    #[error("another program began or ended the world at the same time: try again")]
    Changed,
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
    #[error("processes have {0} zones of the world: end them first, or delete it with --force")]
    Held(usize),
}

/// Returns a time in the largest unit that it has two of.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

impl ZonesError {
    /// Returns whether a command may succeed later, since the broker does not answer now.
    pub(crate) const fn is_temporary(&self) -> bool {
        match self {
            Self::Nats(NatsError::Refused { .. } | NatsError::Stream { .. }) => true,
            Self::Keeper(error) => error.is_temporary(),
            _ => false,
        }
    }
}
