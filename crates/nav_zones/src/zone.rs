//! What a zone is, and how it stands with the others.

use crate::{ZoneError, ZoneId, ZoneLayout, rounds::Rounds};
use bevy_ecs::prelude::*;

/// The zone of this app.
#[derive(Resource)]
pub struct Zone {
    pub(crate) id: ZoneId,
    pub(crate) layout: ZoneLayout,
    pub(crate) rounds: Rounds,
    pub(crate) counts: ZoneCounts,
}

/// What a zone did since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZoneCounts {
    /// Agents handed over to others.
    pub handed_over: u64,
    /// Agents taken over from others.
    pub taken_over: u64,
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

    /// What was done since it began.
    pub const fn counts(&self) -> ZoneCounts {
        self.counts
    }

    /// How many messages were refused: damaged ones, and those that belong to no round.
    pub fn refused(&self) -> u64 {
        self.rounds.refused()
    }

    /// Why the zone no longer runs in step with the others, if so. It goes on by itself: stop the app.
    pub fn failure(&self) -> Option<ZoneError> {
        self.rounds.failure()
    }
}
