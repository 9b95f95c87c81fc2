//! Events of a world, which all zones apply at the same tick: edits of maps, and other layouts.

use super::{Ledger, link::Work};
use crate::{
    Zone, ZoneLayout,
    agents::maps,
    keeper::{Keeper, KeeperError, Sequence},
};
use bevy_ecs::prelude::*;
use nav::EditMap;
use nav_grid::Edit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that happens to a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WorldEvent {
    /// A map is edited: its place among all maps, in the order in which they were spawned.
    Edit(u16, Edit),
    /// The world is cut in another way: agents are handed over to the zones in which they are then.
    Layout(ZoneLayout),
}

/// An event, and when it happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The tick before which it happens. Zones that learn of it later apply it then: choose one so far ahead that
    /// all know of it in time, as half a second.
    pub tick: u64,
    /// What happens.
    pub event: WorldEvent,
}

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

impl Announcement {
    /// As it is [written](crate::keeper::Keeper::announce).
    ///
    /// # Errors
    ///
    /// None that are known: postcard may fail on what has no length.
    pub fn to_bytes(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(self)
    }
}

/// How a world is cut now, or soon: as the last event says, or as when it began.
///
/// # Errors
///
/// [`KeeperError::Unreachable`].
pub fn layout_now(keeper: &mut dyn Keeper, first: &ZoneLayout) -> Result<ZoneLayout, KeeperError> {
    let mut layout = first.clone();
    let mut last = Sequence::default();
    loop {
        let events = keeper.events(last, READ_AT_ONCE)?;
        let Some(&(place, _)) = events.last() else {
            return Ok(layout);
        };
        last = place;
        for (_, event) in events {
            if let Ok(Announcement {
                event: WorldEvent::Layout(next),
                ..
            }) = postcard::from_bytes(&event)
            {
                layout = next;
            }
        }
    }
}

/// How many events are read at once.
const READ_AT_ONCE: usize = 256;

/// Events to come.
#[derive(Default)]
pub(crate) struct Events {
    to_come: BTreeMap<(u64, Sequence), WorldEvent>,
    /// How many were known only after their tick.
    pub(crate) late: u64,
}

impl Events {
    /// Notes an event; says whether it makes sense.
    pub(crate) fn note(&mut self, place: Sequence, bytes: &[u8], tick: u64) -> bool {
        let Ok(Announcement { tick: at, event }) = postcard::from_bytes(bytes) else {
            return false;
        };
        self.late += u64::from(at < tick);
        self.to_come.insert((at, place), event);
        true
    }

    /// The next event whose tick has come.
    fn next(&mut self, tick: u64) -> Option<WorldEvent> {
        let first = self.to_come.first_entry()?;
        (first.key().0 <= tick).then(|| first.remove())
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
