//! When chasers were last decided for: what changed of them since is news to the next tick.

#[cfg(feature = "serialize")]
use super::restored::Restored;
use bevy_ecs::{change_detection::Tick, prelude::*};

/// When the decisions of the last tick were made; none before the first one.
#[derive(Resource, Clone, Copy, Default)]
pub(crate) struct DecidedAt(Option<Tick>);

impl DecidedAt {
    /// Whether something that happened at a tick happened since.
    pub(crate) fn is_before(self, tick: Tick, now: Tick) -> bool {
        self.0
            .is_none_or(|decided| tick.is_newer_than(decided, now))
    }

    /// Then.
    pub(crate) fn note(&mut self, tick: Tick) {
        self.0 = Some(tick);
    }
}

/// Since when changes of chasers are news to the next tick of a world; `None` if it has had none, and was not
/// restored from one that had: then all is new.
#[cfg(feature = "serialize")]
pub(crate) fn news_since(world: &World) -> Option<Tick> {
    let restored = world.get_resource::<Restored>();
    restored
        .map(|restored| restored.tick())
        .or_else(|| world.get_resource::<DecidedAt>()?.0)
}
