//! Reading everything that a keeper has after a position.

use super::{EntriesOf, Entry, Keeper, KeeperError, Sequence, StoredEvent};

/// Entries or events read in one call: with entries of some 300 kB at most, an answer has 80 MB.
const AT_ONCE: usize = 256;

impl dyn Keeper + '_ {
    /// Returns all such entries after a position, in order.
    pub(crate) fn all_entries(
        &mut self,
        of: EntriesOf,
        after: Sequence,
    ) -> Result<Vec<Entry>, KeeperError> {
        let mut all: Vec<Entry> = Vec::new();
        loop {
            let after = all.last().map_or(after, |entry| entry.sequence);
            let some = self.entries(of, after, AT_ONCE)?;
            if some.is_empty() {
                return Ok(all);
            }
            all.extend(some);
        }
    }

    /// Returns all events after a position, in order.
    pub(crate) fn all_events(&mut self, after: Sequence) -> Result<Vec<StoredEvent>, KeeperError> {
        let mut all: Vec<StoredEvent> = Vec::new();
        loop {
            let after = all.last().map_or(after, |event| event.sequence);
            let some = self.events(after, AT_ONCE)?;
            if some.is_empty() {
                return Ok(all);
            }
            all.extend(some);
        }
    }
}
