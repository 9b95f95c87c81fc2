//! Named bytes: an object for each name.

use super::{connect::NatsConnection, objects::ObjectBucket};
use crate::keeper::KeeperError;

/// Named bytes of a world.
pub(super) struct NamedBucket {
    objects: ObjectBucket,
}

impl NamedBucket {
    pub(super) const fn new(objects: ObjectBucket) -> Self {
        Self { objects }
    }

    /// Stores bytes under a name, unless the name is in use.
    pub(super) fn put(
        &self,
        connection: &NatsConnection,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), KeeperError> {
        if self.objects.has(connection, name)? {
            return Ok(());
        }
        self.objects.put(connection, name, bytes)
    }

    pub(super) fn get(
        &self,
        connection: &NatsConnection,
        name: &str,
    ) -> Result<Option<Vec<u8>>, KeeperError> {
        self.objects.get(connection, name)
    }
}
