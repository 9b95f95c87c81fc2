//! Orders from the web server to the simulation.

use super::{link::Link, said::ClientSays};
use tokio::sync::oneshot;

/// Number of a connection.
pub(super) type LinkId = u64;

/// An order from the web server to the simulation.
pub(super) enum Order {
    /// A client connected.
    Join(LinkId, Link),
    /// A client disconnected.
    Leave(LinkId),
    /// A client sent a message.
    Said(LinkId, ClientSays),
    /// Metrics are requested.
    Metrics(oneshot::Sender<String>),
    /// The server stops.
    Stop,
}
