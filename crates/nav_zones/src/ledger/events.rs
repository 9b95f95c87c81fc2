//! Events of a world, which all zones apply at the same tick: edits of maps, and other layouts.

use crate::{
    ZoneLayout,
    keeper::{Keeper, KeeperError, Sequence},
};
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
    for (_, event) in keeper.all_events()? {
        if let Ok(Announcement {
            event: WorldEvent::Layout(next),
            ..
        }) = postcard::from_bytes(&event)
        {
            layout = next;
        }
    }
    Ok(layout)
}

/// Events to come.
#[derive(Default)]
pub(crate) struct Events {
    to_come: BTreeMap<(u64, Sequence), WorldEvent>,
}

impl Events {
    /// Notes an event; says whether it makes sense.
    pub(crate) fn note(&mut self, place: Sequence, bytes: &[u8]) -> bool {
        let Ok(Announcement { tick, event }) = postcard::from_bytes(bytes) else {
            return false;
        };
        self.to_come.insert((tick, place), event);
        true
    }

    /// The next event whose tick has come.
    pub(super) fn next(&mut self, tick: u64) -> Option<WorldEvent> {
        let first = self.to_come.first_entry()?;
        (first.key().0 <= tick).then(|| first.remove())
    }
}
