//! Keeper at a broker, made of leases, ledger, snapshots, events and named bytes.

use super::{
    connect::{NatsConnection, unreachable},
    events::EventStream,
    leases::{Found, Free, LeaseBucket},
    ledger::LedgerStream,
    objects::ObjectBucket,
    options::NatsError,
    snapshots::SnapshotBucket,
    streams::{Keeps, open},
};
use crate::{
    ZoneId,
    keeper::{
        EntriesOf, Entry, Holder, Keeper, KeeperError, Lease, Places, Sequence, StoredEvent, Term,
    },
};
use async_nats::jetstream::{
    kv, object_store,
    stream::{Config, DiscardPolicy, StorageType, Stream},
};
use std::time::Duration;

/// Number of events that are kept.
///
/// More than all edits of a day at ten a second. Only those since the oldest snapshot are needed.
const EVENTS_MAX: i64 = 1 << 20;

const EVENTS: Keeps = Keeps {
    messages: Some(EVENTS_MAX),
    of_subject: Some(EVENTS_MAX),
    ..Keeps::ALL
};

/// Entries are needed until snapshots contain them.
///
/// The age is the longest interval between snapshots that the program `zones` takes.
const LEDGER: Keeps = Keeps {
    age: Some(Duration::from_hours(1)),
    ..Keeps::ALL
};

/// Attempts to take a zone for which other keepers try at the same time. Each fails only because
/// another keeper succeeded, which then holds the zone: two are enough but for a zone that is
/// released at once.
const ATTEMPTS: u32 = 8;

/// [`Keeper`] at a broker with `JetStream`.
///
/// # Taking over
///
/// A held zone can be taken once its lease was not renewed for [its
/// length](super::NatsOptions::lease). The time counts from the first [`take`](Keeper::take) of
/// this keeper that found the zone held, so keep trying. The count starts again after the broker
/// was away, which gives a holder that could not renew meanwhile the time to do so.
///
/// # Reading
///
/// Entries and events arrive by themselves and gather here, so that a call that finds nothing new
/// costs no round trip. Writes of other processes appear some milliseconds later. This keeper's own
/// writes appear at once, and so do all writes of earlier holders when it takes a zone.
pub struct NatsKeeper {
    connection: NatsConnection,
    leases: LeaseBucket,
    ledger: LedgerStream,
    snapshots: SnapshotBucket,
    events: EventStream,
    named: ObjectBucket,
    /// Number of the connection on which the store was found to have what it acknowledged.
    checked: u64,
}

impl NatsKeeper {
    /// Opens the store of a world and creates the missing parts of it. Parts that exist are used
    /// with the settings that they have.
    ///
    /// # Errors
    ///
    /// [`NatsError::Lossy`] if a part has a setting by which it loses data; [`NatsError::Stream`]
    /// if it cannot be opened, for example because the broker runs without `JetStream`.
    pub fn new(connection: &NatsConnection) -> Result<Self, NatsError> {
        let names = connection.names();
        let store = keys(connection, names.lease_bucket())?;
        let (ledger, entries) = (names.ledger_stream(), names.entries(EntriesOf::All));
        let ledger = stream(connection, &ledger, entries, LEDGER)?;
        let events = stream(connection, &names.event_stream(), names.events(), EVENTS)?;
        Ok(Self {
            leases: LeaseBucket::new(connection, store.clone()),
            ledger: LedgerStream::new(connection, ledger, store.clone()),
            snapshots: SnapshotBucket::new(
                connection,
                objects(connection, names.snapshot_bucket())?,
                store,
            ),
            events: EventStream::new(connection, &events),
            named: objects(connection, names.named_bucket())?,
            checked: connection.connects(),
            connection: connection.clone(),
        })
    }

    /// Takes a zone over a revision of its key, and begins a term in the ledger: `term` or a higher
    /// term. Returns `None` if another keeper was faster.
    fn begin(
        &mut self,
        zone: ZoneId,
        holder: &str,
        free: Free,
    ) -> Result<Option<Lease>, KeeperError> {
        // Exceeds the terms in the ledger too, in case the keys were lost and the ledger was not.
        let last = self.ledger.last_term(zone)?;
        let term = last.map_or(free.term, |last| free.term.max(last.next()));
        let Some(revision) = self.leases.take(zone, holder, term, free.revision)? else {
            return Ok(None);
        };
        let first = match self.ledger.begin(zone, term) {
            Ok(first) => first,
            Err(KeeperError::Lost { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        self.leases.is_taken(zone);
        Ok(Some(Lease {
            zone,
            holder: holder.to_owned(),
            term,
            first,
            last: first,
            written: 0,
            revision,
        }))
    }

    /// Returns the error of a call, or that a part of the world is missing.
    ///
    /// A broker that was never away did not lose it: the world was deleted.
    fn unless_missing(&self, zone: ZoneId, error: KeeperError) -> KeeperError {
        if !error.is_temporary() || !self.connection.is_connected() {
            return error;
        }
        let was_away = self.connection.connects() != self.checked;
        match self.connection.missing() {
            Ok(Some(_)) if was_away => KeeperError::StoreLost { zone },
            Ok(Some(stream)) => KeeperError::Deleted(stream),
            _ => error,
        }
    }
}

/// Records of the program that runs the world, such as its plan: small, and replaced as a whole.
impl NatsKeeper {
    /// Returns the bytes of a record with its revision; `None` if it was never written.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn record(&mut self, key: &str) -> Result<Option<(u64, Vec<u8>)>, KeeperError> {
        self.leases.record(key)
    }

    /// Replaces a revision of a record, 0 for none. Returns whether that was
    /// its last revision: if not, another process was faster.
    ///
    /// `key` has letters, digits and `-` only.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn replace_record(
        &mut self,
        key: &str,
        revision: u64,
        bytes: &[u8],
    ) -> Result<bool, KeeperError> {
        self.leases.replace_record(key, revision, bytes)
    }
}

/// Opens a bucket of keys.
fn keys(connection: &NatsConnection, bucket: String) -> Result<kv::Store, NatsError> {
    let (context, name) = (connection.context(), format!("KV_{bucket}"));
    let config = kv::Config {
        bucket: bucket.clone(),
        history: 1,
        storage: StorageType::File,
        ..kv::Config::default()
    };
    let keeps = Keeps {
        of_subject: Some(1),
        ..Keeps::ALL
    };
    open(connection, &name, keeps, async || {
        context.create_key_value(config).await
    })?;
    let store = connection.ask(async { context.get_key_value(bucket).await.map_err(unreachable) });
    store.map_err(|error| not_opened(name, &error))
}

/// Opens a bucket of objects.
fn objects(connection: &NatsConnection, bucket: String) -> Result<ObjectBucket, NatsError> {
    let (context, name) = (connection.context(), format!("OBJ_{bucket}"));
    let config = object_store::Config {
        bucket: bucket.clone(),
        storage: StorageType::File,
        ..object_store::Config::default()
    };
    let stream = open(connection, &name, Keeps::ALL, async || {
        context.create_object_store(config).await
    })?;
    let store =
        connection.ask(async { context.get_object_store(bucket).await.map_err(unreachable) });
    let store = store.map_err(|error| not_opened(name, &error))?;
    Ok(ObjectBucket::new(connection, store, stream))
}

fn not_opened(name: String, error: &KeeperError) -> NatsError {
    let why = error.to_string();
    NatsError::Stream { name, why }
}

/// Opens the stream of a subject.
fn stream(
    connection: &NatsConnection,
    name: &str,
    subject: String,
    keeps: Keeps,
) -> Result<Stream, NatsError> {
    let config = Config {
        name: name.to_owned(),
        subjects: vec![subject],
        storage: StorageType::File,
        max_messages: keeps.messages.unwrap_or(-1),
        // A stream without a limit ends with a full disk. It must refuse new messages then, not
        // drop old ones.
        discard: match keeps.messages {
            None => DiscardPolicy::New,
            Some(_) => DiscardPolicy::Old,
        },
        allow_direct: true,
        ..Config::default()
    };
    open(connection, name, keeps, async || {
        connection.context().create_stream(config).await
    })
}

impl Keeper for NatsKeeper {
    fn take(&mut self, zone: ZoneId, holder: &str) -> Result<Lease, KeeperError> {
        let losses = self.losses()?;
        // Tries again if another keeper was faster, which then holds the zone.
        for _ in 0..ATTEMPTS {
            let mut free = match self.leases.look(zone, losses)? {
                Found::Held(holder) => return Err(KeeperError::Held { zone, holder }),
                Found::Free(free) => free,
            };
            free.term = free.term.max(Term::after_losses(losses));
            if let Some(lease) = self.begin(zone, holder, free)? {
                return Ok(lease);
            }
        }
        let why = format!("zone {} keeps changing hands", zone.0);
        Err(KeeperError::Unreachable(why))
    }

    fn renew(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        let connects = self.connection.connects();
        let renewed = self.leases.write(lease, false);
        renewed.map_err(|error| self.unless_missing(lease.zone, error))?;
        if connects != self.checked {
            self.ledger.require(lease)?;
            self.checked = connects;
        }
        Ok(())
    }

    fn release(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        self.leases.write(lease, true)
    }

    fn holders(&mut self) -> Result<Vec<Holder>, KeeperError> {
        self.leases.holders()
    }

    fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError> {
        let appended = self.ledger.append(lease, to, contents);
        appended.map_err(|error| self.unless_missing(lease.zone, error))
    }

    fn entry_max(&self) -> usize {
        self.connection.payload_max()
    }

    fn entries(
        &mut self,
        of: EntriesOf,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        self.ledger.entries(of, after, limit)
    }

    fn refused(&self) -> u64 {
        self.ledger.refused()
    }

    fn forget(&mut self, lease: &Lease, places: Places) -> Result<(), KeeperError> {
        self.leases.check(lease)?;
        self.ledger.forget(lease.zone, places)
    }

    fn forgotten(&mut self, zone: ZoneId) -> Result<Places, KeeperError> {
        self.ledger.forgotten(zone)
    }

    fn put_snapshot(&mut self, lease: &mut Lease, snapshot: &[u8]) -> Result<(), KeeperError> {
        self.leases.check(lease)?;
        self.snapshots.put(lease.zone, lease.term, snapshot)
    }

    fn snapshot(&mut self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError> {
        self.snapshots.last(zone)
    }

    fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError> {
        self.events.announce(event)
    }

    fn events(&mut self, after: Sequence, limit: usize) -> Result<Vec<StoredEvent>, KeeperError> {
        self.events.after(after, limit)
    }

    fn losses(&mut self) -> Result<u64, KeeperError> {
        self.leases.losses()
    }

    fn retake(&mut self, lease: &mut Lease, losses: u64) -> Result<u64, KeeperError> {
        // Creates what is missing, and reads the ledger from its beginning.
        *self = Self::new(&self.connection).map_err(unreachable)?;
        let all_losses = self.leases.raise_losses(losses)?;
        let after = Term::after_losses(all_losses);
        for _ in 0..ATTEMPTS {
            let mut found = self.leases.found(lease.zone)?;
            if found.term > lease.term && found.term >= after {
                return Err(KeeperError::Lost { zone: lease.zone });
            }
            found.term = found.term.max(lease.term).next().max(after);
            if let Some(taken) = self.begin(lease.zone, &lease.holder, found)? {
                *lease = taken;
                return Ok(all_losses);
            }
        }
        Err(unreachable("the zone keeps changing hands"))
    }

    fn announce_again(&mut self, event: &StoredEvent) -> Result<(), KeeperError> {
        self.events.announce_again(event)
    }

    fn put_named(&mut self, name: &str, bytes: &[u8]) -> Result<(), KeeperError> {
        self.named.put_once(name, bytes)
    }

    fn named(&mut self, name: &str) -> Result<Option<Vec<u8>>, KeeperError> {
        self.named.get(name)
    }
}
