//! The ticks that messages count.

use bevy_ecs::prelude::*;
use nav::{NavClock, NavTime};

/// The ticks that messages count, and how long they are.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct SyncClock {
    /// The number of this tick, from 1 on.
    pub(crate) tick: u32,
    now: NavTime,
    /// Length of a tick in nanoseconds.
    nanos: u64,
}

impl SyncClock {
    /// Length of a tick in microseconds.
    pub(crate) fn tick_micros(&self) -> u32 {
        u32::try_from(self.nanos / 1000).unwrap_or(u32::MAX).max(1)
    }

    /// The moment of a tick to come.
    pub(crate) fn moment_of(&self, tick: u32) -> NavTime {
        let ticks = u64::from(tick.saturating_sub(self.tick));
        NavTime(self.now.0.saturating_add(ticks.saturating_mul(self.nanos)))
    }

    /// The first tick after this one that comes at a moment or later.
    pub(crate) fn tick_at(&self, moment: NavTime) -> u32 {
        let ticks = moment
            .0
            .saturating_sub(self.now.0)
            .div_ceil(self.nanos.max(1));
        let ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
        self.tick.saturating_add(ticks.max(1))
    }

    /// The last tick up to this one that came at a moment or before.
    pub(crate) fn tick_before(&self, moment: NavTime) -> u32 {
        let ticks = self.now.0.saturating_sub(moment.0) / self.nanos.max(1);
        let ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
        self.tick.saturating_sub(ticks)
    }
}

/// Counts a tick.
pub(crate) fn count_tick(nav: Res<NavClock>, mut clock: ResMut<SyncClock>) {
    clock.tick = clock.tick.saturating_add(1);
    clock.now = nav.now();
    clock.nanos = nav.now().0 - nav.previous().0;
}

/// Whether time passed in this tick, as in all but the first.
pub(crate) fn time_passed(nav: Res<NavClock>) -> bool {
    nav.now() > nav.previous()
}
