//! Bucket of objects: bytes of any size under a name.

use super::connect::{NatsConnection, unreachable};
use crate::keeper::KeeperError;
use async_nats::jetstream::{
    object_store::{DeleteErrorKind, InfoErrorKind, ObjectInfo, ObjectMetadata, ObjectStore},
    stream::{RawMessageErrorKind, Stream},
};
use std::time::Duration;

/// Largest chunk of an object in bytes. The broker acknowledges each chunk.
///
/// Half of the broker's default limit of 1 MiB: a snapshot of 100,000 agents takes some 60 round
/// trips.
const CHUNK: usize = 512 << 10;

/// Attempts to read an object. Each fails only if the object was replaced meanwhile, which a zone
/// does every few seconds.
const ATTEMPTS: u32 = 3;

/// Bucket of objects.
///
/// Objects are read message by message: the client's reader leaves a consumer at the broker for
/// half a minute, and brokers limit their number.
pub(super) struct ObjectBucket {
    connection: NatsConnection,
    store: ObjectStore,
    stream: Stream,
}

impl ObjectBucket {
    /// Creates a bucket of a store and the stream of its messages.
    pub(super) fn new(connection: &NatsConnection, store: ObjectStore, stream: Stream) -> Self {
        Self {
            connection: connection.clone(),
            store,
            stream,
        }
    }

    /// Stores bytes under a name, in place of earlier ones.
    pub(super) fn put(&self, name: &str, mut bytes: &[u8]) -> Result<(), KeeperError> {
        let data = ObjectMetadata {
            name: name.to_owned(),
            chunk_size: Some(CHUNK.min(self.connection.payload_max())),
            ..ObjectMetadata::default()
        };
        let wait = self.wait_for(bytes.len());
        self.connection.ask_for(wait, async {
            let put = self.store.put(data, &mut bytes).await;
            put.map(|_| ()).map_err(unreachable)
        })
    }

    /// Stores bytes under a name, unless the name is in use.
    pub(super) fn put_once(&self, name: &str, bytes: &[u8]) -> Result<(), KeeperError> {
        if self.connection.ask(self.info(name))?.is_some() {
            return Ok(());
        }
        self.put(name, bytes)
    }

    /// Returns the bytes under a name. Damaged objects count as none.
    pub(super) fn get(&self, name: &str) -> Result<Option<Vec<u8>>, KeeperError> {
        for _ in 0..ATTEMPTS {
            let Some(info) = self.connection.ask(self.info(name))? else {
                return Ok(None);
            };
            let wait = self.wait_for(info.size);
            if let Some(bytes) = self.connection.ask_for(wait, self.chunks(&info))? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Returns the bytes of an object, unless some are missing.
    async fn chunks(&self, info: &ObjectInfo) -> Result<Option<Vec<u8>>, KeeperError> {
        let subject = format!("$O.{}.C.{}", info.bucket, info.nuid);
        let mut bytes = Vec::new();
        let mut next = 1;
        for _ in 0..info.chunks {
            let asked = self.stream.get_first_raw_message_by_subject(&subject, next);
            let chunk = match asked.await {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => break,
                Err(error) => return Err(unreachable(error)),
            };
            next = chunk.sequence + 1;
            bytes.extend_from_slice(&chunk.payload);
        }
        Ok((bytes.len() == info.size).then_some(bytes))
    }

    /// Deletes an object, if it exists.
    pub(super) fn delete(&self, name: &str) -> Result<(), KeeperError> {
        self.connection.ask(async {
            match self.store.delete(name).await {
                Err(error) if error.kind() != DeleteErrorKind::NotFound => Err(unreachable(error)),
                _ => Ok(()),
            }
        })
    }

    async fn info(&self, name: &str) -> Result<Option<ObjectInfo>, KeeperError> {
        match self.store.info(name).await {
            Ok(info) => Ok((!info.deleted).then_some(info)),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(None),
            // The client has no kind of its own for an answer that is no description of an object.
            Err(error) if error.to_string().contains(UNDECODABLE) => Ok(None),
            Err(error) => Err(unreachable(error)),
        }
    }

    /// Returns how long to wait for the broker with this many bytes: a second more for each MiB.
    fn wait_for(&self, bytes: usize) -> Duration {
        self.connection.timeout() + Duration::from_secs((bytes >> 20) as u64)
    }
}

/// Words of the client about a message that is no description of an object.
const UNDECODABLE: &str = "failed to decode";
