//! Leases: a bucket of keys with one for each zone, changed only by who knows its last version.

use super::{
    connect::{NatsConnection, now, unreachable},
    names,
};
use crate::{
    ZoneId,
    keeper::{Holder, KeeperError, Lease, Term},
};
use async_nats::jetstream::kv::{Store, UpdateErrorKind};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, time::Instant};

/// How many keys are asked for at once.
const AT_ONCE: usize = 16;

/// What stands for a zone.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Held {
    holder: String,
    /// The keeper that took it, by a name that no other has.
    keeper: String,
    term: Term,
    is_released: bool,
}

/// The leases of a world, and since when those of others were not renewed.
///
/// A holder counts as gone if its key has not changed for the time of a lease, by the clock of this process and while
/// the broker answered it: clocks of several machines differ, and while the broker is away nobody can renew.
pub(super) struct LeaseBucket {
    store: Store,
    /// The name of this keeper.
    keeper: String,
    watched: BTreeMap<ZoneId, Watched>,
    /// Terms whose taking got no answer, or did not come to its end: they may be held by this keeper.
    unsure: BTreeMap<ZoneId, Term>,
}

/// A key that somebody else holds.
#[derive(Clone, Copy)]
struct Watched {
    revision: u64,
    since: Instant,
    /// The interruptions when it was seen first.
    interruptions: u64,
}

/// Whether a key can be taken.
pub(super) enum Found {
    /// It can, over this version, by this term or a higher one.
    Free { revision: u64, term: Term },
    /// Somebody holds it.
    Held(String),
}

impl LeaseBucket {
    pub(super) fn new(store: Store, keeper: String) -> Self {
        Self {
            store,
            keeper,
            watched: BTreeMap::new(),
            unsure: BTreeMap::new(),
        }
    }

    /// Looks whether a zone can be taken; begins to watch it if not.
    pub(super) fn look(
        &mut self,
        connection: &NatsConnection,
        zone: ZoneId,
    ) -> Result<Found, KeeperError> {
        let Some((revision, held)) = connection.ask(get(&self.store, zone))? else {
            let (revision, term) = (0, Term(1));
            return Ok(Found::Free { revision, term });
        };
        let is_own = held.keeper == self.keeper && self.unsure.get(&zone) == Some(&held.term);
        if held.is_released || is_own || self.is_over(connection, zone, revision) {
            let term = Term(held.term.0 + 1);
            return Ok(Found::Free { revision, term });
        }
        Ok(Found::Held(held.holder))
    }

    /// Whether a key was not renewed for the time of a lease.
    fn is_over(&mut self, connection: &NatsConnection, zone: ZoneId, revision: u64) -> bool {
        let interruptions = connection.interruptions();
        let first = Watched {
            revision,
            since: now(),
            interruptions,
        };
        let watched = self.watched.entry(zone).or_insert(first);
        if (watched.revision, watched.interruptions) != (revision, interruptions) {
            *watched = first;
        }
        watched.since.elapsed() >= connection.lease()
    }

    /// Takes a zone over the version that was found, and returns the new one; `None` if another was faster.
    pub(super) fn take(
        &mut self,
        connection: &NatsConnection,
        zone: ZoneId,
        holder: &str,
        term: Term,
        revision: u64,
    ) -> Result<Option<u64>, KeeperError> {
        let held = Held {
            holder: holder.to_owned(),
            keeper: self.keeper.clone(),
            term,
            is_released: false,
        };
        self.unsure.insert(zone, term);
        self.watched.remove(&zone);
        connection.ask(replace(&self.store, zone, &held, revision))
    }

    /// Says that taking a zone came to its end: the lease that it returned is what counts from now on.
    pub(super) fn is_taken(&mut self, zone: ZoneId) {
        self.unsure.remove(&zone);
    }

    /// Writes a lease anew, if nobody else took the zone.
    pub(super) fn write(
        &mut self,
        connection: &NatsConnection,
        lease: &mut Lease,
        is_released: bool,
    ) -> Result<(), KeeperError> {
        let held = Held {
            holder: lease.holder.clone(),
            keeper: self.keeper.clone(),
            term: lease.term,
            is_released,
        };
        let zone = lease.zone;
        let lost = KeeperError::Lost { zone };
        connection.ask(async {
            loop {
                let written = replace(&self.store, zone, &held, lease.revision).await?;
                if let Some(revision) = written {
                    lease.revision = revision;
                    return Ok(());
                }
                // It may be a write of its own whose answer did not come.
                match get(&self.store, zone).await? {
                    Some((_, now)) if now.term != lease.term => return Err(lost),
                    Some((_, now)) if now.is_released && is_released => return Ok(()),
                    Some((_, now)) if now.is_released => return Err(lost),
                    Some((revision, _)) => lease.revision = revision,
                    None => return Err(lost),
                }
            }
        })
    }

    /// Fails if another took the zone.
    pub(super) fn check(
        &self,
        connection: &NatsConnection,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        let held = connection.ask(get(&self.store, lease.zone))?;
        match held.filter(|(_, held)| held.term == lease.term) {
            Some(_) => Ok(()),
            None => Err(KeeperError::Lost { zone: lease.zone }),
        }
    }

    /// All zones that were ever taken.
    pub(super) async fn zones(store: &Store) -> Result<Vec<ZoneId>, KeeperError> {
        let keys = store.keys().await.map_err(unreachable)?;
        let keys: Vec<String> = keys.try_collect().await.map_err(unreachable)?;
        let mut zones: Vec<ZoneId> = keys
            .iter()
            .filter_map(|key| names::zone_of_lease(key))
            .collect();
        zones.sort_unstable();
        Ok(zones)
    }

    pub(super) fn holders(&self, connection: &NatsConnection) -> Result<Vec<Holder>, KeeperError> {
        let holder = async |zone| {
            let held = get(&self.store, zone).await?;
            let held = held.filter(|(_, held)| !held.is_released);
            Ok(held.map(|(_, held)| Holder {
                zone,
                holder: held.holder,
                term: held.term,
            }))
        };
        connection.ask(async {
            let zones = Self::zones(&self.store).await?;
            let holders = stream::iter(zones).map(holder).buffered(AT_ONCE);
            let holders: Vec<Option<Holder>> = holders.try_collect().await?;
            Ok(holders.into_iter().flatten().collect())
        })
    }
}

/// What stands for a zone, and its version.
async fn get(store: &Store, zone: ZoneId) -> Result<Option<(u64, Held)>, KeeperError> {
    let key = names::lease(zone);
    let Some(entry) = store.entry(key.clone()).await.map_err(unreachable)? else {
        return Ok(None);
    };
    let held = postcard::from_bytes(&entry.value);
    let held =
        held.map_err(|_| unreachable(format!("what it has by the key {key} is no lease")))?;
    Ok(Some((entry.revision, held)))
}

/// Puts something in place of a version, 0 for none, and returns the new one; `None` if there is another one.
async fn replace(
    store: &Store,
    zone: ZoneId,
    held: &Held,
    revision: u64,
) -> Result<Option<u64>, KeeperError> {
    let value = postcard::to_allocvec(held).map_err(unreachable)?;
    match store
        .update(names::lease(zone), value.into(), revision)
        .await
    {
        Ok(revision) => Ok(Some(revision)),
        Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(None),
        Err(error) => Err(unreachable(error)),
    }
}
