//! What the web server asks of the simulation.

use super::{link::Link, said::ClientSays};
use tokio::sync::oneshot;

/// The number of a connection.
pub(super) type LinkId = u64;

/// What the web server asks of the simulation.
pub(super) enum Order {
    /// Somebody connected.
    Join(LinkId, Link),
    /// Somebody left.
    Leave(LinkId),
    /// Somebody said something.
    Said(LinkId, ClientSays),
    /// Somebody wants to know the metrics.
    Metrics(oneshot::Sender<String>),
    /// The server stops.
    Stop,
}
