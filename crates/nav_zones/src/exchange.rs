//! Exchange of messages between zones: in rounds, or by the latest message of each.

use crate::{
    Bus, ZoneError, ZoneId, ZoneLayout,
    envelope::{Envelope, Topic},
    in_step::InStep,
    keeper::Term,
    latest::Latest,
    seal::Versioned,
};
use nav::internals::{CountKind, CountTogether, FieldAsk};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Other zones of a world, and how their messages are received.
struct Others {
    zone: ZoneId,
    zones: Vec<ZoneId>,
    term: Term,
    bus: Box<dyn Bus>,
    receiving: Receiving,
    /// Number of rounds so far; the tick if zones are free running.
    number: u64,
    tick: u64,
    sent_bytes: u64,
    sent_messages: u64,
    refused: u64,
    unsent: u64,
    failed: Option<ZoneError>,
}

enum Receiving {
    InStep(InStep),
    Latest(Latest),
}

/// Handle for the exchange of messages with other zones, shared by systems and the plugin's
/// counter.
#[derive(Clone)]
pub(crate) struct Exchange(Arc<Mutex<Others>>);

impl Exchange {
    /// Creates an exchange in rounds, in which another zone is waited for up to `wait`.
    pub(crate) fn in_step(
        zone: ZoneId,
        layout: &ZoneLayout,
        wait: Duration,
        bus: Box<dyn Bus>,
    ) -> Self {
        let receiving = Receiving::InStep(InStep::new(wait));
        Self::new(zone, layout, bus, receiving)
    }

    /// Creates an exchange by the latest message of each zone.
    pub(crate) fn latest(zone: ZoneId, layout: &ZoneLayout, bus: Box<dyn Bus>) -> Self {
        Self::new(zone, layout, bus, Receiving::Latest(Latest::default()))
    }

    fn new(zone: ZoneId, layout: &ZoneLayout, bus: Box<dyn Bus>, receiving: Receiving) -> Self {
        Self(Arc::new(Mutex::new(Others {
            zone,
            zones: layout.others(zone),
            term: Term(0),
            bus,
            receiving,
            number: 0,
            tick: 0,
            sent_bytes: 0,
            sent_messages: 0,
            refused: 0,
            unsent: 0,
            failed: None,
        })))
    }

    /// Returns whether zones wait for each other.
    pub(crate) fn is_in_step(&self) -> bool {
        matches!(self.others().receiving, Receiving::InStep(_))
    }

    /// Begins a tick.
    pub(crate) fn begin_tick(&self, tick: u64, term: Term) {
        let mut others = self.others();
        (others.tick, others.term) = (tick, term);
        if let Receiving::Latest(_) = others.receiving {
            others.number = tick;
        }
    }

    /// Switches to the zones of another layout.
    pub(crate) fn set_layout(&self, layout: &ZoneLayout) {
        let mut others = self.others();
        others.zones = layout.others(others.zone);
    }

    /// Returns the age in ticks of the last message of a zone; `None` if none arrived. Always 0 for
    /// zones in step.
    pub(crate) fn lag(&self, zone: ZoneId) -> Option<u64> {
        let others = self.others();
        match &others.receiving {
            Receiving::InStep(_) => Some(0),
            Receiving::Latest(latest) => {
                let last = latest.last_tick(zone)?;
                Some(others.number.saturating_sub(last))
            }
        }
    }

    /// Returns why the zone stopped taking part, if it did. It sends and receives nothing after
    /// that.
    pub(crate) fn failure(&self) -> Option<ZoneError> {
        self.others().failed.clone()
    }

    /// Ends the zone's part in the exchange. Keeps the first error.
    pub(crate) fn fail(&self, error: ZoneError) {
        self.others().failed.get_or_insert(error);
    }

    /// Returns the number of refused messages: damaged or outdated ones.
    pub(crate) fn refused(&self) -> u64 {
        self.others().refused
    }

    /// Returns the number of messages that the bus dropped as damaged.
    pub(crate) fn damaged(&self) -> u64 {
        self.others().bus.damaged()
    }

    /// Returns the number of messages that could not be sent.
    pub(crate) fn unsent(&self) -> u64 {
        self.others().unsent
    }

    /// Counts the refusal of a message that did not come through this exchange.
    pub(crate) fn refuse(&self) {
        let mut others = self.others();
        others.refused += 1;
        others.tell_refused(1);
    }

    /// Returns the number of messages sent, and their bytes.
    pub(crate) fn sent(&self) -> (u64, u64) {
        let others = self.others();
        (others.sent_messages, others.sent_bytes)
    }

    /// Sends each zone its part and returns the parts of the others in zone order.
    ///
    /// In step, all zones are in the result. Otherwise it has the latest part of each zone that
    /// sent one. Empty if the zone stopped taking part.
    pub(crate) fn send_and_receive<B: Serialize, R: DeserializeOwned>(
        &self,
        topic: Topic,
        part_for: impl FnMut(ZoneId) -> B,
    ) -> Vec<(ZoneId, R)> {
        let parts = self.send_and_receive_dated(topic, part_for).into_iter();
        parts.map(|(zone, _, part)| (zone, part)).collect()
    }

    /// Same as [`Self::send_and_receive`], with the tick in which each part was sent.
    pub(crate) fn send_and_receive_dated<B: Serialize, R: DeserializeOwned>(
        &self,
        topic: Topic,
        mut part_for: impl FnMut(ZoneId) -> B,
    ) -> Vec<(ZoneId, u64, R)> {
        let mut others = self.others();
        if others.failed.is_some() {
            return Vec::new();
        }
        match others.send_and_receive(topic, &mut part_for) {
            Ok(parts) => parts,
            Err(error) => {
                others.failed = Some(error);
                Vec::new()
            }
        }
    }

    fn others(&self) -> MutexGuard<'_, Others> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Others {
    fn send_and_receive<B: Serialize, R: DeserializeOwned>(
        &mut self,
        topic: Topic,
        part_for: &mut impl FnMut(ZoneId) -> B,
    ) -> Result<Vec<(ZoneId, u64, R)>, ZoneError> {
        for place in 0..self.zones.len() {
            let zone = self.zones[place];
            self.send(zone, topic, &part_for(zone))?;
        }
        let mut parts = Vec::new();
        let refused = self.refused;
        for place in 0..self.zones.len() {
            let zone = self.zones[place];
            let part = self.receive(zone, topic)?;
            parts.extend(part.map(|(tick, part)| (zone, tick, part)));
        }
        self.tell_refused(self.refused - refused);
        if let Receiving::InStep(_) = self.receiving {
            self.number += 1;
        }
        Ok(parts)
    }

    fn send<B: Serialize>(&mut self, to: ZoneId, topic: Topic, part: &B) -> Result<(), ZoneError> {
        let contents = postcard::to_allocvec(part);
        let contents = contents.map_err(|error| ZoneError::Unwritten(error.to_string()))?;
        if let Receiving::Latest(latest) = &mut self.receiving
            && !latest.is_due(topic, to, self.number, &contents)
        {
            return Ok(());
        }
        let envelope = Envelope {
            from: self.zone,
            term: self.term,
            number: self.number,
            tick: self.tick,
            topic,
        };
        let message = envelope.seal(&contents).map_err(ZoneError::Unwritten)?;
        let bytes = message.len() as u64;
        let sent = self.bus.send(to, message);
        if let (Receiving::Latest(_), Err(_)) = (&self.receiving, &sent) {
            // The next message replaces this one, so that the loss does no harm.
            self.unsent += 1;
            return Ok(());
        }
        self.sent_messages += 1;
        self.sent_bytes += bytes;
        Ok(sent?)
    }

    /// Logs a number of messages that were refused.
    fn tell_refused(&self, messages: u64) {
        if messages > 0 {
            tracing::debug!(zone = self.zone.0, messages, "messages were refused");
        }
    }

    /// Receives the part of a zone.
    fn receive<R: DeserializeOwned>(
        &mut self,
        zone: ZoneId,
        topic: Topic,
    ) -> Result<Option<(u64, R)>, ZoneError> {
        let (bus, others) = (&mut *self.bus, &self.zones);
        let is_other = |from: ZoneId| others.binary_search(&from).is_ok();
        match &mut self.receiving {
            Receiving::InStep(in_step) => {
                let round = (self.number, topic);
                let (tick, part) =
                    in_step.wait_for(bus, zone, round, is_other, &mut self.refused)?;
                let part = postcard::from_bytes(&part);
                part.map(|part| Some((tick, part)))
                    .map_err(|error| ZoneError::Refused {
                        zone,
                        why: error.to_string(),
                    })
            }
            Receiving::Latest(latest) => {
                latest.receive_all(bus, self.number, is_other, &mut self.refused)?;
                let Some((tick, part)) = latest.part(topic, zone) else {
                    return Ok(None);
                };
                let (tick, part) = (*tick, postcard::from_bytes(part));
                if part.is_err() {
                    self.refused += 1;
                    latest.refuse(topic, zone);
                }
                Ok(part.ok().map(|part| (tick, part)))
            }
        }
    }
}

/// Counter that uses one round of messages for each count.
pub(crate) struct CountInRounds(pub(crate) Exchange);

impl CountTogether for CountInRounds {
    fn asks(&mut self, counted: CountKind, own: &[FieldAsk]) -> Vec<FieldAsk> {
        let others = self.0.send_and_receive(Topic::Count(counted), |_| own);
        let others = others
            .into_iter()
            .flat_map(|(_, asks): (_, Vec<FieldAsk>)| asks);
        FieldAsk::merge_all(others.chain(own.iter().copied()))
    }

    fn total(&mut self, counted: CountKind, own: usize) -> usize {
        let others = self
            .0
            .send_and_receive(Topic::Count(counted), |_| own as u64);
        let others = others
            .into_iter()
            .map(|(_, count): (_, u64)| count as usize);
        others.fold(own, usize::saturating_add)
    }
}
