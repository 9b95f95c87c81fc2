//! Events: a stream that all zones read.

use super::{
    connect::{NatsConnection, unreachable},
    reader::Reader,
};
use crate::keeper::{KeeperError, Sequence, StoredEvent};
use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SEQUENCE,
    jetstream::{context::PublishErrorKind, stream::Stream},
};
use bytes::Bytes;

/// Events of a world.
pub(super) struct EventStream {
    connection: NatsConnection,
    reader: Reader,
}

impl EventStream {
    pub(super) fn new(connection: &NatsConnection, stream: &Stream) -> Self {
        Self {
            reader: Reader::new(connection, stream, connection.names().events()),
            connection: connection.clone(),
        }
    }

    pub(super) fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError> {
        let (bytes, max) = (event.len(), self.connection.payload_max());
        if bytes > max {
            return Err(KeeperError::TooLarge { bytes, max });
        }
        let subject = self.connection.names().events();
        let event = Bytes::copy_from_slice(event);
        let ack = self.connection.ask(async {
            let sent = self.connection.context().publish(subject, event).await;
            sent.map_err(unreachable)?.await.map_err(unreachable)
        })?;
        let sequence = Sequence(ack.sequence);
        self.reader.wait_for(sequence);
        Ok(sequence)
    }

    /// Writes an event at its position, unless there is one.
    pub(super) fn announce_again(&self, event: &StoredEvent) -> Result<(), KeeperError> {
        let mut headers = HeaderMap::new();
        let before = event.sequence.0 - 1;
        headers.insert(NATS_EXPECTED_LAST_SEQUENCE, before.to_string());
        let subject = self.connection.names().events();
        let bytes = Bytes::copy_from_slice(&event.bytes);
        self.connection.ask(async {
            let context = self.connection.context();
            let sent = context.publish_with_headers(subject, headers, bytes).await;
            match sent.map_err(unreachable)?.await {
                Err(error) if error.kind() != PublishErrorKind::WrongLastSequence => {
                    Err(unreachable(error))
                }
                _ => Ok(()),
            }
        })
    }

    pub(super) fn after(
        &mut self,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, KeeperError> {
        self.reader.read(after, limit, |read| {
            Some(StoredEvent {
                sequence: read.sequence,
                bytes: read.payload.to_vec(),
            })
        })
    }
}
