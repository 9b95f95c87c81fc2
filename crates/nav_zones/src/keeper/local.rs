//! Keeper within a process, for tests and for worlds whose zones are threads of one process.

use super::{
    EntriesOf, Entry, Holder, Keeper, KeeperError, Lease, Places, Sequence, StoredEvent, Term,
};
use crate::ZoneId;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Store shared by the [`LocalKeeper`]s of a process. Clones are the same store.
///
/// Its clock advances only by [`Self::pass`], which is what lets leases run out.
#[derive(Clone, Debug, Default)]
pub struct LocalStore(Arc<Mutex<Stored>>);

/// Copy of a [`LocalStore`], as a backup is one.
#[derive(Clone, Debug, Default)]
pub struct LocalCopy(Stored);

#[derive(Clone, Debug, Default)]
struct Stored {
    now: Duration,
    is_away: bool,
    /// Number of calls before the one whose answer is lost.
    loses_answer_after: Option<u32>,
    holders: BTreeMap<ZoneId, ZoneHeld>,
    entries: Vec<Entry>,
    /// Position of the last entry.
    last: Sequence,
    forgotten: BTreeMap<ZoneId, Places>,
    snapshots: BTreeMap<ZoneId, (Term, Vec<u8>)>,
    events: Vec<StoredEvent>,
    named: BTreeMap<String, Vec<u8>>,
    losses: u64,
    /// Number of changes of leases.
    revision: u64,
    /// Time at which it was replaced by a copy.
    replaced: Option<Duration>,
}

#[derive(Clone, Debug)]
struct ZoneHeld {
    holder: String,
    term: Term,
    /// End of the lease; `None` once it was released.
    until: Option<Duration>,
    /// Number of entries in its term, without the first one.
    written: u64,
    revision: u64,
}

impl LocalStore {
    /// Returns a copy of everything in the store.
    pub fn copy(&self) -> LocalCopy {
        LocalCopy(self.stored().clone())
    }

    /// Replaces the store by an earlier copy, or by an empty one: [`LocalCopy::default`]. The clock
    /// goes on.
    pub fn replace(&self, copy: LocalCopy) {
        let mut stored = self.stored();
        *stored = Stored {
            now: stored.now,
            is_away: stored.is_away,
            loses_answer_after: stored.loses_answer_after,
            replaced: Some(stored.now),
            ..copy.0
        };
    }

    /// Advances the clock.
    pub fn pass(&self, time: Duration) {
        self.stored().now += time;
    }

    /// Makes the store unreachable, or reachable again.
    pub fn set_away(&self, is_away: bool) {
        self.stored().is_away = is_away;
    }

    /// Loses the answer of a call, but not its effect: of the first call after `calls` others.
    pub fn lose_answer_after(&self, calls: u32) {
        self.stored().loses_answer_after = Some(calls);
    }

    /// Returns the number of entries in the ledger.
    pub fn entries(&self) -> usize {
        self.stored().entries.len()
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeper in a [`LocalStore`].
#[derive(Debug)]
pub struct LocalKeeper {
    store: LocalStore,
    lease: Duration,
}

impl LocalKeeper {
    /// Creates a keeper whose leases last for `lease`.
    pub const fn new(store: LocalStore, lease: Duration) -> Self {
        Self { store, lease }
    }

    /// Executes a call, unless the store is unreachable.
    fn call<T>(
        &self,
        done: impl FnOnce(&mut Stored, Duration) -> Result<T, KeeperError>,
    ) -> Result<T, KeeperError> {
        let mut stored = self.store.stored();
        if stored.is_away {
            return Err(KeeperError::Unreachable("it is away".into()));
        }
        let answer = done(&mut stored, self.lease);
        match stored.loses_answer_after {
            Some(0) => {
                stored.loses_answer_after = None;
                Err(KeeperError::Unreachable("the answer was lost".into()))
            }
            calls => {
                stored.loses_answer_after = calls.map(|calls| calls - 1);
                answer
            }
        }
    }

    fn check_size(&self, contents: &[u8]) -> Result<(), KeeperError> {
        let (bytes, max) = (contents.len(), self.entry_max());
        if bytes > max {
            return Err(KeeperError::TooLarge { bytes, max });
        }
        Ok(())
    }
}

impl Stored {
    /// Returns the record of a zone, if the lease is still its last one.
    fn held(&mut self, lease: &Lease) -> Result<&mut ZoneHeld, KeeperError> {
        let zone = lease.zone;
        match self.holders.get_mut(&zone) {
            Some(held) if self.last < lease.last || held.revision < lease.revision => {
                Err(KeeperError::StoreLost { zone })
            }
            Some(held) if held.term == lease.term => Ok(held),
            Some(_) => Err(KeeperError::Lost { zone }),
            None => Err(KeeperError::StoreLost { zone }),
        }
    }

    /// Begins a term of a zone.
    fn begin(&mut self, zone: ZoneId, holder: &str, term: Term, lease: Duration) -> Lease {
        self.revision += 1;
        let revision = self.revision;
        let held = ZoneHeld {
            holder: holder.to_owned(),
            term,
            until: Some(self.now + lease),
            written: 0,
            revision,
        };
        self.holders.insert(zone, held);
        let first = self.write(zone, zone, term, &[]);
        Lease {
            zone,
            holder: holder.to_owned(),
            term,
            first,
            last: first,
            written: 0,
            revision,
        }
    }

    fn write(&mut self, from: ZoneId, to: ZoneId, term: Term, contents: &[u8]) -> Sequence {
        let sequence = Sequence(self.last.0 + 1);
        self.last = sequence;
        self.entries.push(Entry {
            sequence,
            from,
            to,
            term,
            contents: contents.to_vec(),
        });
        sequence
    }
}

impl Keeper for LocalKeeper {
    fn take(&mut self, zone: ZoneId, holder: &str) -> Result<Lease, KeeperError> {
        self.call(|stored, lease| {
            // Holders may not have noticed yet: their leases count from here.
            if stored.replaced.is_some_and(|at| stored.now < at + lease) {
                let holder = "a holder unknown".to_owned();
                return Err(KeeperError::Held { zone, holder });
            }
            let before = stored.holders.get(&zone);
            if let Some(held) = before
                && held.until.is_some_and(|until| until > stored.now)
            {
                let holder = held.holder.clone();
                return Err(KeeperError::Held { zone, holder });
            }
            let next = before.map_or(Term(1), |held| held.term.next());
            let term = next.max(Term::after_losses(stored.losses));
            Ok(stored.begin(zone, holder, term, lease))
        })
    }

    fn renew(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        self.call(|stored, lasts| {
            let (until, revision) = (stored.now + lasts, stored.revision + 1);
            let held = stored.held(lease)?;
            (held.until, held.revision) = (Some(until), revision);
            (stored.revision, lease.revision) = (revision, revision);
            Ok(())
        })
    }

    fn release(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        self.call(|stored, _| {
            stored.held(lease)?.until = None;
            Ok(())
        })
    }

    fn holders(&mut self) -> Result<Vec<Holder>, KeeperError> {
        self.call(|stored, _| {
            let mut holders = Vec::new();
            for (&zone, held) in &stored.holders {
                holders.extend(held.until.map(|until| Holder {
                    zone,
                    holder: held.holder.clone(),
                    term: held.term,
                    renewal: until.as_millis() as u64,
                }));
            }
            Ok(holders)
        })
    }

    fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError> {
        self.check_size(contents)?;
        let (zone, term, written) = (lease.zone, lease.term, lease.written);
        let sequence = self.call(|stored, _| {
            let held = stored.held(lease)?;
            if held.written > written {
                // The answer was lost: the entry is the last one from the zone.
                let mut entries = stored.entries.iter().rev();
                let last = entries.find(|entry| entry.from == zone);
                return Ok(last.map(|entry| entry.sequence).unwrap_or_default());
            }
            held.written += 1;
            Ok(stored.write(zone, to, term, contents))
        })?;
        (lease.written, lease.last) = (written + 1, sequence);
        Ok(sequence)
    }

    fn entry_max(&self) -> usize {
        1 << 20
    }

    fn entries(
        &mut self,
        of: EntriesOf,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        self.call(|stored, _| {
            let first = (stored.entries).partition_point(|entry| entry.sequence <= after);
            let wanted = stored.entries[first..].iter().filter(|entry| match of {
                EntriesOf::All => true,
                EntriesOf::To(zone) => entry.to == zone && entry.from != zone,
                EntriesOf::From(zone) => entry.from == zone,
            });
            Ok(wanted.take(limit).cloned().collect())
        })
    }

    fn forget(&mut self, lease: &Lease, places: Places) -> Result<(), KeeperError> {
        self.call(|stored, _| {
            stored.held(lease)?;
            let known = stored.forgotten.entry(lease.zone).or_default();
            known.read = known.read.max(places.read);
            known.written = known.written.max(places.written);
            let Stored {
                entries, forgotten, ..
            } = stored;
            entries.retain(|entry| {
                let [of_from, of_to] = [entry.from, entry.to]
                    .map(|zone| forgotten.get(&zone).copied().unwrap_or_default());
                let is_read = entry.from == entry.to || entry.sequence <= of_to.read;
                !is_read || entry.sequence > of_from.written
            });
            Ok(())
        })
    }

    fn forgotten(&mut self, zone: ZoneId) -> Result<Places, KeeperError> {
        self.call(|stored, _| Ok(stored.forgotten.get(&zone).copied().unwrap_or_default()))
    }

    fn put_snapshot(&mut self, lease: &mut Lease, snapshot: &[u8]) -> Result<(), KeeperError> {
        self.call(|stored, _| {
            stored.held(lease)?;
            let kept = (lease.term, snapshot.to_vec());
            stored.snapshots.insert(lease.zone, kept);
            Ok(())
        })
    }

    fn snapshot(&mut self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError> {
        self.call(|stored, _| {
            let kept = stored.snapshots.get(&zone);
            Ok(kept.map(|(_, snapshot)| snapshot.clone()))
        })
    }

    fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError> {
        self.check_size(event)?;
        self.call(|stored, _| {
            let sequence = Sequence(stored.events.len() as u64 + 1);
            let bytes = event.to_vec();
            stored.events.push(StoredEvent { sequence, bytes });
            Ok(sequence)
        })
    }

    fn events(&mut self, after: Sequence, limit: usize) -> Result<Vec<StoredEvent>, KeeperError> {
        self.call(|stored, _| {
            let later = stored.events.iter().skip(after.0 as usize);
            Ok(later.take(limit).cloned().collect())
        })
    }

    fn losses(&mut self) -> Result<u64, KeeperError> {
        self.call(|stored, _| Ok(stored.losses))
    }

    fn retake(&mut self, lease: &mut Lease, losses: u64) -> Result<u64, KeeperError> {
        self.call(|stored, lasts| {
            stored.losses = stored.losses.max(losses);
            let found = stored.holders.get(&lease.zone);
            let last = found.map_or(lease.term, |held| held.term.max(lease.term));
            let term = last.next().max(Term::after_losses(stored.losses));
            *lease = stored.begin(lease.zone, &lease.holder, term, lasts);
            Ok(stored.losses)
        })
    }

    fn announce_again(&mut self, event: &StoredEvent) -> Result<(), KeeperError> {
        self.call(|stored, _| {
            if stored.events.len() as u64 + 1 == event.sequence.0 {
                stored.events.push(event.clone());
            }
            Ok(())
        })
    }

    fn put_named(&mut self, name: &str, bytes: &[u8]) -> Result<(), KeeperError> {
        self.call(|stored, _| {
            let named = stored.named.entry(name.to_owned());
            named.or_insert_with(|| bytes.to_vec());
            Ok(())
        })
    }

    fn named(&mut self, name: &str) -> Result<Option<Vec<u8>>, KeeperError> {
        self.call(|stored, _| Ok(stored.named.get(name).cloned()))
    }
}
