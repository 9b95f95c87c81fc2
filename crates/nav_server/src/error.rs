//! The error of a server.

use nav_sim::sim::SimError;
use std::{io, net::SocketAddr};

/// The error of serving a scenario.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen at {addr}: {source}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The scenario does not fit its map.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The system refuses a thread or a socket.
    #[error("the server cannot run: {0}")]
    Io(#[from] io::Error),
}
