//! What a zone is, and how it stands with the others.

use crate::{ZoneError, ZoneId, ZoneLayout, exchange::Exchange};
use bevy_ecs::prelude::*;

/// The zone of this app.
#[derive(Resource)]
pub struct Zone {
    pub(crate) id: ZoneId,
    pub(crate) layout: ZoneLayout,
    pub(crate) exchange: Exchange,
    pub(crate) counts: ZoneCounts,
    pub(crate) tick: u64,
    /// Whether nobody else can have taken the zone.
    pub(crate) holds: bool,
    /// How many nanoseconds a tick takes; 0 for zones in step, which count their ticks.
    pub(crate) period: u64,
}

/// What a zone did since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZoneCounts {
    /// Agents handed over to others.
    pub handed_over: u64,
    /// Agents taken over from others.
    pub taken_over: u64,
    /// Of those, how many were under way for 0, 1, 2 … ticks; the last is for all that took longer. None of zones in
    /// step, which take over in the tick in which others hand over.
    pub under_way: [u64; 9],
    /// Places of agents sent to zones that chase them.
    pub places_sent: u64,
    /// Bodies near borders sent to the zones beyond.
    pub bodies_sent: u64,
    /// Steps across borders lent to bodies of other zones.
    pub steps_lent: u64,
}

impl Zone {
    /// Its number.
    pub const fn id(&self) -> ZoneId {
        self.id
    }

    /// How the world is cut.
    pub const fn layout(&self) -> &ZoneLayout {
        &self.layout
    }

    /// The tick: how many there were of zones in step, else the time divided by that of a tick.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// What was done since it began.
    pub const fn counts(&self) -> ZoneCounts {
        self.counts
    }

    /// How many messages were refused: damaged ones, and those that belong to no round or are no news.
    pub fn refused(&self) -> u64 {
        self.exchange.refused()
    }

    /// How many messages were sent to other zones, and how many bytes.
    pub fn sent(&self) -> (u64, u64) {
        self.exchange.sent()
    }

    /// How many messages could not be sent: the broker was away. What they said is sent again.
    pub fn unsent(&self) -> u64 {
        self.exchange.unsent()
    }

    /// How many ticks ago another zone sent what came last of it; none if nothing came.
    pub fn lag(&self, zone: ZoneId) -> Option<u64> {
        self.exchange.lag(zone)
    }

    /// Why the zone takes no part any more, if so. It goes on by itself: stop the app.
    pub fn failure(&self) -> Option<ZoneError> {
        self.exchange.failure()
    }

    /// Cuts the world in another way.
    pub(crate) fn set_layout(&mut self, layout: ZoneLayout) {
        self.exchange.set_layout(&layout);
        self.layout = layout;
    }
}
