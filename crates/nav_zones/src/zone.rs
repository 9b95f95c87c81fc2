//! State of a zone, and its connection to the others.

use crate::{ZoneError, ZoneId, ZoneLayout, exchange::Exchange};
use bevy_ecs::prelude::*;

/// Zone of this app.
#[derive(Resource)]
pub struct Zone {
    pub(crate) id: ZoneId,
    pub(crate) layout: ZoneLayout,
    pub(crate) exchange: Exchange,
    pub(crate) counts: ZoneCounts,
    pub(crate) tick: u64,
    /// Whether the lease is valid, so that no other process can hold the zone.
    pub(crate) holds: bool,
    /// Length of a tick in nanoseconds.
    pub(crate) period: u128,
}

/// Work done by a zone since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZoneCounts {
    /// Agents handed over to other zones.
    pub handed_over: u64,
    /// Agents taken over from other zones.
    pub taken_over: u64,
    /// Agents taken over, by the number of ticks that they were on their way: 0, 1, 2 and so on.
    ///
    /// The last entry counts all that took longer.
    pub under_way: [u64; 9],
    /// Places of agents sent to zones that chase them.
    pub places_sent: u64,
    /// Bodies near borders sent to the zones beyond.
    pub bodies_sent: u64,
    /// Steps across borders lent to bodies of other zones.
    pub steps_lent: u64,
}

impl Zone {
    /// Returns the number of the zone.
    pub const fn id(&self) -> ZoneId {
        self.id
    }

    /// Returns the layout of the world.
    pub const fn layout(&self) -> &ZoneLayout {
        &self.layout
    }

    /// Returns the tick: the time of the app divided by the length of a tick.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the work done since the zone began.
    pub const fn counts(&self) -> ZoneCounts {
        self.counts
    }

    /// Returns the number of refused messages: damaged or outdated ones.
    pub const fn refused(&self) -> u64 {
        self.exchange.counts.refused
    }

    /// Returns the number of messages that the bus dropped because they arrived damaged or in part.
    pub fn damaged(&self) -> u64 {
        self.exchange.damaged()
    }

    /// Returns the number of messages sent to other zones, and their bytes.
    pub const fn sent(&self) -> (u64, u64) {
        (self.exchange.counts.sent, self.exchange.counts.sent_bytes)
    }

    /// Returns the number of messages that could not be sent while the broker was away. Later
    /// messages repeat their contents.
    pub const fn unsent(&self) -> u64 {
        self.exchange.counts.unsent
    }

    /// Returns the age in ticks of the last message of another zone; `None` if none arrived.
    pub fn lag(&self, zone: ZoneId) -> Option<u64> {
        self.exchange.lag(zone)
    }

    /// Returns why the zone stopped taking part in the world, if it did.
    ///
    /// The app itself goes on without the others: stop it.
    pub fn failure(&self) -> Option<ZoneError> {
        self.exchange.failure().cloned()
    }

    /// Switches to another layout.
    pub(crate) fn set_layout(&mut self, layout: ZoneLayout) {
        self.exchange.set_layout(&layout);
        self.layout = layout;
    }
}
