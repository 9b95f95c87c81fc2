//! Transport of messages between zones, and one within a process.

use crate::ZoneId;
use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    time::Duration,
};

/// Transport of messages from one zone to the others.
///
/// Messages from one zone to another arrive in the order of sending, each at most once.
pub trait Bus: Send + Sync + 'static {
    /// Sends a message to a zone.
    ///
    /// # Errors
    ///
    /// [`BusError`] if the message is certain not to arrive.
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError>;

    /// Receives the next message to this zone from any other. Returns `None` after `wait` without
    /// one.
    ///
    /// # Errors
    ///
    /// [`BusError`] if no message can ever arrive.
    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, BusError>;

    /// Returns the number of messages dropped so far because they arrived damaged or in part.
    fn damaged(&self) -> u64 {
        0
    }
}

/// The connection to other zones ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection to other zones ended: {0}")]
pub struct BusError(pub String);

/// End of a [`local`] bus for one zone.
#[derive(Debug)]
pub struct LocalBus {
    to: Vec<Sender<Vec<u8>>>,
    // A receiver is not `Sync`, and resources have to be.
    from: Mutex<Receiver<Vec<u8>>>,
}

/// Creates a bus between zones of one process: an end for each, in zone order.
pub fn local(zones: u16) -> Vec<LocalBus> {
    let (to, from): (Vec<_>, Vec<_>) = (0..zones).map(|_| channel()).unzip();
    let mut ends = Vec::new();
    for receiver in from {
        ends.push(LocalBus {
            to: to.clone(),
            from: Mutex::new(receiver),
        });
    }
    ends
}

impl Bus for LocalBus {
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError> {
        match self.to.get(usize::from(to.0)).map(|to| to.send(message)) {
            Some(Ok(())) => Ok(()),
            _ => Err(BusError(format!("zone {} is gone", to.0))),
        }
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, BusError> {
        let from = self.from.get_mut().unwrap_or_else(PoisonError::into_inner);
        match from.recv_timeout(wait) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(BusError("all zones are gone".into())),
        }
    }
}
