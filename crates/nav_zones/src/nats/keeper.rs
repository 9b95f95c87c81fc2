//! Keeper at a broker, made of leases, ledger, snapshots, events and named bytes.

use super::{
    connect::NatsConnection,
    events::EventStream,
    leases::{Found, LeaseBucket},
    ledger::LedgerStream,
    objects::ObjectBucket,
    options::NatsError,
    snapshots::SnapshotBucket,
};
use crate::{
    ZoneId,
    keeper::{Entry, Holder, Keeper, KeeperError, Lease, Sequence, Term},
};
use async_nats::jetstream::{
    kv, object_store,
    stream::{Config, DiscardPolicy, StorageType, Stream},
};

/// Number of events that are kept.
///
/// A guess, far above the number of events between two snapshots of a zone. Older ones are not
/// needed.
const EVENTS_MAX: i64 = 1 << 20;

/// Attempts to take a zone for which other keepers try at the same time. A guess: each of them fails
/// only because another one succeeded.
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
}

impl NatsKeeper {
    /// Opens the store of a world and creates the missing parts of it.
    ///
    /// # Errors
    ///
    /// [`NatsError::Stream`] if that fails, for example because the broker runs without
    /// `JetStream`.
    pub fn new(connection: &NatsConnection) -> Result<Self, NatsError> {
        let (names, context) = (connection.names(), connection.context());
        let store = make(connection, names.lease_bucket(), async |bucket| {
            let config = kv::Config {
                bucket,
                history: 1,
                storage: StorageType::File,
                ..kv::Config::default()
            };
            context.create_key_value(config).await
        })?;
        let ledger = stream(connection, names.ledger_stream(), names.entries(), -1)?;
        let events = stream(connection, names.event_stream(), names.events(), EVENTS_MAX)?;
        // A name that no other connection has.
        let inbox = connection.client().new_inbox();
        let keeper = inbox.rsplit('.').next().unwrap_or_default().to_owned();
        Ok(Self {
            leases: LeaseBucket::new(store.clone(), keeper),
            ledger: LedgerStream::new(ledger, store.clone()),
            snapshots: SnapshotBucket::new(objects(connection, names.snapshot_bucket())?, store),
            events: EventStream::new(&events, names.events()),
            named: objects(connection, names.named_bucket())?,
            connection: connection.clone(),
        })
    }
}

/// Creates something at the broker, or finds it.
fn make<T, E: std::fmt::Display>(
    connection: &NatsConnection,
    name: String,
    create: impl AsyncFnOnce(String) -> Result<T, E>,
) -> Result<T, NatsError> {
    let made = connection.ask(async {
        let made = create(name.clone()).await;
        made.map_err(|error| KeeperError::Unreachable(error.to_string()))
    });
    made.map_err(|error| {
        let why = error.to_string();
        NatsError::Stream { name, why }
    })
}

fn objects(connection: &NatsConnection, bucket: String) -> Result<ObjectBucket, NatsError> {
    let stream = format!("OBJ_{bucket}");
    let store = make(connection, bucket, async |bucket| {
        let config = object_store::Config {
            bucket,
            storage: StorageType::File,
            ..object_store::Config::default()
        };
        connection.context().create_object_store(config).await
    })?;
    let stream = make(connection, stream, async |name| {
        connection.context().get_stream_no_info(name).await
    })?;
    Ok(ObjectBucket::new(store, stream))
}

/// Creates a stream for a subject with at most `max_messages`; -1 means no limit.
fn stream(
    connection: &NatsConnection,
    name: String,
    subject: String,
    max_messages: i64,
) -> Result<Stream, NatsError> {
    make(connection, name, async |name| {
        let config = Config {
            name,
            subjects: vec![subject],
            storage: StorageType::File,
            max_messages,
            // A stream without a limit ends with a full disk. It must refuse new messages then, not
            // drop old ones.
            discard: if max_messages < 0 {
                DiscardPolicy::New
            } else {
                DiscardPolicy::Old
            },
            allow_direct: true,
            ..Config::default()
        };
        connection.context().create_stream(config).await
    })
}

impl Keeper for NatsKeeper {
    fn take(&mut self, zone: ZoneId, holder: &str) -> Result<Lease, KeeperError> {
        let connection = &self.connection;
        // Tries again if another keeper was faster, which then holds the zone.
        for _ in 0..ATTEMPTS {
            let (revision, term) = match self.leases.look(connection, zone)? {
                Found::Held(holder) => return Err(KeeperError::Held { zone, holder }),
                Found::Free { revision, term } => (revision, term),
            };
            // Exceeds the terms in the ledger too, in case the keys were lost and the ledger was
            // not.
            let last = self.ledger.last_term(connection, zone)?;
            let term = last.map_or(term, |last| term.max(Term(last.0.saturating_add(1))));
            let taken = self.leases.take(connection, zone, holder, term, revision)?;
            let Some(revision) = taken else {
                continue;
            };
            let first = match self.ledger.begin(connection, zone, term) {
                Ok(first) => first,
                Err(KeeperError::Lost { .. }) => continue,
                Err(error) => return Err(error),
            };
            self.leases.is_taken(zone);
            return Ok(Lease {
                zone,
                holder: holder.to_owned(),
                term,
                first,
                last: first,
                written: 0,
                revision,
            });
        }
        let why = format!("zone {} keeps changing hands", zone.0);
        Err(KeeperError::Unreachable(why))
    }

    fn renew(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        self.leases.write(&self.connection, lease, false)
    }

    fn release(&mut self, lease: &mut Lease) -> Result<(), KeeperError> {
        self.leases.write(&self.connection, lease, true)
    }

    fn holders(&mut self) -> Result<Vec<Holder>, KeeperError> {
        self.leases.holders(&self.connection)
    }

    fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError> {
        self.ledger.append(&self.connection, lease, to, contents)
    }

    fn entry_max(&self) -> usize {
        self.connection.payload_max()
    }

    fn entries_to(
        &mut self,
        zone: ZoneId,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        let filter = self.connection.names().entries_to(zone);
        self.ledger.entries(&self.connection, filter, after, limit)
    }

    fn entries_from(
        &mut self,
        zone: ZoneId,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        let filter = self.connection.names().entries_from(zone);
        self.ledger.entries(&self.connection, filter, after, limit)
    }

    fn entries(&mut self, after: Sequence, limit: usize) -> Result<Vec<Entry>, KeeperError> {
        let filter = self.connection.names().entries();
        self.ledger.entries(&self.connection, filter, after, limit)
    }

    fn refused(&self) -> u64 {
        self.ledger.refused()
    }

    fn forget(&mut self, up_to: Sequence) -> Result<(), KeeperError> {
        self.ledger.forget(&self.connection, up_to)
    }

    fn put_snapshot(&mut self, lease: &mut Lease, snapshot: &[u8]) -> Result<(), KeeperError> {
        self.leases.check(&self.connection, lease)?;
        self.snapshots
            .put(&self.connection, lease.zone, lease.term, snapshot)
    }

    fn snapshot(&mut self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError> {
        self.snapshots.last(&self.connection, zone)
    }

    fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError> {
        self.events.announce(&self.connection, event)
    }

    fn events(
        &mut self,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<(Sequence, Vec<u8>)>, KeeperError> {
        self.events.after(&self.connection, after, limit)
    }

    fn put_named(&mut self, name: &str, bytes: &[u8]) -> Result<(), KeeperError> {
        self.named.put_once(&self.connection, name, bytes)
    }

    fn named(&mut self, name: &str) -> Result<Option<Vec<u8>>, KeeperError> {
        self.named.get(&self.connection, name)
    }
}
