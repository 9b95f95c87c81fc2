//! Receiving without waiting: the latest message of every zone for each topic.

use crate::{
    Bus, BusError, ZoneId,
    envelope::{Envelope, Topic},
    keeper::Term,
};
use std::{collections::BTreeMap, time::Duration};

/// Last contents received from each zone and sent to each zone.
#[derive(Default)]
pub(crate) struct Latest {
    received: BTreeMap<(Topic, ZoneId), (u64, Vec<u8>)>,
    sent: BTreeMap<(Topic, ZoneId), (u64, Vec<u8>)>,
    /// Highest term of each zone, and its last tick in that term.
    newest: BTreeMap<ZoneId, (Term, u64)>,
}

/// Ticks after which unchanged contents are sent again, for processes that joined since.
///
/// Half a second at 20 ticks a second: mirrors of a zone that joined are late for no longer.
pub(crate) const REPEATED: u64 = 10;

/// Ticks by which the sender of an accepted message may be ahead of this zone.
///
/// A minute at 20 ticks a second, far more than clocks that are set by the network differ. A
/// message from further ahead would stay the latest one forever.
const AHEAD_MAX: u64 = 1200;

impl Latest {
    /// Returns whether contents have to be sent: they changed, or were last sent some time ago.
    pub(crate) fn is_due(&mut self, topic: Topic, to: ZoneId, tick: u64, contents: &[u8]) -> bool {
        let last = self.sent.entry((topic, to)).or_insert((0, vec![u8::MAX]));
        let is_due = last.1 != contents || tick >= last.0 + REPEATED;
        if is_due {
            *last = (tick, contents.to_vec());
        }
        is_due
    }

    /// Receives all messages that arrived until a tick. Counts refused ones.
    pub(crate) fn receive_all(
        &mut self,
        bus: &mut dyn Bus,
        tick: u64,
        others: &[ZoneId],
        refused: &mut u64,
    ) -> Result<(), BusError> {
        while let Some(message) = bus.receive(Duration::ZERO)? {
            *refused += u64::from(!self.take(&message, tick, others));
        }
        Ok(())
    }

    /// Keeps a message. Returns whether it is as new as the last one of its zone.
    fn take(&mut self, message: &[u8], tick: u64, others: &[ZoneId]) -> bool {
        let Some((envelope, contents)) = Envelope::open(message) else {
            return false;
        };
        let Envelope {
            from,
            term,
            tick: sent,
            topic,
        } = envelope;
        if others.binary_search(&from).is_err() || sent > tick + AHEAD_MAX {
            return false;
        }
        let newest = self.newest.entry(from).or_insert((term, sent));
        if term < newest.0 {
            // Another process took the zone from the sender.
            return false;
        }
        if term > newest.0 {
            *newest = (term, sent);
            self.received.retain(|&(_, zone), _| zone != from);
        }
        newest.1 = newest.1.max(sent);
        let known = self.received.get(&(topic, from));
        if known.is_some_and(|&(known, _)| known > sent) {
            return false;
        }
        let part = (sent, contents.to_vec());
        self.received.insert((topic, from), part);
        true
    }

    /// Returns the last part of a zone for a topic, with its tick.
    pub(crate) fn part(&self, topic: Topic, zone: ZoneId) -> Option<&(u64, Vec<u8>)> {
        self.received.get(&(topic, zone))
    }

    /// Drops a part that cannot be decoded.
    pub(crate) fn refuse(&mut self, topic: Topic, zone: ZoneId) {
        self.received.remove(&(topic, zone));
    }

    /// Returns the last tick of a zone from which a message arrived.
    pub(crate) fn last_tick(&self, zone: ZoneId) -> Option<u64> {
        self.newest.get(&zone).map(|&(_, tick)| tick)
    }
}
