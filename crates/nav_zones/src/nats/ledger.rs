//! Ledger: a stream to which a zone appends only with the position of its last entry.

use super::{
    connect::{NatsConnection, unreachable},
    leases::{is_held, mark, raise},
    names::{self, EntryName, Names},
    reader::{Read, Reader},
};
use crate::{
    ZoneId,
    keeper::{EntriesOf, Entry, KeeperError, Lease, Places, Sequence, Term},
};
use async_nats::{
    HeaderMap,
    header::{NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, NATS_MESSAGE_ID},
    jetstream::{
        ErrorCode,
        context::PublishErrorKind,
        kv::Store,
        stream::{DeleteMessageErrorKind, LastRawMessageErrorKind, Stream},
    },
};
use bytes::Bytes;
use futures_util::TryStreamExt;
use std::{collections::BTreeMap, time::Duration};

/// Header that names the subjects whose last message is expected: all entries from a zone.
const EXPECTED_OF: &str = "Nats-Expected-Last-Subject-Sequence-Subject";

/// Time after which an unused reader is dropped. A caller that reads again later gets a new one,
/// which costs a consumer at the broker.
const UNUSED_MAX: Duration = Duration::from_mins(1);

/// Ledger of a world.
///
/// An entry is appended with the position of its zone's last entry, which the broker compares. So
/// the first entry of a new term locks out all earlier holders. An entry that is sent again after a
/// lost answer is either appended now or found in the ledger.
///
/// A message that is no entry is skipped by readers. If it is the last one of a zone, the holder of
/// that zone deletes it, since the next append names the position of the last entry.
pub(super) struct LedgerStream {
    connection: NatsConnection,
    stream: Stream,
    /// Bucket with the leases, and with the positions up to which the ledger was forgotten.
    store: Store,
    readers: BTreeMap<EntriesOf, Reader>,
    /// Number of messages that were no entries.
    refused: u64,
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
    pub(super) fn new(connection: &NatsConnection, stream: Stream, store: Store) -> Self {
        Self {
            connection: connection.clone(),
            stream,
            store,
            readers: BTreeMap::new(),
            refused: 0,
        }
    }

    /// Returns the number of skipped messages that were no entries; again each time they are read.
    pub(super) const fn refused(&self) -> u64 {
        self.refused
    }

    /// Returns the term of the last entry of a zone.
    pub(super) fn last_term(&self, zone: ZoneId) -> Result<Option<Term>, KeeperError> {
        let last = self.connection.ask(self.last(zone))?;
        Ok(last.map(|last| last.name.term))
    }

    /// Writes the first entry of a term, which ends all earlier terms.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if the ledger has a higher term.
    pub(super) fn begin(&mut self, zone: ZoneId, term: Term) -> Result<Sequence, KeeperError> {
        // New readers find all entries of the previous holder.
        self.readers.clear();
        let name = EntryName {
            zone,
            term,
            number: 0,
        };
        self.connection.ask(async {
            // Earlier holders may append until this succeeds.
            loop {
                let last = self.last(zone).await?;
                if last.as_ref().is_some_and(|last| last.name.term > term) {
                    return Err(KeeperError::Lost { zone });
                }
                if let Some(last) = last.as_ref().filter(|last| last.name == name) {
                    return Ok(last.sequence);
                }
                let after = last.map_or(Sequence(0), |last| last.sequence);
                let appended = self.send(name, zone, after, Bytes::new());
                if let Appended::At(sequence) = appended.await? {
                    return Ok(sequence);
                }
            }
        })
    }

    pub(super) fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError> {
        let (bytes, max) = (contents.len(), self.connection.payload_max());
        if bytes > max {
            return Err(KeeperError::TooLarge { bytes, max });
        }
        let (zone, contents) = (lease.zone, Bytes::copy_from_slice(contents));
        let subject = self.connection.names().entry(zone, to);
        let sequence = self.connection.ask(async {
            loop {
                let name = EntryName {
                    zone,
                    term: lease.term,
                    number: lease.written.wrapping_add(1),
                };
                let appended = self.send(name, to, lease.last, contents.clone());
                if let Appended::At(sequence) = appended.await? {
                    return Ok(sequence);
                }
                let entry = (name, &*subject, &contents);
                if let Some(sequence) = self.catch_up(lease, entry).await? {
                    return Ok(sequence);
                }
            }
        })?;
        (lease.last, lease.written) = (sequence, lease.written.wrapping_add(1));
        for of in [EntriesOf::From(zone), EntriesOf::To(to)] {
            // Entries of a zone for itself are not among those to it.
            let is_read = of != EntriesOf::To(zone);
            if let Some(reader) = self.readers.get_mut(&of).filter(|_| is_read) {
                reader.wait_for(sequence);
            }
        }
        Ok(sequence)
    }

    /// Catches up with what was appended in place of an entry: by another holder, or by this keeper
    /// if the answer was lost, or a message that is no entry, which is deleted now. Returns the
    /// place of the entry, if it is there.
    async fn catch_up(
        &self,
        lease: &mut Lease,
        (name, subject, contents): (EntryName, &str, &Bytes),
    ) -> Result<Option<Sequence>, KeeperError> {
        let zone = lease.zone;
        let last = self.last(zone).await?;
        let place = last.as_ref().map_or(Sequence(0), |last| last.sequence);
        if last.is_some() && place < lease.last {
            return Err(KeeperError::StoreLost { zone });
        }
        if place == lease.last {
            // With another name, in case the foreign message had this one.
            lease.written = name.number;
            return Ok(None);
        }
        if last.is_none() && is_held(&self.store, lease).await? {
            // The broker drops old entries, and the zone wrote none since.
            lease.last = place;
            return Ok(None);
        }
        let Some(last) = last.filter(|last| last.name.term <= lease.term) else {
            return Err(KeeperError::Lost { zone });
        };
        if last.name == name && last.subject == subject && last.contents == *contents {
            return Ok(Some(place));
        }
        // An entry that failed and was not written again, which is in the ledger nevertheless; or a
        // foreign message with a name of this term or an earlier one.
        let is_own_term = last.name.term == lease.term;
        lease.written = if is_own_term { last.name } else { name }.number;
        lease.last = place;
        Ok(None)
    }

    /// Fails if the ledger no longer has the last entry of a lease.
    pub(super) fn require(&self, lease: &Lease) -> Result<(), KeeperError> {
        let zone = lease.zone;
        match self.connection.ask(self.last(zone))? {
            // Without any entry, the broker drops old ones.
            Some(last) if last.sequence < lease.last => Err(KeeperError::StoreLost { zone }),
            _ => Ok(()),
        }
    }

    async fn send(
        &self,
        name: EntryName,
        to: ZoneId,
        after: Sequence,
        contents: Bytes,
    ) -> Result<Appended, KeeperError> {
        let names = self.connection.names();
        let mut headers = HeaderMap::new();
        headers.insert(NATS_MESSAGE_ID, name.text());
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, after.0.to_string());
        headers.insert(EXPECTED_OF, names.entries(EntriesOf::From(name.zone)));
        let subject = names.entry(name.zone, to);
        let context = self.connection.context();
        let sent = context.publish_with_headers(subject, headers, contents);
        let answer = match sent.await {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        match answer {
            // The same name came before: as this entry, or as a foreign message.
            Ok(ack) if ack.duplicate => Ok(Appended::Refused),
            Ok(ack) => Ok(Appended::At(Sequence(ack.sequence))),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                Ok(Appended::Refused)
            }
            Err(error) => Err(unreachable(error)),
        }
    }

    /// Returns the last entry of a zone. Deletes messages after it that are no entries.
    async fn last(&self, zone: ZoneId) -> Result<Option<Last>, KeeperError> {
        let subject = self.connection.names().entries(EntriesOf::From(zone));
        loop {
            // Not from a replica, which may lag behind.
            let message = match self.stream.get_last_raw_message_by_subject(&subject).await {
                Ok(message) => message,
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                    return Ok(None);
                }
                Err(error) => return Err(unreachable(error)),
            };
            let zones = self.connection.names().zones_of_entry(&message.subject);
            if let Some((from, _)) = zones
                && let Some(name) = name_of(&message.headers, from)
            {
                return Ok(Some(Last {
                    sequence: Sequence(message.sequence),
                    name,
                    subject: message.subject.to_string(),
                    contents: message.payload,
                }));
            }
            match self.stream.delete_message(message.sequence).await {
                Err(error) if !is_gone(error.kind()) => return Err(unreachable(error)),
                _ => {}
            }
        }
    }

    pub(super) fn entries(
        &mut self,
        of: EntriesOf,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError> {
        self.readers
            .retain(|_, reader| reader.used.elapsed() < UNUSED_MAX);
        let reader = self.readers.entry(of).or_insert_with(|| {
            let filter = self.connection.names().entries(of);
            Reader::new(&self.connection, &self.stream, filter)
        });
        reader.read(after, limit, |read| {
            let entry = entry(self.connection.names(), read);
            self.refused += u64::from(entry.is_none());
            entry
        })
    }

    /// Drops the entries from a zone that its snapshot contains, and that of the zone that they are
    /// for.
    pub(super) fn forget(&self, zone: ZoneId, places: Places) -> Result<(), KeeperError> {
        // First: an audit must never find a ledger that is cut without notice.
        for (key, place) in names::forgotten(zone)
            .iter()
            .zip([places.read, places.written])
        {
            self.connection.ask(raise(&self.store, key, place.0))?;
        }
        let names = self.connection.names();
        let from = names.entries(EntriesOf::From(zone));
        let subjects = self.connection.ask(async {
            let info = self.stream.info_with_subjects(&from).await;
            let listed = info.map_err(unreachable)?.try_collect::<Vec<_>>();
            listed.await.map_err(unreachable)
        })?;
        let Some(last) = self.connection.ask(self.last(zone))? else {
            return Ok(());
        };
        for (subject, _) in subjects {
            let Some((_, to)) = names.zones_of_entry(&subject) else {
                continue;
            };
            let mut up_to = places.written;
            if to != zone {
                up_to = up_to.min(self.forgotten(to)?.read);
            }
            // The last entry of a zone stays, since the next append names it. Exclusive: the entry
            // at this position stays.
            let before = last.sequence.0.min(up_to.0 + 1);
            let purge = self.stream.purge().filter(subject).sequence(before);
            self.connection
                .ask(async { purge.await.map_err(unreachable) })?;
        }
        Ok(())
    }

    pub(super) fn forgotten(&self, zone: ZoneId) -> Result<Places, KeeperError> {
        let [read, written] = names::forgotten(zone);
        self.connection.ask(async {
            Ok(Places {
                read: Sequence(mark(&self.store, &read).await?.1),
                written: Sequence(mark(&self.store, &written).await?.1),
            })
        })
    }
}

/// Returns the entry that a message is; `None` if it is none.
fn entry(names: &Names, read: Read) -> Option<Entry> {
    let (from, to) = names.zones_of_entry(&read.subject)?;
    let name = name_of(read.headers.as_ref()?, from)?;
    Some(Entry {
        sequence: read.sequence,
        from,
        to,
        term: name.term,
        contents: read.payload.to_vec(),
    })
}

/// Returns whether an error says that another keeper deleted the message first.
fn is_gone(error: DeleteMessageErrorKind) -> bool {
    matches!(error, DeleteMessageErrorKind::JetStream(error) if error.error_code() == ErrorCode::SEQUENCE_NOT_FOUND)
}

/// Returns the name of an entry from a zone.
fn name_of(headers: &HeaderMap, from: ZoneId) -> Option<EntryName> {
    let name = EntryName::read(headers.get(NATS_MESSAGE_ID)?.as_str());
    name.filter(|name| name.zone == from)
}
