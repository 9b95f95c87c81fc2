//! Events: a stream that all zones read.

use super::{
    connect::{NatsConnection, unreachable},
    reader::Reader,
};
use crate::keeper::{KeeperError, Sequence};
use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SEQUENCE,
    jetstream::{context::PublishErrorKind, stream::Stream},
};
use bytes::Bytes;

/// Events of a world.
pub(super) struct EventStream {
    reader: Reader,
}

impl EventStream {
    pub(super) fn new(stream: &Stream, subject: String) -> Self {
        let reader = Reader::new(stream, subject);
        Self { reader }
    }

    pub(super) fn announce(
        &mut self,
        connection: &NatsConnection,
        event: &[u8],
    ) -> Result<Sequence, KeeperError> {
        let (bytes, max) = (event.len(), connection.payload_max());
        if bytes > max {
            return Err(KeeperError::TooLarge { bytes, max });
        }
        let subject = connection.names().events();
        let event = Bytes::copy_from_slice(event);
        let ack = connection.ask(async {
            let sent = connection.context().publish(subject, event).await;
            sent.map_err(unreachable)?.await.map_err(unreachable)
        })?;
        let sequence = Sequence(ack.sequence);
        self.reader.wait_for(sequence);
        Ok(sequence)
    }

    /// Writes an event at its position, unless there is one.
    pub(super) fn announce_again(
        connection: &NatsConnection,
        place: Sequence,
        event: &[u8],
    ) -> Result<(), KeeperError> {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_LAST_SEQUENCE, (place.0 - 1).to_string());
        let (subject, event) = (connection.names().events(), Bytes::copy_from_slice(event));
        connection.ask(async {
            let context = connection.context();
            let sent = context.publish_with_headers(subject, headers, event).await;
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
        connection: &NatsConnection,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<(Sequence, Vec<u8>)>, KeeperError> {
        self.reader.read(connection, after, limit, |read| {
            Some((read.sequence, read.payload.to_vec()))
        })
    }
}
