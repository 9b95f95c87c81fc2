//! Requests to the processes of zones, and their answers: over the bus, at numbers that no zone
//! has.

use crate::ZonesError;
use nav_zones::{
    Bus, Format, Statement, Versioned, ZoneId,
    nats::{NatsBus, NatsConnection},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Number that receives reports.
pub(crate) const SUPERVISOR: ZoneId = ZoneId(u16::MAX);

/// Number that receives statements.
pub(crate) const CHECKER: ZoneId = ZoneId(u16::MAX - 1);

/// Number that receives the agents of zones, for watching.
pub(crate) const WATCHER: ZoneId = ZoneId(u16::MAX - 2);

/// Bit added to the number of a zone: the number at which its process receives requests.
const ASKED: u16 = 1 << 15;

/// Zones have lower numbers than this, so that the numbers of their processes stay below the three
/// above.
pub(crate) const ZONES_MAX: u16 = ASKED - 3;

/// A request to the process of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// To send a statement of its agents.
    State,
    /// To send its agents for some seconds, for watching.
    Show,
    /// To give the zone back and take another one, if there is one.
    GiveBack,
}

impl Versioned for Ask {
    const FORMAT: Format = Format::MESSAGES;
}

/// The answer of a process of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stated {
    pub(crate) statement: Option<Statement>,
    /// Why its zone cannot be kept at present.
    pub(crate) trouble: Option<String>,
}

impl Versioned for Stated {
    const FORMAT: Format = Format::MESSAGES;
}

/// An end of the control line: that of a process of a zone, or of a program that sends requests.
pub(crate) struct ControlLine(NatsBus);

impl ControlLine {
    /// Opens the end of a process of a zone.
    pub(crate) fn of_zone(connection: &NatsConnection, zone: ZoneId) -> Result<Self, ZonesError> {
        Ok(Self(NatsBus::new(connection, ZoneId(zone.0 | ASKED))?))
    }

    /// Opens the end of another number.
    pub(crate) fn open(connection: &NatsConnection, number: ZoneId) -> Result<Self, ZonesError> {
        Ok(Self(NatsBus::new(connection, number)?))
    }

    /// Sends a request to the process of a zone.
    pub(crate) fn ask(&mut self, zone: ZoneId, ask: Ask) -> Result<(), ZonesError> {
        self.send(ZoneId(zone.0 | ASKED), &ask)
    }

    pub(crate) fn send(&mut self, to: ZoneId, message: &impl Versioned) -> Result<(), ZonesError> {
        let bytes = message.to_bytes().map_err(ZonesError::Damaged)?;
        Ok(self.0.send(to, bytes)?)
    }

    /// Returns the next message; `None` if there is none in time. Messages of another form are
    /// skipped.
    pub(crate) fn receive<M: Versioned>(
        &mut self,
        wait: Duration,
    ) -> Result<Option<M>, ZonesError> {
        while let Some(bytes) = self.0.receive(wait)? {
            if let Ok(message) = M::from_bytes(&bytes) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}
