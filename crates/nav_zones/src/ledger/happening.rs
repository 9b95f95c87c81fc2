//! Having events happen: announcing them, and applying them in their tick.

use super::{
    events::{Announcement, WorldEvent},
    link::Work,
    writing::Ledger,
};
use crate::{Zone, agents::maps};
use bevy_ecs::prelude::*;
use nav::EditMap;

/// A command that has something happen in all zones, [half a second](Announcement::tick) or so later. Of zones in
/// step, games do that themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announce(pub WorldEvent);

/// How many ticks later it happens: all zones know of it by then.
const AHEAD: u64 = 10;

impl Command for Announce {
    type Out = ();

    fn apply(self, world: &mut World) {
        let tick = world.resource::<Zone>().tick() + AHEAD;
        let event = self.0;
        let bytes = Announcement { tick, event }.to_bytes();
        if let Some(mut ledger) = world.get_resource_mut::<Ledger>()
            && let Ok(bytes) = bytes
        {
            ledger.link.give(Work::Announce(bytes));
        }
    }
}

/// Applies the events whose tick has come.
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
