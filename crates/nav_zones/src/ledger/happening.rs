//! Announcing events, and applying them in their tick.

use super::{
    events::{Announcement, WorldEvent},
    link::Work,
    writing::Ledger,
};
use crate::{Zone, agents::maps, seal::Versioned};
use bevy_ecs::prelude::*;
use nav::maps::EditMap;

/// Command that makes an event happen in all zones, ten ticks [later](Announcement::tick).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announce(pub WorldEvent);

/// Ticks from an announcement to its event, by when all zones know of it.
///
/// Half a second at 20 ticks a second. A zone that learns of it later applies it then.
const AHEAD: u64 = 10;

impl Command for Announce {
    type Out = ();

    fn apply(self, world: &mut World) {
        let tick = world.resource::<Zone>().tick() + AHEAD;
        let event = self.0;
        let bytes = Announcement { tick, event }.to_bytes();
        if let Ok(bytes) = bytes {
            let mut ledger = world.resource_mut::<Ledger>();
            ledger.link.give(Work::Announce(bytes));
        }
    }
}

/// Applies the events that are due.
pub(crate) fn apply_events(world: &mut World) {
    let tick = world.resource::<Zone>().tick();
    let all = maps(world);
    while let Some(event) = world.resource_mut::<Ledger>().events.next(tick) {
        match event {
            WorldEvent::Edit(map, edit) => {
                if let Some(&map) = all.get(usize::from(map)) {
                    EditMap { map, edit }.apply(world);
                }
            }
            WorldEvent::Layout(layout) => world.resource_mut::<Zone>().set_layout(layout),
        }
    }
}
