//! When what changed of chasers was last looked at: what changed since is news to the next look.

#[cfg(feature = "serialize")]
use super::restored::Restored;
use bevy_ecs::{change_detection::Tick, prelude::*};

/// When something was last looked at; none before the first time.
#[derive(Clone, Copy, Default)]
pub(crate) struct LastLook(Option<Tick>);

impl LastLook {
    /// Whether something that happened at a tick happened since.
    pub(crate) fn is_before(self, tick: Tick, now: Tick) -> bool {
        self.0.is_none_or(|last| tick.is_newer_than(last, now))
    }

    /// Then.
    pub(crate) fn note(&mut self, tick: Tick) {
        self.0 = Some(tick);
    }
}

/// When the decisions of the last tick were made: since then a target is another one.
#[derive(Resource, Clone, Copy, Default)]
pub(crate) struct DecidedAt(pub(crate) LastLook);

/// When tunings were last noted, which is several times in a tick: a change is news once.
#[derive(Resource, Clone, Copy, Default)]
pub(crate) struct TuningsNotedAt(pub(crate) LastLook);

/// Since when changes of chasers are news to the next tick of a world: of their targets and of their tunings.
#[cfg(feature = "serialize")]
#[derive(Clone, Copy)]
pub(crate) struct NewsSince {
    pub(crate) targets: Tick,
    pub(crate) tunings: Tick,
}

#[cfg(feature = "serialize")]
impl NewsSince {
    /// That of a world; `None` if it has had no tick, and was not restored from one that had: then all is new.
    pub(crate) fn of(world: &World) -> Option<Self> {
        if let Some(restored) = world.get_resource::<Restored>() {
            let (targets, tunings) = (restored.tick(), restored.tick());
            return Some(Self { targets, tunings });
        }
        Some(Self {
            targets: world.get_resource::<DecidedAt>()?.0.0?,
            tunings: world.get_resource::<TuningsNotedAt>()?.0.0?,
        })
    }
}
