//! Entries of other zones that a zone has, by their numbers.
//!
//! Positions in the ledger begin again when the broker loses its store, and entries are then
//! written once more. The numbers stay.

use crate::{ZoneId, keeper::EntryNumber};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Last entry from each zone that a zone has. It has all before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received(BTreeMap<ZoneId, EntryNumber>);

impl Received {
    /// Returns whether the zone has an entry.
    pub(crate) fn has(&self, from: ZoneId, number: EntryNumber) -> bool {
        self.0.get(&from).is_some_and(|&last| number <= last)
    }

    /// Records an entry. Returns whether the zone did not have it.
    pub(crate) fn note(&mut self, from: ZoneId, number: EntryNumber) -> bool {
        let is_new = !self.has(from, number);
        if is_new {
            self.0.insert(from, number);
        }
        is_new
    }
}
