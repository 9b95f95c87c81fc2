//! What is asked of the processes of zones, and how they answer: over the bus, to numbers that no zone has.

use crate::ZonesError;
use nav_zones::{
    Bus, Statement, ZoneId,
    nats::{NatsBus, NatsConnection},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::time::Duration;

/// The number to which reports go.
pub(crate) const SUPERVISOR: ZoneId = ZoneId(u16::MAX);

/// The number to which statements go.
pub(crate) const CHECKER: ZoneId = ZoneId(u16::MAX - 1);

/// The number to which go those who live in zones, for whoever looks on.
pub(crate) const WATCHER: ZoneId = ZoneId(u16::MAX - 2);

/// Added to the number of a zone, that to which what is asked of its process goes.
const ASKED: u16 = 1 << 15;

/// Zones have lower numbers than this.
pub(crate) const ZONES_MAX: u16 = ASKED - 3;

/// What is asked of the process of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// To say who lives in it.
    State,
    /// To send whoever looks on who lives in it, for some seconds.
    Show,
    /// To give the zone back and take another, if there is one.
    GiveBack,
    /// To give the zone back and end.
    End,
}

/// What a process of a zone answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stated {
    pub(crate) statement: Option<Statement>,
}

/// The end of those who ask, or of those who are asked.
pub(crate) struct ControlLine(NatsBus);

impl ControlLine {
    /// The end by which a process of a zone is asked.
    pub(crate) fn of_zone(connection: &NatsConnection, zone: ZoneId) -> Result<Self, ZonesError> {
        Ok(Self(NatsBus::new(connection, ZoneId(zone.0 | ASKED))?))
    }

    /// An end of one's own.
    pub(crate) fn open(connection: &NatsConnection, number: ZoneId) -> Result<Self, ZonesError> {
        Ok(Self(NatsBus::new(connection, number)?))
    }

    /// Asks the process of a zone for something.
    pub(crate) fn ask(&mut self, zone: ZoneId, ask: Ask) -> Result<(), ZonesError> {
        self.send(ZoneId(zone.0 | ASKED), &ask)
    }

    pub(crate) fn send(&mut self, to: ZoneId, message: &impl Serialize) -> Result<(), ZonesError> {
        let bytes = postcard::to_allocvec(message);
        let bytes = bytes.map_err(|error| ZonesError::Damaged(error.to_string()))?;
        Ok(self.0.send(to, bytes)?)
    }

    /// What comes next; none if nothing comes in time. What makes no sense is left out.
    pub(crate) fn receive<M: DeserializeOwned>(
        &mut self,
        wait: Duration,
    ) -> Result<Option<M>, ZonesError> {
        while let Some(bytes) = self.0.receive(wait)? {
            if let Ok(message) = postcard::from_bytes(&bytes) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}
