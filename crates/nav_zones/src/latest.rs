//! Receiving without waiting: the latest message of every zone about each topic.

use crate::{
    Bus, BusError, ZoneId,
    envelope::{Envelope, Topic},
    keeper::Term,
};
use std::{collections::BTreeMap, time::Duration};

/// What came last of each zone, and what was sent to it last.
#[derive(Default)]
pub(crate) struct Latest {
    received: BTreeMap<(Topic, ZoneId), (u64, Vec<u8>)>,
    sent: BTreeMap<(Topic, ZoneId), (u64, Vec<u8>)>,
    /// The highest term of each zone, and its last tick in it.
    newest: BTreeMap<ZoneId, (Term, u64)>,
}

/// After how many ticks something is sent again that is as it was: for who came since.
pub(crate) const REPEATED: u64 = 10;

/// How many ticks ahead of this zone another one may be, of which something is received: a minute or so. What came from
/// further ahead would stay the latest for ever.
const AHEAD_MAX: u64 = 1200;

impl Latest {
    /// Whether something has to be sent: it is news, or was sent some time ago.
    pub(crate) fn is_due(&mut self, topic: Topic, to: ZoneId, tick: u64, contents: &[u8]) -> bool {
        let last = self.sent.entry((topic, to)).or_insert((0, vec![u8::MAX]));
        let is_due = last.1 != contents || tick >= last.0 + REPEATED;
        if is_due {
            *last = (tick, contents.to_vec());
        }
        is_due
    }

    /// Receives all that came until a tick. Counts what is refused.
    pub(crate) fn receive_all(
        &mut self,
        bus: &mut dyn Bus,
        tick: u64,
        is_other: impl Fn(ZoneId) -> bool,
        refused: &mut u64,
    ) -> Result<(), BusError> {
        while let Some(message) = bus.receive(Duration::ZERO)? {
            *refused += u64::from(!self.take(&message, tick, &is_other));
        }
        Ok(())
    }

    /// Keeps a message; says whether it is no older than what there is of that zone.
    fn take(&mut self, message: &[u8], tick: u64, is_other: impl Fn(ZoneId) -> bool) -> bool {
        let Some((envelope, contents)) = Envelope::open(message) else {
            return false;
        };
        let Envelope {
            from,
            term,
            number,
            topic,
            ..
        } = envelope;
        if !is_other(from) || number > tick + AHEAD_MAX {
            return false;
        }
        let newest = self.newest.entry(from).or_insert((term, number));
        if term < newest.0 {
            // The zone was taken from who sent it.
            return false;
        }
        if term > newest.0 {
            *newest = (term, number);
            self.received.retain(|&(_, zone), _| zone != from);
        }
        newest.1 = newest.1.max(number);
        let known = self.received.get(&(topic, from));
        if known.is_some_and(|&(known, _)| known > number) {
            return false;
        }
        let part = (number, contents.to_vec());
        self.received.insert((topic, from), part);
        true
    }

    /// The last part of a zone about a topic, and of which tick that is.
    pub(crate) fn part(&self, topic: Topic, zone: ZoneId) -> Option<&(u64, Vec<u8>)> {
        self.received.get(&(topic, zone))
    }

    /// Forgets a part that makes no sense.
    pub(crate) fn refuse(&mut self, topic: Topic, zone: ZoneId) {
        self.received.remove(&(topic, zone));
    }

    /// The last tick of a zone of which something came.
    pub(crate) fn last_tick(&self, zone: ZoneId) -> Option<u64> {
        self.newest.get(&zone).map(|&(_, tick)| tick)
    }
}
