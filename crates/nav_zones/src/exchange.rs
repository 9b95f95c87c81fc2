//! Exchange of messages between zones, by the latest message of each.

use crate::{
    Bus, ZoneError, ZoneId, ZoneLayout,
    envelope::{Envelope, Topic},
    keeper::Term,
    latest::Latest,
    seal::Versioned,
};
use serde::{Serialize, de::DeserializeOwned};

/// Other zones of a world, and what was sent to them and received from them.
pub(crate) struct Exchange {
    zone: ZoneId,
    zones: Vec<ZoneId>,
    term: Term,
    tick: u64,
    bus: Box<dyn Bus>,
    latest: Latest,
    pub(crate) counts: MessageCounts,
    failed: Option<ZoneError>,
}

/// Numbers of messages since the zone began.
#[derive(Clone, Copy, Default)]
pub(crate) struct MessageCounts {
    pub(crate) sent: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) unsent: u64,
    /// Damaged or outdated messages.
    pub(crate) refused: u64,
}

impl Exchange {
    pub(crate) fn new(zone: ZoneId, layout: &ZoneLayout, bus: Box<dyn Bus>) -> Self {
        Self {
            zone,
            zones: layout.others(zone),
            term: Term(0),
            tick: 0,
            bus,
            latest: Latest::default(),
            counts: MessageCounts::default(),
            failed: None,
        }
    }

    /// Begins a tick.
    pub(crate) const fn begin_tick(&mut self, tick: u64, term: Term) {
        (self.tick, self.term) = (tick, term);
    }

    /// Switches to the zones of another layout.
    pub(crate) fn set_layout(&mut self, layout: &ZoneLayout) {
        self.zones = layout.others(self.zone);
    }

    /// Returns the age in ticks of the last message of a zone; `None` if none arrived.
    pub(crate) fn lag(&self, zone: ZoneId) -> Option<u64> {
        let last = self.latest.last_tick(zone)?;
        Some(self.tick.saturating_sub(last))
    }

    /// Returns why the zone stopped taking part, if it did. It sends and receives nothing after
    /// that.
    pub(crate) const fn failure(&self) -> Option<&ZoneError> {
        self.failed.as_ref()
    }

    /// Ends the zone's part in the exchange. Keeps the first error.
    pub(crate) fn fail(&mut self, error: ZoneError) {
        self.failed.get_or_insert(error);
    }

    /// Returns the number of messages that the bus dropped as damaged.
    pub(crate) fn damaged(&self) -> u64 {
        self.bus.damaged()
    }

    /// Counts the refusal of a message that did not come through this exchange.
    pub(crate) fn refuse(&mut self) {
        self.counts.refused += 1;
        self.tell_refused(1);
    }

    /// Sends each zone its part. Returns the latest part of each zone that sent one, with the tick
    /// in which it was sent, in zone order.
    ///
    /// Empty if the zone stopped taking part.
    pub(crate) fn send_and_receive<B: Serialize, R: DeserializeOwned>(
        &mut self,
        topic: Topic,
        part_for: impl FnMut(ZoneId) -> B,
    ) -> Vec<(ZoneId, u64, R)> {
        if self.failed.is_some() {
            return Vec::new();
        }
        let parts = self.try_send_and_receive(topic, part_for);
        parts.unwrap_or_else(|error| {
            self.fail(error);
            Vec::new()
        })
    }

    fn try_send_and_receive<B: Serialize, R: DeserializeOwned>(
        &mut self,
        topic: Topic,
        mut part_for: impl FnMut(ZoneId) -> B,
    ) -> Result<Vec<(ZoneId, u64, R)>, ZoneError> {
        for place in 0..self.zones.len() {
            let zone = self.zones[place];
            self.send(zone, topic, &part_for(zone))?;
        }
        let before = self.counts.refused;
        let others = &self.zones;
        let refused = &mut self.counts.refused;
        let (bus, latest) = (&mut *self.bus, &mut self.latest);
        latest.receive_all(bus, self.tick, others, refused)?;
        let mut parts = Vec::new();
        for &zone in others {
            let Some((tick, part)) = latest.part(topic, zone) else {
                continue;
            };
            if let Ok(part) = postcard::from_bytes(part) {
                parts.push((zone, *tick, part));
            } else {
                *refused += 1;
                latest.refuse(topic, zone);
            }
        }
        self.tell_refused(self.counts.refused - before);
        Ok(parts)
    }

    fn send<B: Serialize>(&mut self, to: ZoneId, topic: Topic, part: &B) -> Result<(), ZoneError> {
        let contents =
            postcard::to_allocvec(part).map_err(|error| ZoneError::Unwritten(error.to_string()))?;
        if !self.latest.is_due(topic, to, self.tick, &contents) {
            return Ok(());
        }
        let envelope = Envelope {
            from: self.zone,
            term: self.term,
            tick: self.tick,
            topic,
        };
        let message = envelope.seal(&contents).map_err(ZoneError::Unwritten)?;
        let bytes = message.len() as u64;
        match self.bus.send(to, message) {
            Ok(()) => {
                self.counts.sent += 1;
                self.counts.sent_bytes += bytes;
            }
            // The next message replaces this one, so that the loss does no harm.
            Err(_) => self.counts.unsent += 1,
        }
        Ok(())
    }

    /// Logs a number of messages that were refused.
    fn tell_refused(&self, messages: u64) {
        if messages > 0 {
            tracing::debug!(zone = self.zone.0, messages, "messages were refused");
        }
    }
}
