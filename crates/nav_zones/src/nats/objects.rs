//! A bucket of objects: bytes of any size by a name.

use super::connect::{NatsConnection, unreachable};
use crate::keeper::KeeperError;
use async_nats::jetstream::object_store::{
    DeleteErrorKind, GetErrorKind, InfoErrorKind, ObjectMetadata, ObjectStore,
};
use futures_util::{StreamExt, TryStreamExt};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// How many bytes go to the broker in one message, at most. It acknowledges each: few round trips, and no message near
/// the size at which the broker refuses it.
const CHUNK: usize = 512 << 10;

/// How often an object is looked for that was replaced while it was read.
const ATTEMPTS: u32 = 3;

/// A bucket of objects.
pub(super) struct ObjectBucket {
    store: ObjectStore,
}

impl ObjectBucket {
    pub(super) const fn new(store: ObjectStore) -> Self {
        Self { store }
    }

    /// Keeps bytes by a name, in place of those before.
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

    /// The bytes by a name.
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
            // The broker compares the digest of all that it sends with that of what it was sent.
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

    /// The names of all objects.
    pub(super) fn names(&self, connection: &NatsConnection) -> Result<Vec<String>, KeeperError> {
        connection.ask(async {
            let objects = self.store.list().await.map_err(unreachable)?;
            let names = objects.map(|object| object.map(|object| object.name));
            names.try_collect().await.map_err(unreachable)
        })
    }

    /// Drops an object, if it is there.
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

/// How long the broker is waited for with so many bytes.
fn wait_for(connection: &NatsConnection, bytes: usize) -> Duration {
    connection.timeout() + Duration::from_secs((bytes >> 20) as u64)
}
