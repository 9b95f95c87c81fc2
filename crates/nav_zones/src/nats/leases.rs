//! Leases: a bucket with one key for each zone, changed only with the revision of its last value.

use super::{
    connect::{NatsConnection, now, unreachable},
    names,
};
use crate::{
    ZoneId,
    keeper::{Holder, KeeperError, Lease, Term},
    seal::{Format, Versioned},
};
use async_nats::jetstream::kv::{Store, UpdateErrorKind};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Keys that are read concurrently: a world of 16 zones takes one round trip.
const AT_ONCE: usize = 16;

/// Value of a zone's key.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Held {
    holder: String,
    /// Unique name of the keeper that took the zone.
    keeper: String,
    term: Term,
    is_released: bool,
}

impl Versioned for Held {
    const FORMAT: Format = Format::STATE;
}

/// Leases of a world, and the times since which those of others were not renewed.
///
/// A holder counts as gone if its key did not change for the length of a lease. The time is
/// measured by the clock of this process, because the clocks of machines differ. It counts only
/// while the broker answers, because nothing can be renewed otherwise.
pub(super) struct LeaseBucket {
    connection: NatsConnection,
    store: Store,
    /// Name of this keeper.
    keeper: String,
    watched: BTreeMap<ZoneId, Watched>,
    /// Terms of attempts to take a zone that got no answer or did not complete. This keeper may
    /// hold them.
    unsure: BTreeMap<ZoneId, Term>,
}

/// Key that another keeper holds.
#[derive(Clone, Copy)]
struct Watched {
    revision: Option<u64>,
    since: Instant,
    /// Number of interruptions when the revision was first seen.
    interruptions: u64,
}

/// Availability of a key.
pub(super) enum Found {
    /// Free to take.
    Free(Free),
    /// Held by the holder with this name.
    Held(String),
}

/// Revision over which a zone can be taken, with this term or a higher one.
#[derive(Clone, Copy)]
pub(super) struct Free {
    pub(super) revision: u64,
    pub(super) term: Term,
}

impl LeaseBucket {
    pub(super) fn new(connection: &NatsConnection, store: Store) -> Self {
        Self {
            connection: connection.clone(),
            store,
            keeper: connection.unique_name(),
            watched: BTreeMap::new(),
            unsure: BTreeMap::new(),
        }
    }

    /// Returns whether a zone can be taken. If not, begins to watch its key. `losses` is how often
    /// the store was lost.
    pub(super) fn look(&mut self, zone: ZoneId, losses: u64) -> Result<Found, KeeperError> {
        let lease = self.connection.lease();
        // The store was lost, and the zone may have a process that writes it again. A call of that
        // may wait for an answer when the broker is back, and so may the one after it.
        let rewriting = lease + 2 * self.connection.timeout();
        let Some((revision, held)) = self.connection.ask(get(&self.store, zone))? else {
            if losses > 0 && !self.is_over(zone, None, rewriting) {
                return Ok(Found::Held("a holder unknown".to_owned()));
            }
            let (revision, term) = (0, Term(1));
            return Ok(Found::Free(Free { revision, term }));
        };
        let Some(held) = held else {
            // Its holder writes it again within the length of a lease, if there is one. The ledger
            // has the term.
            if !self.is_over(zone, None, lease) {
                return Ok(Found::Held("a holder unknown".to_owned()));
            }
            let term = Term(1);
            return Ok(Found::Free(Free { revision, term }));
        };
        let is_own = held.keeper == self.keeper && self.unsure.get(&zone) == Some(&held.term);
        let is_from_before = held.term < Term::after_losses(losses);
        let wait = if is_from_before { rewriting } else { lease };
        let is_free = is_own || (held.is_released && !is_from_before);
        if is_free || self.is_over(zone, Some(revision), wait) {
            let term = held.term.next();
            return Ok(Found::Free(Free { revision, term }));
        }
        Ok(Found::Held(held.holder))
    }

    /// Returns whether a key was not renewed for a time.
    ///
    /// `revision` is that of a lease; `None` for another value, which renews nothing.
    fn is_over(&mut self, zone: ZoneId, revision: Option<u64>, wait: Duration) -> bool {
        let interruptions = self.connection.interruptions();
        let first = Watched {
            revision,
            since: now(),
            interruptions,
        };
        let watched = self.watched.entry(zone).or_insert(first);
        let is_renewed = revision.is_some() && revision != watched.revision;
        if is_renewed || watched.interruptions != interruptions {
            *watched = first;
        }
        watched.since.elapsed() >= wait
    }

    /// Takes a zone over the revision that was found. Returns the new revision, or `None` if
    /// another keeper was faster.
    pub(super) fn take(
        &mut self,
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
        self.connection
            .ask(replace(&self.store, zone, &held, revision))
    }

    /// Records that taking a zone completed. From now on, the lease that it returned counts.
    pub(super) fn is_taken(&mut self, zone: ZoneId) {
        self.unsure.remove(&zone);
    }

    /// Writes a lease again, unless another keeper took the zone.
    pub(super) fn write(
        &mut self,
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
        self.connection.ask(async {
            loop {
                let written = replace(&self.store, zone, &held, lease.revision).await?;
                if let Some(revision) = written {
                    lease.revision = revision;
                    return Ok(());
                }
                // It may be an own write whose answer was lost.
                match get(&self.store, zone).await? {
                    // Revisions only rise.
                    None => return Err(KeeperError::StoreLost { zone }),
                    Some((revision, _)) if revision < lease.revision => {
                        return Err(KeeperError::StoreLost { zone });
                    }
                    Some((_, Some(now))) if now.term != lease.term => return Err(lost),
                    Some((_, Some(now))) if now.is_released && is_released => return Ok(()),
                    Some((_, Some(now))) if now.is_released => return Err(lost),
                    // A later holder has begun a term in the ledger. So it is safe to replace a
                    // value that is no lease.
                    Some((revision, _)) => lease.revision = revision,
                }
            }
        })
    }

    /// Returns the revision of a zone's key and the term of its lease; zeros for none.
    pub(super) fn found(&self, zone: ZoneId) -> Result<Free, KeeperError> {
        let found = self.connection.ask(get(&self.store, zone))?;
        let (revision, held) = found.unwrap_or_default();
        let term = held.map_or(Term(0), |held| held.term);
        Ok(Free { revision, term })
    }

    /// Returns how often the store was lost.
    pub(super) fn losses(&self) -> Result<u64, KeeperError> {
        Ok(self.connection.ask(mark(&self.store, names::LOSSES))?.1)
    }

    /// Raises this number. Returns the number that counts then.
    pub(super) fn raise_losses(&self, losses: u64) -> Result<u64, KeeperError> {
        let before = self
            .connection
            .ask(raise(&self.store, names::LOSSES, losses))?;
        Ok(before.max(losses))
    }

    /// Fails if another keeper took the zone.
    pub(super) fn check(&self, lease: &Lease) -> Result<(), KeeperError> {
        if self.connection.ask(is_held(&self.store, lease))? {
            return Ok(());
        }
        Err(KeeperError::Lost { zone: lease.zone })
    }

    /// Returns the bytes of a record with its revision.
    pub(super) fn record(&self, key: &str) -> Result<Option<(u64, Vec<u8>)>, KeeperError> {
        let asked = async { self.store.entry(key).await.map_err(unreachable) };
        let entry = self.connection.ask(asked)?;
        Ok(entry.map(|entry| (entry.revision, entry.value.into())))
    }

    /// Replaces a revision of a record, 0 for none. Returns whether it was the last one.
    pub(super) fn replace_record(
        &self,
        key: &str,
        revision: u64,
        bytes: &[u8],
    ) -> Result<bool, KeeperError> {
        let bytes = Bytes::copy_from_slice(bytes);
        let written = self
            .connection
            .ask(update(&self.store, key, bytes, revision))?;
        Ok(written.is_some())
    }

    /// Returns all zones that were ever taken.
    async fn zones(store: &Store) -> Result<Vec<ZoneId>, KeeperError> {
        // The list of keys would leave out a key that is renewed while it is read.
        let pattern = format!("{}>", store.prefix);
        let listed = store.stream.info_with_subjects(pattern).await;
        let mut subjects = listed.map_err(unreachable)?;
        let mut zones: Vec<ZoneId> = Vec::new();
        while let Some((subject, _)) = subjects.try_next().await.map_err(unreachable)? {
            let key = subject.strip_prefix(&store.prefix);
            zones.extend(key.and_then(names::zone_of_lease));
        }
        zones.sort_unstable();
        Ok(zones)
    }

    pub(super) fn holders(&self) -> Result<Vec<Holder>, KeeperError> {
        self.connection.ask(async {
            let zones = stream::iter(Self::zones(&self.store).await?);
            let holders = zones.map(|zone| self.holder(zone)).buffered(AT_ONCE);
            let all: Vec<Option<Holder>> = holders.try_collect().await?;
            Ok(all.into_iter().flatten().collect())
        })
    }

    async fn holder(&self, zone: ZoneId) -> Result<Option<Holder>, KeeperError> {
        Ok(match get(&self.store, zone).await? {
            Some((renewal, Some(held))) if !held.is_released => Some(Holder {
                zone,
                holder: held.holder,
                term: held.term,
                renewal,
            }),
            _ => None,
        })
    }
}

/// Returns whether no other keeper took the zone of a lease.
///
/// # Errors
///
/// [`KeeperError::StoreLost`] if the lease is missing or older than acknowledged, which is no sign
/// of another holder.
pub(super) async fn is_held(store: &Store, lease: &Lease) -> Result<bool, KeeperError> {
    match get(store, lease.zone).await? {
        Some((revision, held)) if revision >= lease.revision => {
            // A value that is no lease says nothing: the next renewal replaces it.
            Ok(held.is_none_or(|held| held.term == lease.term))
        }
        _ => Err(KeeperError::StoreLost { zone: lease.zone }),
    }
}

/// Returns the revision of a zone's key and its value, unless that is no lease.
async fn get(store: &Store, zone: ZoneId) -> Result<Option<(u64, Option<Held>)>, KeeperError> {
    let entry = store.entry(names::lease(zone)).await.map_err(unreachable)?;
    Ok(entry.map(|entry| (entry.revision, Held::from_bytes(&entry.value).ok())))
}

/// Replaces a revision, 0 for none. Returns the new revision, or `None` if the key has another one.
async fn replace(
    store: &Store,
    zone: ZoneId,
    held: &Held,
    revision: u64,
) -> Result<Option<u64>, KeeperError> {
    let value = held.to_bytes().map_err(unreachable)?;
    update(store, &names::lease(zone), value.into(), revision).await
}

/// Replaces a revision of a key, 0 for none. Returns the new revision, or `None` if the key has
/// another one.
async fn update(
    store: &Store,
    key: &str,
    value: Bytes,
    revision: u64,
) -> Result<Option<u64>, KeeperError> {
    match store.update(key, value, revision).await {
        Ok(revision) => Ok(Some(revision)),
        Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(None),
        Err(error) => Err(unreachable(error)),
    }
}

/// Key of the bucket with a number that only rises.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Mark(u64);

impl Versioned for Mark {
    const FORMAT: Format = Format::STATE;
}

/// Returns a mark with the revision of its key; 0 if there is none.
///
/// A value that is no mark counts as 0: the next [`raise`] replaces it.
pub(super) async fn mark(store: &Store, key: &str) -> Result<(u64, u64), KeeperError> {
    let Some(entry) = store.entry(key).await.map_err(unreachable)? else {
        return Ok((0, 0));
    };
    let number = Mark::from_bytes(&entry.value).map_or(0, |mark| mark.0);
    Ok((entry.revision, number))
}

/// Raises a mark. Returns the number before, which may be higher already.
pub(super) async fn raise(store: &Store, key: &str, to: u64) -> Result<u64, KeeperError> {
    loop {
        let (revision, before) = mark(store, key).await?;
        if before >= to {
            return Ok(before);
        }
        let value = Mark(to).to_bytes().map_err(unreachable)?;
        // If another process raised it, there is progress.
        if update(store, key, value.into(), revision).await?.is_some() {
            return Ok(before);
        }
    }
}
