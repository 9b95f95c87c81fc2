//! The tick counter used in messages.

use bevy_ecs::prelude::*;
use nav::{NavClock, NavTime};

/// The current tick number and the tick length.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct SyncClock {
    /// Number of the current tick, from 1.
    pub(crate) tick: u32,
    now: NavTime,
    /// Tick length in nanoseconds.
    nanos: u64,
}

impl SyncClock {
    /// Returns the tick length in microseconds, at least 1.
    pub(crate) fn tick_micros(&self) -> u32 {
        u32::try_from(self.nanos / 1000).unwrap_or(u32::MAX).max(1)
    }

    /// Returns the moment of a future tick.
    pub(crate) fn moment_of(&self, tick: u32) -> NavTime {
        let ticks = u64::from(tick.saturating_sub(self.tick));
        NavTime(self.now.0.saturating_add(ticks.saturating_mul(self.nanos)))
    }

    /// Returns the first tick after the current one at or after a moment.
    pub(crate) fn tick_at(&self, moment: NavTime) -> u32 {
        let ticks = moment
            .0
            .saturating_sub(self.now.0)
            .div_ceil(self.nanos.max(1));
        let ahead = u32::try_from(ticks).unwrap_or(u32::MAX);
        self.tick.saturating_add(ahead.max(1))
    }

    /// Returns the last tick, up to the current one, at or before a moment.
    pub(crate) fn tick_before(&self, moment: NavTime) -> u32 {
        let ticks = self.now.0.saturating_sub(moment.0) / self.nanos.max(1);
        let ago = u32::try_from(ticks).unwrap_or(u32::MAX);
        self.tick.saturating_sub(ago)
    }
}

/// Advances the tick counter.
pub(crate) fn count_tick(nav: Res<NavClock>, mut clock: ResMut<SyncClock>) {
    clock.tick = clock.tick.saturating_add(1);
    clock.now = nav.now();
    clock.nanos = nav.now().0 - nav.previous().0;
}

/// Returns whether time passed in this tick. It does in all ticks but the first.
pub(crate) fn time_passed(nav: Res<NavClock>) -> bool {
    nav.now() > nav.previous()
}
