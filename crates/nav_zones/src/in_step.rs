//! Receiving in step: one message of every zone in each round.

use crate::{
    Bus, ZoneError, ZoneId,
    envelope::{Envelope, Topic},
};
use std::{collections::BTreeMap, time::Duration};

/// Messages of later rounds, and how long to wait for a zone.
pub(crate) struct InStep {
    wait: Duration,
    /// By round and sender.
    early: BTreeMap<(u64, ZoneId), (Topic, u64, Vec<u8>)>,
}

impl InStep {
    pub(crate) const fn new(wait: Duration) -> Self {
        Self {
            wait,
            early: BTreeMap::new(),
        }
    }

    /// Waits for the part of a zone in a round. Returns it with its tick. Counts the messages
    /// refused meanwhile.
    pub(crate) fn wait_for(
        &mut self,
        bus: &mut dyn Bus,
        zone: ZoneId,
        (round, topic): (u64, Topic),
        is_other: impl Fn(ZoneId) -> bool,
        refused: &mut u64,
    ) -> Result<(u64, Vec<u8>), ZoneError> {
        let wait = self.wait;
        loop {
            if let Some((its_topic, tick, part)) = self.early.remove(&(round, zone)) {
                let is_in_step = its_topic == topic;
                let part = is_in_step.then_some((tick, part));
                return part.ok_or(ZoneError::OutOfStep { zone, round });
            }
            let Some(message) = bus.receive(wait)? else {
                return Err(ZoneError::Late { zone, round, wait });
            };
            *refused += u64::from(!self.take(&message, round, &is_other));
        }
    }

    /// Keeps a message until its round. Returns whether it is the first of its zone for this round
    /// or the next.
    fn take(&mut self, message: &[u8], round: u64, is_other: impl Fn(ZoneId) -> bool) -> bool {
        let Some((envelope, contents)) = Envelope::open(message) else {
            return false;
        };
        let Envelope {
            from,
            number,
            tick,
            topic,
            ..
        } = envelope;
        // A zone can be at most one round ahead: it waits for the slowest zone.
        if !is_other(from) || !(round..=round + 1).contains(&number) {
            return false;
        }
        // The first message counts. A zone sends one a round, so a second one is not from that
        // zone.
        let mut is_first = false;
        self.early.entry((number, from)).or_insert_with(|| {
            is_first = true;
            (topic, tick, contents.to_vec())
        });
        is_first
    }
}
