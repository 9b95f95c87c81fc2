//! Snapshots: an object for the last term of each zone, and a mark that names the term.

use super::{
    connect::NatsConnection,
    leases::{mark, raise},
    names,
    objects::ObjectBucket,
};
use crate::{
    ZoneId,
    keeper::{KeeperError, Term},
};
use async_nats::jetstream::kv::Store;

/// Attempts to read the last snapshot. Each fails only if another holder took the zone and stored
/// its first snapshot meanwhile.
const ATTEMPTS: u32 = 3;

/// Snapshots of a world.
///
/// The terms are marks, since a list of all objects would take a consumer for each snapshot.
pub(super) struct SnapshotBucket {
    connection: NatsConnection,
    objects: ObjectBucket,
    /// Bucket of the marks.
    store: Store,
}

impl SnapshotBucket {
    pub(super) fn new(connection: &NatsConnection, objects: ObjectBucket, store: Store) -> Self {
        Self {
            connection: connection.clone(),
            objects,
            store,
        }
    }

    /// Stores a snapshot, then drops that of the term before.
    ///
    /// A holder that lost its zone without knowing yet cannot overwrite the snapshot of a later
    /// term: its own is stored beside that, and dropped.
    pub(super) fn put(&self, zone: ZoneId, term: Term, snapshot: &[u8]) -> Result<(), KeeperError> {
        let name = names::snapshot(zone, term);
        self.objects.put(&name, snapshot)?;
        let key = names::snapshot_mark(zone);
        let before = self.connection.ask(raise(&self.store, &key, term.0))?;
        if before == 0 || before == term.0 {
            return Ok(());
        }
        let older = Term(before.min(term.0));
        self.objects.delete(&names::snapshot(zone, older))
    }

    /// Returns the snapshot of the highest term.
    pub(super) fn last(&self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError> {
        let key = names::snapshot_mark(zone);
        for _ in 0..ATTEMPTS {
            let (_, term) = self.connection.ask(mark(&self.store, &key))?;
            if term == 0 {
                return Ok(None);
            }
            let name = names::snapshot(zone, Term(term));
            let snapshot = self.objects.get(&name)?;
            if snapshot.is_some() {
                return Ok(snapshot);
            }
        }
        // Damaged. The ledger has everything, unless it was cut.
        Ok(None)
    }
}
