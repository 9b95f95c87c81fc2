//! Snapshots: an object for the last term of each zone.

use super::{connect::NatsConnection, names, objects::ObjectBucket};
use crate::{
    ZoneId,
    keeper::{KeeperError, Term},
};

/// Attempts to read the last snapshot, which a new term may replace meanwhile. A guess.
const ATTEMPTS: u32 = 3;

/// Snapshots of a world.
pub(super) struct SnapshotBucket {
    objects: ObjectBucket,
}

impl SnapshotBucket {
    pub(super) const fn new(objects: ObjectBucket) -> Self {
        Self { objects }
    }

    /// Stores a snapshot, then drops those of earlier terms.
    ///
    /// A holder that lost its zone without knowing yet cannot overwrite the snapshot of a later
    /// term: its own is stored beside that.
    pub(super) fn put(
        &self,
        connection: &NatsConnection,
        zone: ZoneId,
        term: Term,
        snapshot: &[u8],
    ) -> Result<(), KeeperError> {
        let name = names::snapshot(zone, term);
        self.objects.put(connection, &name, snapshot)?;
        for before in self.terms(connection, zone)? {
            if before < term {
                self.objects
                    .delete(connection, &names::snapshot(zone, before))?;
            }
        }
        Ok(())
    }

    /// Returns the snapshot of the highest term.
    pub(super) fn last(
        &self,
        connection: &NatsConnection,
        zone: ZoneId,
    ) -> Result<Option<Vec<u8>>, KeeperError> {
        for _ in 0..ATTEMPTS {
            let Some(term) = self.terms(connection, zone)?.into_iter().max() else {
                return Ok(None);
            };
            let snapshot = self.objects.get(connection, &names::snapshot(zone, term))?;
            if snapshot.is_some() {
                return Ok(snapshot);
            }
        }
        let why = format!("the snapshot of zone {} keeps being replaced", zone.0);
        Err(KeeperError::Unreachable(why))
    }

    fn terms(&self, connection: &NatsConnection, zone: ZoneId) -> Result<Vec<Term>, KeeperError> {
        let names = self.objects.names(connection)?;
        let of_zones = names
            .iter()
            .filter_map(|name| names::zone_of_snapshot(name));
        let of_zone = of_zones.filter(|(its, _)| *its == zone);
        Ok(of_zone.map(|(_, term)| term).collect())
    }
}
