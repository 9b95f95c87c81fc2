//! Events of a world, which all zones apply at the same tick: edits of maps, and other layouts.

use crate::{
    ZoneLayout,
    keeper::{Keeper, KeeperError, Sequence, StoredEvent},
    seal::{Format, Versioned},
};
use nav_grid::Edit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Event of a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WorldEvent {
    /// Edit of a map. The number is the map's index in the order in which maps were spawned.
    Edit(u16, Edit),
    /// Another layout. Agents are handed over to the zones in which they then stand.
    Layout(ZoneLayout),
}

/// Event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Tick before which the event happens.
    ///
    /// A zone that learns of it later applies it then. Choose a tick far enough ahead that all
    /// zones learn of it in time, such as half a second.
    pub tick: u64,
    /// Event.
    pub event: WorldEvent,
}

/// Sealed for [`Keeper::announce`], so that foreign messages are no events.
impl Versioned for Announcement {
    const FORMAT: Format = Format::STATE;
}

/// Returns the layout of a world, now or soon: that of the last layout event, or else `first`.
///
/// # Errors
///
/// [`KeeperError::Unreachable`].
pub fn layout_now(keeper: &mut dyn Keeper, first: &ZoneLayout) -> Result<ZoneLayout, KeeperError> {
    let mut follower = LayoutFollower::new(first);
    Ok(follower.now(keeper)?.clone())
}

/// Layout of a world, followed through its events.
#[derive(Clone, Debug)]
pub struct LayoutFollower {
    layout: ZoneLayout,
    read: Sequence,
}

impl LayoutFollower {
    /// Creates a follower that begins with the first layout of a world.
    pub fn new(first: &ZoneLayout) -> Self {
        Self {
            layout: first.clone(),
            read: Sequence::default(),
        }
    }

    /// Returns the layout of the world, now or soon. Reads only events since the last call.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn now(&mut self, keeper: &mut dyn Keeper) -> Result<&ZoneLayout, KeeperError> {
        for stored in keeper.all_events(self.read)? {
            self.read = stored.sequence;
            if let Ok(announced) = Announcement::from_bytes(&stored.bytes)
                && let WorldEvent::Layout(next) = announced.event
            {
                self.layout = next;
            }
        }
        Ok(&self.layout)
    }
}

/// Events to come.
#[derive(Default)]
pub(crate) struct Events {
    to_come: BTreeMap<(u64, Sequence), WorldEvent>,
}

impl Events {
    /// Records an event. Returns whether it could be decoded.
    pub(crate) fn note(&mut self, stored: &StoredEvent) -> bool {
        let Ok(Announcement { tick, event }) = Announcement::from_bytes(&stored.bytes) else {
            return false;
        };
        self.to_come.insert((tick, stored.sequence), event);
        true
    }

    /// Returns the next event that is due at `tick`.
    pub(super) fn next(&mut self, tick: u64) -> Option<WorldEvent> {
        let first = self.to_come.first_entry()?;
        (first.key().0 <= tick).then(|| first.remove())
    }
}
