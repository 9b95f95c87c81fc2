//! Orders from the web server to the simulation.

use super::{change::Change, link::Link, said::ClientSays};
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
    /// Another world is to be served. The answer has the reason if it cannot be.
    Change(Box<Change>, oneshot::Sender<Result<(), String>>),
    /// Metrics are requested.
    Metrics(oneshot::Sender<String>),
    /// The server stops.
    Stop,
}
