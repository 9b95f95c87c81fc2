//! Bucket of objects: bytes of any size under a name.

use super::connect::{NatsConnection, unreachable};
use crate::keeper::KeeperError;
use async_nats::jetstream::object_store::{
    DeleteErrorKind, GetErrorKind, InfoErrorKind, ObjectMetadata, ObjectStore,
};
use futures_util::{StreamExt, TryStreamExt};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Largest chunk of an object in bytes. The broker acknowledges each chunk.
///
/// A guess: large enough for few round trips, and half of the broker's default limit of 1 MiB.
const CHUNK: usize = 512 << 10;

/// Attempts to read an object that is replaced meanwhile. A guess.
const ATTEMPTS: u32 = 3;

/// Bucket of objects.
pub(super) struct ObjectBucket {
    store: ObjectStore,
}

impl ObjectBucket {
    pub(super) const fn new(store: ObjectStore) -> Self {
        Self { store }
    }

    /// Stores bytes under a name, in place of earlier ones.
    pub(super) fn put(
        &self,
        connection: &NatsConnection,
        name: &str,
        mut bytes: &[u8],
    ) -> Result<(), KeeperError> {
        let data = ObjectMetadata {
            name: name.to_owned(),
            chunk_size: Some(CHUNK.min(connection.payload_max())),
            ..ObjectMetadata::default()
        };
        let wait = wait_for(connection, bytes.len());
        connection.ask_for(wait, async {
            let put = self.store.put(data, &mut bytes).await;
            put.map(|_| ()).map_err(unreachable)
        })
    }

    pub(super) fn has(&self, connection: &NatsConnection, name: &str) -> Result<bool, KeeperError> {
        connection.ask(async { Ok(self.size(name).await?.is_some()) })
    }

    /// Returns the bytes under a name.
    pub(super) fn get(
        &self,
        connection: &NatsConnection,
        name: &str,
    ) -> Result<Option<Vec<u8>>, KeeperError> {
        let mut attempt = 1;
        loop {
            let Some(size) = connection.ask(self.size(name))? else {
                return Ok(None);
            };
            // The client compares the digest of the bytes it reads with that of the bytes written.
            let read = connection.ask_for(wait_for(connection, size), async {
                let mut object = match self.store.get(name).await {
                    Ok(object) => object,
                    Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
                    Err(error) => return Err(unreachable(error)),
                };
                let mut bytes = Vec::new();
                object.read_to_end(&mut bytes).await.map_err(unreachable)?;
                Ok(Some(bytes))
            });
            if read.is_ok() || attempt == ATTEMPTS {
                return read;
            }
            attempt += 1;
        }
    }

    /// Returns the names of all objects.
    pub(super) fn names(&self, connection: &NatsConnection) -> Result<Vec<String>, KeeperError> {
        connection.ask(async {
            let objects = self.store.list().await.map_err(unreachable)?;
            let names = objects.map(|object| object.map(|object| object.name));
            names.try_collect().await.map_err(unreachable)
        })
    }

    /// Deletes an object, if it exists.
    pub(super) fn delete(
        &self,
        connection: &NatsConnection,
        name: &str,
    ) -> Result<(), KeeperError> {
        connection.ask(async {
            match self.store.delete(name).await {
                Err(error) if error.kind() != DeleteErrorKind::NotFound => Err(unreachable(error)),
                _ => Ok(()),
            }
        })
    }

    async fn size(&self, name: &str) -> Result<Option<usize>, KeeperError> {
        match self.store.info(name).await {
            Ok(info) => Ok((!info.deleted).then_some(info.size)),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreachable(error)),
        }
    }
}

/// Returns how long to wait for the broker with this many bytes: a second more for each MiB.
fn wait_for(connection: &NatsConnection, bytes: usize) -> Duration {
    connection.timeout() + Duration::from_secs((bytes >> 20) as u64)
}
