//! Whether a world was restored and has not had a tick since.

use bevy_ecs::{change_detection::Tick, prelude::*};

/// When a world was restored that has not had a tick since. To the systems of its first tick all is new: this
/// distinguishes what was restored from what the game did afterwards.
#[derive(Resource, Clone, Copy)]
pub(crate) struct Restored(Tick);

impl Restored {
    /// Now.
    #[cfg_attr(
        not(feature = "serialize"),
        expect(dead_code, reason = "nothing is restored without")
    )]
    pub(crate) fn now(world: &mut World) -> Self {
        Self(world.increment_change_tick())
    }

    /// When that was.
    #[cfg(feature = "serialize")]
    pub(crate) fn tick(self) -> Tick {
        self.0
    }

    /// Whether something that happened at a tick was there then.
    pub(crate) fn has(self, tick: Tick, now: Tick) -> bool {
        !tick.is_newer_than(self.0, now)
    }
}
