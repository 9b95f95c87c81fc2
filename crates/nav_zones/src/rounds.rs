//! Rounds: each zone sends one message to every other and waits for one from each.

use crate::{Bus, BusError, ZoneId};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What a round is about. Zones that run in step come to the same rounds in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Topic {
    HandOver,
    Chases,
    Places,
    Borders,
    Count(nav::shared::CountKind),
}

/// What is around the contents of every message.
#[derive(Serialize, Deserialize)]
struct Envelope<B> {
    /// Of the format. The first thing, so that another one is refused before anything else is read.
    version: u16,
    from: ZoneId,
    /// How many rounds there were before.
    number: u64,
    topic: Topic,
    body: B,
}

/// The version of messages that this build writes and reads.
const VERSION: u16 = 1;

/// A message of more bytes is not read.
const BYTES_MAX: usize = 256 << 20;

/// Why zones no longer run in step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ZoneError {
    /// The bus failed.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// A zone did not send its part of a round in time.
    #[error("zone {} did not answer within {wait:?}, in round {round}", zone.0)]
    Late {
        /// The zone.
        zone: ZoneId,
        /// How many rounds there were before.
        round: u64,
        /// For how long it was waited for.
        wait: Duration,
    },
    /// A zone is at another point of its tick.
    #[error("zone {} is out of step, in round {round}: all zones run the same systems", zone.0)]
    OutOfStep {
        /// The zone.
        zone: ZoneId,
        /// How many rounds there were before.
        round: u64,
    },
    /// Something could not be written as a message.
    #[error("a message could not be written: {0}")]
    Unwritten(String),
    /// Agents that were handed over are damaged.
    #[error("agents from zone {} are refused: {why}", zone.0)]
    Refused {
        /// The zone that sent them.
        zone: ZoneId,
        /// What is wrong with them.
        why: String,
    },
}

/// The other zones of a world, and where this one is among its rounds.
struct Others {
    zone: ZoneId,
    zones: u16,
    bus: Box<dyn Bus>,
    /// For how long a zone is waited for.
    wait: Duration,
    number: u64,
    /// What came before its round: by its number and the zone that sent it.
    early: BTreeMap<(u64, ZoneId), (Topic, Vec<u8>)>,
    refused: u64,
    failed: Option<ZoneError>,
}

/// Takes part in rounds, from systems and from where the plugin counts.
#[derive(Clone)]
pub(crate) struct Rounds(Arc<Mutex<Others>>);

impl Rounds {
    pub(crate) fn new(zone: ZoneId, zones: u16, wait: Duration, bus: Box<dyn Bus>) -> Self {
        Self(Arc::new(Mutex::new(Others {
            zone,
            zones,
            bus,
            wait,
            number: 0,
            early: BTreeMap::new(),
            refused: 0,
            failed: None,
        })))
    }

    /// Why rounds ended, if they did: from then on nothing is sent, and nothing comes.
    pub(crate) fn failure(&self) -> Option<ZoneError> {
        self.others().failed.clone()
    }

    /// Ends the rounds.
    pub(crate) fn fail(&self, error: ZoneError) {
        self.others().failed.get_or_insert(error);
    }

    /// How many messages were refused: damaged ones, and those of no round to come.
    pub(crate) fn refused(&self) -> u64 {
        self.others().refused
    }

    /// Sends each zone its part and returns those of the others, in the order of zones; none if rounds ended.
    pub(crate) fn exchange<B: Serialize, R: DeserializeOwned>(
        &self,
        topic: Topic,
        mut part_for: impl FnMut(ZoneId) -> B,
    ) -> Vec<(ZoneId, R)> {
        let mut others = self.others();
        if others.failed.is_some() {
            return Vec::new();
        }
        match others.exchange(topic, &mut part_for) {
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
    fn exchange<B: Serialize, R: DeserializeOwned>(
        &mut self,
        topic: Topic,
        part_for: &mut impl FnMut(ZoneId) -> B,
    ) -> Result<Vec<(ZoneId, R)>, ZoneError> {
        let (from, number) = (self.zone, self.number);
        let others = (0..self.zones).map(ZoneId).filter(|&zone| zone != from);
        for zone in others.clone() {
            let envelope = Envelope {
                version: VERSION,
                from,
                number,
                topic,
                body: part_for(zone),
            };
            let message = postcard::to_allocvec(&envelope);
            let message = message.map_err(|error| ZoneError::Unwritten(error.to_string()))?;
            self.bus.send(zone, message)?;
        }
        let mut parts = Vec::new();
        for zone in others {
            let (its_topic, body) = self.wait_for(zone)?;
            if its_topic != topic {
                return Err(ZoneError::OutOfStep {
                    zone,
                    round: number,
                });
            }
            match postcard::from_bytes(&body) {
                Ok(part) => parts.push((zone, part)),
                Err(error) => {
                    let why = error.to_string();
                    return Err(ZoneError::Refused { zone, why });
                }
            }
        }
        self.number += 1;
        Ok(parts)
    }

    /// The part of a zone in this round.
    fn wait_for(&mut self, zone: ZoneId) -> Result<(Topic, Vec<u8>), ZoneError> {
        let (round, wait) = (self.number, self.wait);
        loop {
            if let Some(part) = self.early.remove(&(round, zone)) {
                return Ok(part);
            }
            let Some(message) = self.bus.receive(wait)? else {
                return Err(ZoneError::Late { zone, round, wait });
            };
            if !self.take(&message) {
                self.refused += 1;
            }
        }
    }

    /// Keeps a message until its round; says whether it is one of a round to come.
    fn take(&mut self, message: &[u8]) -> bool {
        if message.len() > BYTES_MAX {
            return false;
        }
        let Ok((envelope, body)) = postcard::take_from_bytes::<Envelope<()>>(message) else {
            return false;
        };
        let Envelope {
            version,
            from,
            number,
            topic,
            body: (),
        } = envelope;
        // Who waits for the slowest zone is one round ahead of it.
        let is_of_step = (self.number..=self.number + 1).contains(&number);
        if version != VERSION || from.0 >= self.zones || from == self.zone || !is_of_step {
            return false;
        }
        // The first one counts: a second one comes from who is not that zone.
        let mut is_first = false;
        self.early.entry((number, from)).or_insert_with(|| {
            is_first = true;
            (topic, body.to_vec())
        });
        is_first
    }
}
