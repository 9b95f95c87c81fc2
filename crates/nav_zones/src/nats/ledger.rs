//! Ledger: a stream to which a zone appends only with the position of its last entry.

use super::{
    connect::{NatsConnection, unreachable},
    leases::LeaseBucket,
    names::{EntryName, FORGOTTEN},
    reader::{Read, Reader},
};
use crate::{
    ZoneId,
    keeper::{Entry, KeeperError, Lease, Sequence, Term},
};
use async_nats::{
    HeaderMap,
    header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_MESSAGE_ID},
    jetstream::{
        context::PublishErrorKind,
        kv::{Store, UpdateErrorKind},
        stream::{LastRawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use std::{collections::BTreeMap, time::Duration};

/// Header that names the subjects whose last message is expected: all entries from a zone.
const EXPECTED_OF: &str = "Nats-Expected-Last-Subject-Sequence-Subject";

/// Time after which an unused reader is dropped. A guess, long enough for callers that read now and
/// then.
const UNUSED_MAX: Duration = Duration::from_mins(1);

/// Ledger of a world.
///
/// An entry is appended with the position of its zone's last entry, which the broker compares. So
/// the first entry of a new term locks out all earlier holders. An entry that is sent again after a
/// lost answer is either appended now or found in the ledger.
pub(super) struct LedgerStream {
    stream: Stream,
    /// Bucket that stores the position up to which the ledger was forgotten.
    store: Store,
    /// By subject filter.
    readers: BTreeMap<String, Reader>,
}

/// Last entry of a zone.
struct Last {
    sequence: Sequence,
    name: EntryName,
    subject: String,
    contents: Bytes,
}

/// Outcome of an append.
enum Appended {
    At(Sequence),
    /// The last entry of the zone is not the expected one.
    Refused,
}

impl LedgerStream {
    pub(super) const fn new(stream: Stream, store: Store) -> Self {
        Self {
            stream,
            store,
            readers: BTreeMap::new(),
        }
    }

    /// Returns the term of the last entry of a zone.
    pub(super) fn last_term(
        &self,
        connection: &NatsConnection,
        zone: ZoneId,
    ) -> Result<Option<Term>, KeeperError> {
        let last = connection.ask(self.last(connection, zone))?;
        Ok(last.map(|last| last.name.term))
    }

    /// Writes the first entry of a term, which ends all earlier terms.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if the ledger has a higher term.
    pub(super) fn begin(
        &mut self,
        connection: &NatsConnection,
        zone: ZoneId,
        term: Term,
    ) -> Result<Sequence, KeeperError> {
        // New readers find all entries of the previous holder.
        self.readers.clear();
        let name = EntryName {
            zone,
            term,
            number: 0,
        };
        connection.ask(async {
            // Earlier holders may append until this succeeds.
            loop {
                let last = self.last(connection, zone).await?;
                if last.as_ref().is_some_and(|last| last.name.term > term) {
                    return Err(KeeperError::Lost { zone });
                }
                if let Some(last) = last.as_ref().filter(|last| last.name == name) {
                    return Ok(last.sequence);
                }
                let after = last.map_or(Sequence(0), |last| last.sequence);
                let appended = self.send(connection, name, zone, after, Bytes::new());
                if let Appended::At(sequence) = appended.await? {
                    return Ok(sequence);
                }
            }
        })
    }

    pub(super) fn append(
        &mut self,
        connection: &NatsConnection,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError> {
        let (bytes, max) = (contents.len(), connection.payload_max());
        if bytes > max {
            return Err(KeeperError::TooLarge { bytes, max });
        }
        let (zone, contents) = (lease.zone, Bytes::copy_from_slice(contents));
        let subject = connection.names().entry(zone, to);
        let sequence = connection.ask(async {
            loop {
                let name = EntryName {
                    zone,
                    term: lease.term,
                    number: lease.written + 1,
                };
                let appended = self.send(connection, name, to, lease.last, contents.clone());
                if let Appended::At(sequence) = appended.await? {
                    return Ok(sequence);
                }
                // Either another holder appended, or this keeper did and the answer was lost.
                let last = self.last(connection, zone).await?;
                let Some(last) = last.filter(|last| last.name == name) else {
                    return Err(KeeperError::Lost { zone });
                };
                if last.subject == subject && last.contents == contents {
                    return Ok(last.sequence);
                }
                // An entry that failed and was not written again. It is in the ledger nevertheless.
                (lease.last, lease.written) = (last.sequence, name.number);
            }
        })?;
        (lease.last, lease.written) = (sequence, lease.written + 1);
        let names = connection.names();
        for filter in [names.entries_from(zone), names.entries_to(to)] {
            // Entries of a zone for itself are not among those to it.
            let is_read = to != zone || filter == names.entries_from(zone);
            if let Some(reader) = self.readers.get_mut(&filter).filter(|_| is_read) {
                reader.wait_for(sequence);
            }
        }
        Ok(sequence)
    }

    async fn send(
        &self,
        connection: &NatsConnection,
        name: EntryName,
        to: ZoneId,
        after: Sequence,
        contents: Bytes,
    ) -> Result<Appended, KeeperError> {
        let names = connection.names();
        let mut headers = HeaderMap::new();
        headers.insert(NATS_MESSAGE_ID, name.text());
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, after.0.to_string());
        headers.insert(EXPECTED_OF, names.entries_from(name.zone));
        let subject = names.entry(name.zone, to);
        let sent = connection
            .context()
            .publish_with_headers(subject, headers, contents)
            .await;
        let answer = match sent {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(ack) => Ok(Appended::At(Sequence(ack.sequence))),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                Ok(Appended::Refused)
            }
            Err(error) => Err(unreachable(error)),
        }
    }

    async fn last(
        &self,
        connection: &NatsConnection,
        zone: ZoneId,
    ) -> Result<Option<Last>, KeeperError> {
        let subject = connection.names().entries_from(zone);
        // Not from a replica, which may lag behind.
        let message = match self.stream.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                return Ok(None);
            }
            Err(error) => return Err(unreachable(error)),
        };
        let sequence = Sequence(message.sequence);
        let name = name_of(&message.headers).ok_or_else(|| no_entry(sequence))?;
        Ok(Some(Last {
            sequence,
            name,
            subject: message.subject.to_string(),
            contents: message.payload,
        }))
    }

    pub(super) fn entries(
        &mut self,
        connection: &NatsConnection,
        filter: String,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        self.readers
            .retain(|_, reader| reader.used.elapsed() < UNUSED_MAX);
        let stream = &self.stream;
        let new = |filter: &String| Reader::new(stream, filter.clone());
        let reader = self.readers.entry(filter);
        let reader = reader.or_insert_with_key(new);
        let mut after = after;
        if reader.begins_at(connection, after) {
            // The last entry of each zone stays, because the next append names it.
            let (_, forgotten) = connection.ask(forgotten(&self.store))?;
            after = after.max(forgotten);
        }
        let read = reader.read(connection, after, limit)?;
        read.iter().map(|read| entry(connection, read)).collect()
    }

    pub(super) fn forget(
        &mut self,
        connection: &NatsConnection,
        up_to: Sequence,
    ) -> Result<(), KeeperError> {
        connection.ask(forget_from_now_on(&self.store, up_to))?;
        let zones = connection.ask(LeaseBucket::zones(&self.store))?;
        for zone in zones {
            connection.ask(async {
                let Some(last) = self.last(connection, zone).await? else {
                    return Ok(());
                };
                // Exclusive: the entry at this position stays.
                let before = last.sequence.0.min(up_to.0 + 1);
                let filter = connection.names().entries_from(zone);
                let purge = self.stream.purge().filter(filter).sequence(before);
                purge.await.map_err(unreachable)?;
                Ok(())
            })?;
        }
        Ok(())
    }
}

fn entry(connection: &NatsConnection, read: &Read) -> Result<Entry, KeeperError> {
    let zones = connection.names().zones_of_entry(&read.subject);
    let name = read.headers.as_ref().and_then(name_of);
    let ((from, to), name) = zones.zip(name).ok_or_else(|| no_entry(read.sequence))?;
    Ok(Entry {
        sequence: read.sequence,
        from,
        to,
        term: name.term,
        contents: read.payload.to_vec(),
    })
}

fn name_of(headers: &HeaderMap) -> Option<EntryName> {
    EntryName::read(headers.get(NATS_MESSAGE_ID)?.as_str())
}

/// Error for a message that is no entry. Skipping it could lose an agent.
fn no_entry(sequence: Sequence) -> KeeperError {
    unreachable(format!(
        "position {} of the ledger has no valid entry",
        sequence.0
    ))
}

/// Returns the position up to which the ledger was forgotten, with the revision of its key.
async fn forgotten(store: &Store) -> Result<(u64, Sequence), KeeperError> {
    let Some(entry) = store.entry(FORGOTTEN).await.map_err(unreachable)? else {
        return Ok((0, Sequence(0)));
    };
    let place = postcard::from_bytes(&entry.value);
    let place = place.map_err(|_| unreachable("the key forgotten has no valid position"))?;
    Ok((entry.revision, place))
}

/// Records the position up to which the ledger is about to be forgotten. A reader must never find a
/// ledger that is cut without notice.
async fn forget_from_now_on(store: &Store, up_to: Sequence) -> Result<(), KeeperError> {
    loop {
        let (revision, before) = forgotten(store).await?;
        if before >= up_to {
            return Ok(());
        }
        let value = postcard::to_allocvec(&up_to).map_err(unreachable)?;
        match store.update(FORGOTTEN, value.into(), revision).await {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {}
            Err(error) => return Err(unreachable(error)),
        }
    }
}
