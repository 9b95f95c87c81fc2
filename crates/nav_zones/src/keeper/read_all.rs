//! Reading everything that a keeper has after a position.

use super::{Entry, Keeper, KeeperError, Sequence};
use crate::ZoneId;

/// Entries or events read in one call. A guess, which keeps an answer small and round trips few.
const AT_ONCE: usize = 256;

impl dyn Keeper + '_ {
    /// Returns all entries for a zone from others after a position, in order.
    pub(crate) fn all_entries_to(
        &mut self,
        zone: ZoneId,
        after: Sequence,
    ) -> Result<Vec<Entry>, KeeperError> {
        let place = |entry: &Entry| entry.sequence;
        read_all(after, place, |after| self.entries_to(zone, after, AT_ONCE))
    }

    /// Returns all entries from a zone after a position, in order.
    pub(crate) fn all_entries_from(
        &mut self,
        zone: ZoneId,
        after: Sequence,
    ) -> Result<Vec<Entry>, KeeperError> {
        let place = |entry: &Entry| entry.sequence;
        read_all(after, place, |after| {
            self.entries_from(zone, after, AT_ONCE)
        })
    }

    /// Returns all events after a position, in order.
    pub(crate) fn all_events(
        &mut self,
        after: Sequence,
    ) -> Result<Vec<(Sequence, Vec<u8>)>, KeeperError> {
        let place = |&(place, _): &(Sequence, Vec<u8>)| place;
        read_all(after, place, |after| self.events(after, AT_ONCE))
    }
}

/// Reads after a position, then after the last item read, until nothing is left.
fn read_all<T>(
    after: Sequence,
    place: impl Fn(&T) -> Sequence,
    mut read: impl FnMut(Sequence) -> Result<Vec<T>, KeeperError>,
) -> Result<Vec<T>, KeeperError> {
    let mut all = Vec::new();
    loop {
        let some = read(all.last().map_or(after, &place))?;
        if some.is_empty() {
            return Ok(all);
        }
        all.extend(some);
    }
}
